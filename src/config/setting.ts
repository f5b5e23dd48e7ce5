/** What a setting is, and how it is called where. */
import type { z } from 'zod';

/** The tables of the configuration file that are about one command. `migrate` is the default command: its name stands there alone. */
export const sections = ['proxy', 'sandbox', 'openapi', 'migrate', 'report', 'usage'] as const;
export type Section = (typeof sections)[number];

/** `rollout` has no section: the table of that name has the rules, which are the proxy's, and the command looks at them where they stand. */
export const commands = [...sections, 'rollout'] as const;
export type Command = (typeof commands)[number];

/** The section that a command reads. */
export const sectionOf = (command: Command): Section => (command === 'rollout' ? 'proxy' : command);

/** The extensions of the configuration file, in the order in which messages list them. */
export const configExtensions = ['json', 'yaml', 'yml', 'js', 'ts'] as const;
export const configFileName = `migrate-v2.config.{${configExtensions.join(',')}}`;

export interface Setting {
  /** The key in the configuration file; the flag is the same in kebab-case, the environment variable in capitals. */
  readonly name: string;
  readonly commands: readonly Command[];
  readonly type: z.ZodType;
  /** As a user would write it; absent where the setting has no value unless it is given. */
  readonly default?: unknown;
  /** What happens without a value, where that needs words. */
  readonly otherwise?: string;
  readonly description: string;
  /** Where the flag is called differently from the key in the file. */
  readonly flag?: string;
  /**
   * `file`: a table, which only a file or a program can hold; `flag`: needed before the file is read; `command`: no option of the library, as
   * it is about the command's own listeners and output.
   */
  readonly only?: 'file' | 'flag' | 'command';
  /** No option of the library's function for this command, as it would change nothing there. */
  readonly noOptionOf?: Command;
  /** May be given more than once on the command line. */
  readonly repeatable?: true;
  /** Values of several sources are joined, name by name. */
  readonly joined?: true;
  /** The words of the command line that belong to no flag. */
  readonly positional?: true;
  /** The one part of its command that has it: `erase` of `usage erase`. */
  readonly part?: string;
  /**
   * A text that stands for something else: a path (or a list of them), relative to where it was written; `env:NAME` / `file:PATH` for a
   * secret; or any of these for a store, whose address can be a URL with a password.
   */
  readonly refers?: 'path' | 'secret' | 'store';
}

/** The name of the flag, without the dashes. */
export const flagOf = ({ flag, name }: Setting): string => flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const environmentPrefix = 'MIGRATE_V2_';
/** A variable is there for every command: what means something to one part of a command alone stands on its command line. */
export const hasVariable = ({ only, part }: Setting): boolean => only !== 'file' && part === undefined;
export const environmentOf = (row: Setting): string => environmentPrefix + flagOf(row).replaceAll('-', '_').toUpperCase();

/** The setting as messages name it. */
export const displayOf = (row: Setting): string => (row.only === 'file' || row.positional ? row.name : `--${flagOf(row)}`);

/** The address of no store. */
export const noStore = 'none';
