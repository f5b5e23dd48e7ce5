/** One command of the command line: flags from the table of settings, values from src/config. */
import { ConfigError } from '../config/errors.ts';
import { loadSettings } from '../config/load.ts';
import { type Command as CommandName, flagOf, type Setting } from '../config/setting.ts';
import { type Settings, settingsOf } from '../config/settings.ts';
import type { Arguments } from './arguments.ts';

export interface CommandDefinition<C extends CommandName> {
  readonly name: C;
  /** The words that call it, where they are not its name: none for the default command, and two for a part of another. */
  readonly words?: readonly string[];
  /** Whether words follow that belong to no flag: `[paths..]`. */
  readonly takesWords?: true;
  readonly describe: string;
  /** Command lines and what they do. */
  readonly examples: readonly [string, string][];
  readonly run: (settings: Settings<C>) => Promise<void>;
}

export interface Command {
  readonly words: readonly string[];
  /** What is written behind the name of the program. */
  readonly usage: string;
  readonly describe: string;
  readonly examples: readonly (readonly [string, string])[];
  /** Its flags. */
  readonly rows: readonly Setting[];
  /** What its words are that belong to no flag. */
  readonly positional?: Setting | undefined;
  /** Commands that begin with its words. */
  readonly parts: readonly Command[];
  /** @throws ConfigError for anything the user got wrong */
  run(given: Arguments): Promise<void>;
}

/** Makes a command of its definition. */
export function commandOf<C extends CommandName>(definition: CommandDefinition<C>): Command {
  const { name, words = [name], takesWords, describe, examples, run } = definition;
  const all = settingsOf(name).filter((row) => row.only !== 'file');
  const rows = all.filter(({ part }) => part === undefined || words.includes(part));
  const positional = takesWords && rows.find((row) => row.positional);
  return {
    words,
    usage: [...words, ...(positional === undefined ? [] : [`[${flagOf(positional)}..]`])].join(' '),
    describe,
    examples,
    rows: rows.filter((row) => !row.positional),
    positional,
    parts: [],
    async run({ words: bare, behind, flags }) {
      const rest = [...bare.slice(words.length), ...behind];
      const strange = all.find((row) => !rows.includes(row) && flags[flagOf(row)] !== undefined);
      if (strange !== undefined) throw notOfPart(strange, [name, strange.part].join(' '), words.join(' '));
      await run(await loadSettings(name, { flags: withWords(name, positional, flags, rest), env: process.env, cwd: process.cwd() }));
    },
  };
}

function notOfPart(row: Setting, owner: string, given: string): ConfigError {
  return new ConfigError({ code: 'CONFIG_UNKNOWN', key: `--${flagOf(row)}`, problem: `is a flag of ${owner}, and none of ${given}` });
}

/**
 * The flags, with the words of the command line that belong to none.
 * @param rest words behind `--`, or that the command does not know of
 */
function withWords(
  name: CommandName,
  words: Setting | undefined,
  flags: Readonly<Record<string, unknown>>,
  rest: readonly string[],
): Readonly<Record<string, unknown>> {
  const [first] = rest;
  if (words === undefined) {
    if (first === undefined) return flags;
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: first, problem: `${name} takes no arguments, only flags` });
  }
  const given = [flags[flagOf(words)] ?? [], rest].flat(2);
  return { ...flags, [flagOf(words)]: given.length === 0 ? undefined : given };
}
