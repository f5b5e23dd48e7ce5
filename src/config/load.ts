/** Settings of one command: flag > environment > file > default. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkMigrate } from './check-migrate.ts';
import { checkProxy } from './check-proxy.ts';
import { checkReport } from './check-report.ts';
import { ConfigError, firstLine } from './errors.ts';
import { readConfigFile } from './file.ts';
import { defaultOf, parseSetting, parseStore } from './parse.ts';
import { type Command, displayOf, type Setting } from './setting.ts';
import { type Settings, settingsOf } from './settings.ts';
import { environmentLayer, fileLayers, flagLayer, type Given, type Layer } from './sources.ts';

export interface Sources {
  /** What the command line says, by the names of the flags in kebab-case. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: where the file is looked for and what paths are relative to. */
  readonly cwd: string;
}

/**
 * Gathers and checks the settings of a command.
 * @returns durations in milliseconds, sizes in bytes, paths absolute, secrets resolved
 * @throws ConfigError for the first thing that is wrong, whatever the source
 */
export async function loadSettings<C extends Command>(command: C, { flags, env, cwd }: Sources): Promise<Settings<C>> {
  const fromFlags = flagLayer(command, flags, cwd);
  const fromEnvironment = environmentLayer(command, env, cwd);
  const config = fromFlags.get('config') ?? fromEnvironment.get('config');
  const file = await readConfigFile(cwd, config && { path: String(config.value), source: config.source });
  const layers: readonly Layer[] = [...(file === undefined ? [] : fileLayers(command, file)), fromEnvironment, fromFlags];

  const loaded = new Map<string, unknown>();
  for (const row of settingsOf(command)) {
    const given = layers.flatMap((layer) => layer.get(row.name) ?? []);
    loaded.set(row.name, await valueOf(row, given, env));
  }
  const sourceOf = (name: string): string | undefined => layers.findLast((layer) => layer.has(name))?.get(name)?.source;
  // The rows of the command are exactly the properties of its settings, each parsed by its own type.
  const result = Object.fromEntries(loaded) as Settings<C>;
  if (command === 'proxy') checkProxy(Object.fromEntries(loaded) as Settings<'proxy'>, sourceOf);
  if (command === 'report') checkReport(Object.fromEntries(loaded) as Settings<'report'>, sourceOf);
  if (command === 'migrate') checkMigrate(Object.fromEntries(loaded) as Settings<'migrate'>, sourceOf);
  return result;
}

/** @param given from the weakest source to the strongest */
async function valueOf(row: Setting, given: readonly Given[], env: Sources['env']): Promise<unknown> {
  const last = given.at(-1);
  if (last === undefined) return defaultOf(row);
  if (row.joined) return Object.assign({}, ...given.map((each) => parse(row, each)));
  const value = parse(row, last);
  if (row.refers === 'path') return Array.isArray(value) ? value.map(pathFrom(last.folder)) : pathFrom(last.folder)(value);
  if (row.refers === 'store') {
    return parseStore(await secretOf(row, String(value), last, env), displayOf(row), last.folder, last.source);
  }
  return row.refers === 'secret' ? secretOf(row, String(value), last, env) : value;
}

const pathFrom =
  (folder: string) =>
  (path: unknown): string =>
    resolve(folder, String(path));

const parse = (row: Setting, { value, source }: Given): unknown => parseSetting(row, value, displayOf(row), source);

/** `env:NAME` and `file:PATH` keep a secret out of command lines and configuration files; anything else is the secret itself. */
async function secretOf(row: Setting, value: string, { source, folder }: Given, env: Sources['env']): Promise<string> {
  const fail = (problem: string, cause?: unknown) =>
    new ConfigError({ code: 'CONFIG_INVALID', key: displayOf(row), problem, source, cause });
  const [, kind, rest = ''] = /^(env|file):(.*)$/s.exec(value) ?? [];
  if (kind === 'env') {
    const secret = env[rest];
    if (!secret) throw fail(`the environment variable ${rest} is not set`);
    return secret;
  }
  if (kind !== 'file') return value;
  const content = await readFile(resolve(folder, rest), 'utf8').catch((error: unknown) => {
    throw fail(`cannot read the secret: ${firstLine(error)}`, error);
  });
  const secret = content.trim();
  if (secret === '') throw fail(`${rest} is empty`);
  return secret;
}
