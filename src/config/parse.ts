/** From what is given for settings to what the code works with. */
import { resolve } from 'node:path';
import { ConfigError } from './errors.ts';
import type { Command, Setting } from './setting.ts';
import { noStore } from './setting.ts';
import { optionsOf, type Settings, settingsOf } from './settings.ts';
import { didYouMean } from './suggest.ts';

/**
 * Parses what is given for a setting.
 * @param name the setting as the user writes it: `--listen`, `mappings`
 * @param source where it was given, for the message
 * @throws ConfigError where the setting does not accept it
 */
export function parseSetting(row: Setting, value: unknown, name: string, source?: string): unknown {
  const result = row.type.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inside = namesIn(issue?.path ?? []);
  throw new ConfigError({
    code: 'CONFIG_INVALID',
    key: [name, ...inside].join(name.startsWith('--') ? ' ' : '.').replaceAll('.[', '['),
    problem: issue?.message ?? 'is not valid',
    source,
    cause: result.error,
  });
}

/** Names in a table are what the user looks for. Positions in a list tell little, but where its items are tables: `workspaces[1].plan`. */
function namesIn(path: readonly PropertyKey[]): string[] {
  return path.flatMap((part, index) => {
    const next = path[index + 1];
    if (typeof part === 'string') return [part];
    return typeof next === 'string' ? [`[${String(part)}]`] : [];
  });
}

/** What a setting is where nobody says otherwise. */
export const defaultOf = (row: Setting): unknown => (row.default === undefined ? undefined : row.type.parse(row.default));

/**
 * Where a record is kept, from how it was written: a URL and `none` stay what they are. Anything else is a file, but for what was meant to be
 * a URL: its password must not become a file's name.
 * @param name the setting as the user writes it
 * @param folder that paths are relative to
 * @throws ConfigError
 */
export function parseStore(given: string, name: string, folder: string, source?: string): string {
  const address = given.trim();
  if (address === noStore || /^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return address;
  if (/^postgres(?:ql)?:|:[^/\\]*@/i.test(address)) {
    const problem = 'is neither a path nor a URL: write postgres://user:password@host/database';
    throw new ConfigError({ code: 'CONFIG_INVALID', key: name, problem, source });
  }
  return resolve(folder, address);
}

/** A program has its secrets where it wants them: what refers to one must not be taken for one, nor for the name of a file. */
function parseOption(row: Setting, value: unknown): unknown {
  const parsed = parseSetting(row, value, row.name);
  if ((row.refers !== 'secret' && row.refers !== 'store') || typeof parsed !== 'string') return parsed;
  const [, kind, name] = /^(env|file):(.*)$/s.exec(parsed) ?? [];
  if (kind !== undefined) {
    const instead = kind === 'env' ? `process.env.${name}` : `what is in ${name}`;
    const problem = `${kind}: is for the command line and its configuration file; give ${instead} itself`;
    throw new ConfigError({ code: 'CONFIG_INVALID', key: row.name, problem });
  }
  return row.refers === 'store' ? parseStore(parsed, row.name, process.cwd()) : parsed;
}

/**
 * The settings of a command where a program gives them and not a user: what a program may give, and the command's defaults.
 * @param given by the names of the settings; undefined stands for the default
 * @throws ConfigError that names the option which is not known, or not accepted
 */
export function parseOptions<C extends Command, Given extends { readonly [Name in keyof Settings<C>]?: unknown }>(
  command: C,
  given: Given,
): Settings<C> & Given {
  const values = new Map<string, unknown>(Object.entries(given));
  const names = optionsOf(command).map(({ name }) => name);
  const unknown = [...values.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const ofCommand = settingsOf(command).some(({ name }) => name === unknown);
    const problem = ofCommand ? 'is of the command alone; leave it out' : `no such option${didYouMean(unknown, names)}`;
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: unknown, problem });
  }
  const parsed = settingsOf(command)
    .filter((row) => row.refers !== 'path')
    .map((row) => {
      const value = values.get(row.name) === undefined ? row.default : values.get(row.name);
      return [row.name, value === undefined ? undefined : parseOption(row, value)];
    });
  // The rows of the command are the properties of its settings, each parsed by its own type.
  return Object.fromEntries(parsed) as Settings<C> & Given;
}
