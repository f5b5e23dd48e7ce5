export type MigrateErrorCode =
  /** Git knows of changes within the given paths that are not committed. */
  | 'UNCOMMITTED'
  /** Git could not give back what would be changed. */
  | 'UNVERSIONED'
  /** Another run is writing there. */
  | 'BUSY'
  /** A base address is no URL and names no environment variable. */
  | 'BASE_INVALID'
  /** The library was given an option that there is not. */
  | 'OPTION_UNKNOWN'
  /** The library was given a value that an option does not accept, or not what it needs. */
  | 'OPTION_INVALID';

/** The run did not begin; nothing was changed. The message is one line: what is wrong, and what to do. */
export class MigrateError extends Error {
  readonly code: MigrateErrorCode;
  constructor(code: MigrateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrateError';
    this.code = code;
  }
}
