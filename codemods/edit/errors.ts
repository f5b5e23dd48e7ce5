export type ApplyErrorCode =
  /** Two edits want the same characters. */
  | 'EDITS_OVERLAP'
  /** An edit lies outside of the text. */
  | 'EDIT_OUT_OF_RANGE'
  /** Outside of the edits the text is not what it was. */
  | 'TEXT_CHANGED'
  /** The edited text does not parse. */
  | 'SYNTAX'
  /** The file cannot be read, or is not UTF-8. */
  | 'UNREADABLE'
  /** The file cannot be written. */
  | 'UNWRITABLE'
  /** The file is not what was analysed. */
  | 'CHANGED_MEANWHILE';

/** One file could not be changed; it is as it was. The message is one line: what is wrong; `remedy` says what to do. */
export class ApplyError extends Error {
  readonly code: ApplyErrorCode;
  readonly remedy: string;
  constructor(code: ApplyErrorCode, problem: string, remedy: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'ApplyError';
    this.code = code;
    this.remedy = remedy;
  }
}

/** What to tell the makers about what must not happen. */
export const reportIt = 'report it with this file, if you can share it';
