/** One command of the command line: flags from the table of settings, values from src/config. */
import type { CommandModule, Options } from 'yargs';
import { ConfigError } from '../config/errors.ts';
import { loadSettings } from '../config/load.ts';
import { type Command, configFileName, environmentPrefix, flagOf, type Setting } from '../config/setting.ts';
import { type Settings, settingsOf } from '../config/settings.ts';
import { defaultText } from '../config/table.ts';
import { boolean } from '../config/types.ts';

export interface CommandDefinition<C extends Command> {
  readonly name: C;
  /** How it is called, where that is not its name: `$0 [paths..]` is the default command. */
  readonly usage?: string;
  /** Whether it is a part of the command that gives it its settings: `usage erase`. */
  readonly isPart?: true;
  readonly describe: string;
  /** Command lines and what they do. */
  readonly examples: readonly [string, string][];
  readonly run: (settings: Settings<C>) => Promise<void>;
}

/** For `--help`. */
export const sourcesText = [
  'Every flag can also come from the environment or a file; flag > environment > file > default:',
  `  --key-map FILE   ${environmentPrefix}KEY_MAP=FILE   keyMap in ${configFileName}`,
].join('\n');

/** Every value stays text here: src/config parses flags as it parses environment and file. */
const optionOf = (row: Setting): [string, Options] => [
  flagOf(row),
  { type: row.type === boolean ? 'boolean' : 'string', describe: row.description, defaultDescription: defaultText(row) },
];

/** What begins the name of the command that needs none. */
const nameless = '$0';

/** Makes the yargs command. Its handler rejects with a ConfigError for anything the user got wrong. */
export function commandModule<C extends Command>({
  name,
  usage = name,
  isPart,
  describe,
  examples,
  run,
}: CommandDefinition<C>): CommandModule {
  const rows = settingsOf(name).filter((row) => row.only !== 'file');
  const words = usage.includes('..') ? rows.find((row) => row.positional) : undefined;
  const isDefault = usage.startsWith(nameless);
  return {
    command: usage,
    describe,
    builder: (yargs) => {
      if (words !== undefined) yargs.positional(flagOf(words), { type: 'string', array: true, describe: words.description });
      const described = yargs.options(Object.fromEntries(rows.filter((row) => !row.positional).map(optionOf))).example([...examples]);
      // The help of the default command is that of the program, which ends by itself.
      return isDefault ? described : described.epilogue(sourcesText);
    },
    handler: async ({ _: bare, $0: _program, ...flags }) => {
      const called = isPart ? 2 : isDefault ? 0 : 1;
      const rest = bare.slice(called);
      await run(await loadSettings(name, { flags: withWords(name, words, flags, rest), env: process.env, cwd: process.cwd() }));
    },
  };
}

/**
 * The flags, with the words of the command line that belong to none.
 * @param rest words behind `--`, or that the command does not know of
 */
function withWords(
  name: Command,
  words: Setting | undefined,
  flags: Readonly<Record<string, unknown>>,
  rest: readonly (string | number)[],
): Readonly<Record<string, unknown>> {
  const [first] = rest;
  if (words === undefined) {
    if (first === undefined) return flags;
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: String(first), problem: `${name} takes no arguments, only flags` });
  }
  const given = [flags[flagOf(words)] ?? [], rest.map(String)].flat(2);
  return { ...flags, [flagOf(words)]: given.length === 0 ? undefined : given };
}
