/** One command of the command line: flags from the table of settings, values from src/config. */
import type { CommandModule, Options } from 'yargs';
import { ConfigError } from '../config/errors.ts';
import { loadSettings } from '../config/load.ts';
import { type Command, configFileName, environmentPrefix, flagOf, type Setting, type Settings, settingsOf } from '../config/settings.ts';
import { defaultText } from '../config/table.ts';
import { boolean } from '../config/types.ts';

export interface CommandDefinition<C extends Command> {
  readonly name: C;
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

/** Makes the yargs command. Its handler rejects with a ConfigError for anything the user got wrong. */
export function commandModule<C extends Command>({ name, describe, examples, run }: CommandDefinition<C>): CommandModule {
  const rows = settingsOf(name).filter((row) => row.only !== 'file');
  return {
    command: name,
    describe,
    builder: (yargs) =>
      yargs
        .options(Object.fromEntries(rows.map(optionOf)))
        .example([...examples])
        .epilogue(sourcesText),
    handler: async ({ _: [, unexpected], $0: _program, ...flags }) => {
      if (unexpected !== undefined) {
        throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: String(unexpected), problem: `${name} takes no arguments, only flags` });
      }
      await run(await loadSettings(name, { flags, env: process.env, cwd: process.cwd() }));
    },
  };
}
