/** From what is given for settings to what the code works with. */
import { ConfigError } from './errors.ts';
import type { Command, Setting } from './setting.ts';
import { type Settings, settingsOf } from './settings.ts';
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
 * The settings of a command where a program gives them and not a user: what the command accepts, and its defaults.
 * Paths are left out, as a program gives what is in the files.
 * @param given by the names of the settings; undefined stands for the default
 * @throws ConfigError that names the option which is not known, or not accepted
 */
export function parseOptions<C extends Command, Given extends { readonly [Name in keyof Settings<C>]?: unknown }>(
  command: C,
  given: Given,
): Settings<C> & Given {
  const values = new Map<string, unknown>(Object.entries(given));
  const names = settingsOf(command).map(({ name }) => name);
  const unknown = [...values.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: unknown, problem: `no such option${didYouMean(unknown, names)}` });
  }
  const parsed = settingsOf(command)
    .filter((row) => row.refers !== 'path')
    .map((row) => {
      const value = values.get(row.name);
      const isGiven = value !== undefined || (row.default === undefined && values.has(row.name));
      return [row.name, isGiven ? parseSetting(row, value, row.name) : defaultOf(row)];
    });
  // The rows of the command are the properties of its settings, each parsed by its own type.
  return Object.fromEntries(parsed) as Settings<C> & Given;
}
