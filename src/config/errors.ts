export type ConfigErrorCode =
  /** A flag, environment variable or key of the file that is no setting. */
  | 'CONFIG_UNKNOWN'
  /** A value that its setting does not accept. */
  | 'CONFIG_INVALID'
  /** A setting that must be given and is not. */
  | 'CONFIG_MISSING'
  /** Settings that exclude each other. */
  | 'CONFIG_CONFLICT'
  /** A file that cannot be read. */
  | 'CONFIG_UNREADABLE';

export interface ConfigProblem {
  readonly code: ConfigErrorCode;
  /** The setting as the user writes it: `--listen`, `mappings.getMessage`, `MIGRATE_V2_LISTEN`. */
  readonly key: string;
  /** What is wrong and what to do; it never holds a secret. */
  readonly problem: string;
  /** Where the setting comes from: a file, an environment variable, the command line. */
  readonly source?: string | undefined;
  readonly cause?: unknown;
}

/** Something is wrong with what the user configured. The message is one line: where, what, and what to do. */
export class ConfigError extends Error {
  readonly code: ConfigErrorCode;
  readonly key: string;
  readonly source: string | undefined;
  constructor({ code, key, problem, source, cause }: ConfigProblem) {
    super(`${key}: ${problem}${source === undefined ? '' : ` (from ${source})`}`, cause === undefined ? {} : { cause });
    this.name = 'ConfigError';
    this.code = code;
    this.key = key;
    this.source = source;
  }
}

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error);

/** The first line of what an error says: parsers add excerpts below it, and our messages have one line. */
export function firstLine(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n');
  return line.replace(/:$/, '');
}
