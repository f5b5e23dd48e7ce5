/** The roll-out of a configuration file, read alone: a proxy takes it again when the file has changed, and nothing else of it. */
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Rollout } from '../rollout/rules.ts';
import { ConfigError } from './errors.ts';
import { type ConfigFile, readConfigFile } from './file.ts';
import { displayOf } from './setting.ts';
import { parseSetting } from './parse.ts';
import { settingsOf } from './settings.ts';
import { fileLayers } from './sources.ts';

/** Where the configuration file is; undefined where there is none. */
export async function configFilePath(cwd: string, given: string | undefined): Promise<string | undefined> {
  const file = await read(cwd, given);
  return file && resolve(cwd, file.name);
}

const read = (cwd: string, given: string | undefined): Promise<ConfigFile | undefined> =>
  readConfigFile(cwd, given === undefined ? undefined : { path: given, source: 'the command line' });

/**
 * Reads the roll-out of a file that has changed.
 * @throws ConfigError where it cannot be read, is not valid, or does not show that it is all of it
 */
export async function readRollout(cwd: string, path: string): Promise<Rollout> {
  const file = await read(cwd, path);
  const row = settingsOf('proxy').find(({ name }) => name === 'rollout');
  const given =
    file &&
    fileLayers('proxy', file)
      .flatMap((layer) => layer.get('rollout') ?? [])
      .at(-1);
  if (file === undefined || row === undefined || given === undefined) {
    const problem = 'is no longer there; to have every call translated, give it no rules: rollout: { rules: [] }';
    throw new ConfigError({ code: 'CONFIG_MISSING', key: 'rollout', problem, source: path });
  }
  if (!showsItsEnd(extname(path), await readFile(resolve(cwd, path), 'utf8'))) {
    const problem = 'does not show that it is all of it, so it may be half written; let the last line of the file be ...';
    throw new ConfigError({ code: 'CONFIG_UNREADABLE', key: file.name, problem });
  }
  // The type of the row.
  return parseSetting(row, given.value, displayOf(row), given.source) as Rollout;
}

/**
 * Whether no longer text begins with this one. YAML in lines may end after any line and still be good: rules that are missing would send
 * their calls to v2. What stands in brackets, as JSON does, and modules end where they end; so does YAML behind its mark (YAML 1.2 §9.1.2).
 */
const showsItsEnd = (extension: string, text: string): boolean =>
  !/^\.ya?ml$/.test(extension) || /^\s*\{/.test(text) || /^\.\.\.\s*$/m.test(text.trimEnd().split('\n').at(-1) ?? '');
