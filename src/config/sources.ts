/** Where settings come from. Each source gives a layer: what it says about the rows of one command, and nothing it should not say. */
import { ConfigError } from './errors.ts';
import { type ConfigFile, isTable } from './file.ts';
import {
  type Command,
  displayOf,
  environmentOf,
  hasVariable,
  environmentPrefix,
  flagOf,
  type Section,
  sectionOf,
  sections as sectionNames,
  type Setting,
} from './setting.ts';
import { settings, settingsOf } from './settings.ts';
import { didYouMean } from './suggest.ts';

/** The source of what flags say, as messages name it. */
export const commandLine = 'the command line';

export interface Given {
  readonly value: unknown;
  /** As messages name it. */
  readonly source: string;
  /** Paths are relative to this folder. */
  readonly folder: string;
}

/** What one source says, by the name of the setting. */
export type Layer = ReadonlyMap<string, Given>;

/**
 * @param flags by their names in kebab-case; undefined values are those not given
 * @throws ConfigError for a flag that the command does not have
 */
export function flagLayer(command: Command, flags: Readonly<Record<string, unknown>>, cwd: string): Layer {
  const rows = new Map(settingsOf(command).flatMap((row) => (row.only === 'file' ? [] : [[flagOf(row), row]])));
  const layer = new Map<string, Given>();
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    const row = rows.get(flag);
    if (row === undefined) throw unknownFlag(command, flag, [...rows.keys()]);
    layer.set(row.name, { value: flagValue(row, value), source: commandLine, folder: cwd });
  }
  return layer;
}

function unknownFlag(command: Command, flag: string, known: readonly string[]): ConfigError {
  const key = flag.length === 1 ? `-${flag}` : `--${flag}`;
  const dashed = [...known, 'help', 'version'].map((name) => `--${name}`);
  // The default command is not called by its name.
  const [owner, line] = command === 'migrate' ? ['', 'migrate-v2'] : [`${command} has `, `migrate-v2 ${command}`];
  const problem = `${owner}no such flag${didYouMean(key, dashed) || `; ${line} --help lists them`}`;
  return new ConfigError({ code: 'CONFIG_UNKNOWN', key, problem });
}

function flagValue(row: Setting, value: unknown): unknown {
  const fail = (problem: string) => new ConfigError({ code: 'CONFIG_INVALID', key: displayOf(row), problem, source: commandLine });
  const values = [value].flat();
  if (values.includes('')) throw fail('needs a value');
  if (row.repeatable) return values;
  if (values.length > 1) throw fail('is given more than once; keep one');
  return value;
}

/**
 * @param env environment variables; an empty one counts as not set, as in `NAME=${OTHER:-}`
 * @throws ConfigError for a variable with our prefix that is no setting of any command
 */
export function environmentLayer(command: Command, env: Readonly<Record<string, string | undefined>>, cwd: string): Layer {
  const known = settings.filter((row: Setting) => hasVariable(row)).map(environmentOf);
  const unknown = Object.keys(env).find((name) => name.startsWith(environmentPrefix) && !known.includes(name));
  if (unknown !== undefined) {
    const problem = `no setting has this environment variable${didYouMean(unknown, known) || `; names that begin with ${environmentPrefix} are settings`}`;
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: unknown, problem, source: 'the environment' });
  }
  const rows = settingsOf(command).filter(hasVariable);
  return new Map(
    rows.flatMap((row): [string, Given][] => {
      const source = environmentOf(row);
      const value = env[source];
      return value ? [[row.name, { value, source, folder: cwd }]] : [];
    }),
  );
}

const inFile = (rows: readonly Setting[]): string[] => rows.filter((row) => row.only !== 'flag').map((row) => row.name);

/**
 * The two layers of a file: its top level, which speaks to every command, and the section of this command.
 * @throws ConfigError for a key that no command, or not the command of the section, has
 */
export function fileLayers(command: Command, { content, name, folder }: ConfigFile): readonly Layer[] {
  const sections = Object.entries(content).filter(isSection);
  const shared = Object.fromEntries(Object.entries(content).filter((entry) => !isSection(entry)));

  checkKeys(shared, inFile(settings), `neither a setting nor the section of a command (${sectionNames.join(', ')})`, name);
  for (const [section, keys] of sections) {
    checkKeys(keys ?? {}, inFile(settingsOf(section)), `no setting of ${section}`, `${name}, section ${section}`);
  }
  const own = sections.find(([section]) => section === sectionOf(command))?.[1] ?? {};
  const mine = inFile(settingsOf(command));
  return [shared, own].map(
    (keys) =>
      new Map(
        Object.entries(keys).flatMap(([key, value]): [string, Given][] =>
          mine.includes(key) ? [[key, { value, source: name, folder }]] : [],
        ),
      ),
  );
}

/** A table under the name of a command, or null, as YAML reads an empty section; `sandbox: true` is the setting of the proxy instead. */
const isSection = (entry: [string, unknown]): entry is [Section, Readonly<Record<string, unknown>> | null] =>
  sectionNames.some((section) => section === entry[0]) && (entry[1] === null || isTable(entry[1]));

function checkKeys(given: object, known: readonly string[], problem: string, source: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: unknown, problem: problem + didYouMean(unknown, known), source });
}
