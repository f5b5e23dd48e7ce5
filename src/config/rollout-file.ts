/** The roll-out of a configuration file, read alone: a proxy takes it again when the file has changed, and nothing else of it. */
import { extname, resolve } from 'node:path';
import { faultOfBrownouts } from '../rollout/brownouts.ts';
import { type Rollout, workspacesNamed } from '../rollout/rules.ts';
import { ConfigError } from './errors.ts';
import { type ConfigFile, readConfigFile } from './file.ts';
import { displayOf } from './setting.ts';
import { parseSetting } from './parse.ts';
import { settingsOf } from './settings.ts';
import { fileLayers } from './sources.ts';
import { didYouMean } from './suggest.ts';
import { show } from './types.ts';

/** Where the configuration file is; undefined where there is none. */
export async function configFilePath(cwd: string, given: string | undefined): Promise<string | undefined> {
  const file = await read(cwd, given);
  return file && resolve(cwd, file.name);
}

const read = (cwd: string, given: string | undefined): Promise<ConfigFile | undefined> =>
  readConfigFile(cwd, given === undefined ? undefined : { path: given, source: 'the command line' });

/** What the rules of a file have to fit to. */
export interface RolloutSurroundings {
  readonly cwd: string;
  /** Names of the workspaces that there are. */
  readonly workspaces: readonly string[];
  /** In epoch milliseconds. */
  readonly sunset: number;
}

/**
 * Reads the roll-out of a file that has changed.
 * @throws ConfigError where it cannot be read, is not valid, or does not show that it is all of it
 */
export async function readRollout(path: string, surroundings: RolloutSurroundings): Promise<Rollout> {
  const file = await read(surroundings.cwd, path);
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
  // The very text that the rules are of: a second look could see what a writer has added meanwhile.
  if (file.text !== undefined && !showsItsEnd(extname(path), file.text)) {
    const problem = 'does not show that it is all of it, so it may be half written; let the last line of the file be ...';
    throw new ConfigError({ code: 'CONFIG_UNREADABLE', key: file.name, problem });
  }
  // The type of the row.
  const rollout = parseSetting(row, given.value, displayOf(row), given.source) as Rollout;
  checkSurroundings(rollout, surroundings, given.source);
  return rollout;
}

/** @throws ConfigError where the roll-out names a workspace that there is not, as its rule would be about nobody; or where two brownouts would be on at once */
export function checkSurroundings(
  rollout: Rollout,
  { workspaces, sunset }: Omit<RolloutSurroundings, 'cwd'>,
  source: string | undefined,
): void {
  const known = new Set(workspaces);
  const unknown = workspacesNamed(rollout).find((name) => !known.has(name));
  const fault =
    unknown === undefined
      ? faultOfBrownouts(rollout.brownouts, sunset)
      : `names the workspace ${show(unknown)}, which is none of workspaces${didYouMean(unknown, workspaces) || '; a proxy reads these at its start, so that new ones need another'}`;
  if (fault !== undefined) throw new ConfigError({ code: 'CONFIG_INVALID', key: 'rollout', problem: fault, source });
}

/**
 * Whether no longer text begins with this one. YAML in lines may end after any line and still be good: rules that are missing would send
 * their calls to v2. What stands in brackets, as JSON does, and modules end where they end; so does YAML behind its mark (YAML 1.2 §9.1.2).
 */
const showsItsEnd = (extension: string, text: string): boolean =>
  !/^\.ya?ml$/.test(extension) || /^\s*\{/.test(text) || /^\.\.\.\s*$/m.test(text.trimEnd().split('\n').at(-1) ?? '');
