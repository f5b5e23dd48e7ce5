/** What can be wrong with a store. Messages say what to do. */

export type StoreErrorCode =
  /** Nothing is there. */
  | 'STORE_MISSING'
  /** What is there is no store of usage, or is damaged. */
  | 'STORE_CORRUPT'
  /** A newer version of the kit has written it. */
  | 'STORE_NEWER'
  /** Another process holds it. */
  | 'STORE_LOCKED'
  /** There is no room left. */
  | 'STORE_FULL'
  /** It cannot be written, read or reached. */
  | 'STORE_UNAVAILABLE'
  /** The thread that writes an embedded one does not start. */
  | 'STORE_THREAD'
  /** The address is that of no store. */
  | 'STORE_ADDRESS';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
