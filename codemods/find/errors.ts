export type FindErrorCode =
  /** A path that the user gave is not there. */
  | 'PATH_MISSING'
  /** A path that the user gave is there, but cannot be looked at. */
  | 'PATH_UNREADABLE';

/** The user named something that cannot be searched. The message is one line: what, and why. */
export class FindError extends Error {
  readonly code: FindErrorCode;
  /** As the user gave it. */
  readonly path: string;
  constructor(code: FindErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.name = 'FindError';
    this.code = code;
    this.path = path;
  }
}

/** The code of a system error, such as `EACCES`. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
