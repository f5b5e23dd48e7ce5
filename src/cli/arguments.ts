/** The arguments of the command line: which words and flags stand there. What the flags may be, src/config knows. */
import parser from 'yargs-parser';
import { flagOf, type Setting } from '../config/setting.ts';
import { boolean } from '../config/types.ts';

export interface Arguments {
  /** Those that belong to no flag, before `--`. */
  readonly words: readonly string[];
  /** Those behind `--`. */
  readonly behind: readonly string[];
  /** By their names, as they were written. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly isHelp: boolean;
  readonly isVersion: boolean;
}

/** Flags of every command. */
const everywhere = { boolean: ['help', 'version'], alias: { help: ['h'] } };
/** Flags reach src/config as they were written, which checks them and suggests. */
const configuration = {
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'populate--': true,
};

/**
 * Reads arguments.
 * @param rows the settings whose flags they may hold: a flag that is none of them takes what follows it for its value
 */
export function readArguments(args: readonly string[], rows: readonly Setting[]): Arguments {
  const namesOf = (belongs: (row: Setting) => boolean): string[] => rows.filter(belongs).map(flagOf);
  const { argv, error } = parser.detailed([...args], {
    ...everywhere,
    boolean: [...everywhere.boolean, ...namesOf((row) => row.type === boolean)],
    string: namesOf((row) => row.type !== boolean),
    // A shell makes several words of `--code findings/*.json`.
    array: namesOf((row) => row.positional === true || (row.repeatable === true && row.refers === 'path')),
    configuration,
  });
  if (error !== null) throw error;
  const { _: words, '--': behind = [], help, h: _sameHelp, version, ...flags } = argv as Readonly<Record<string, unknown>> & Bare;
  return {
    words: words.map(String),
    behind: behind.map(String),
    flags,
    isHelp: help === true || words.at(-1) === 'help',
    isVersion: version === true,
  };
}

interface Bare {
  readonly _: readonly (string | number)[];
  readonly '--'?: readonly (string | number)[];
}
