/** What the answer to an open question can be: a value outside of it is no answer, and whoever assumes it is told so. */

export type Domain =
  /** Anything that says something. */
  | 'text'
  /** ISO 8601 with a zone. */
  | 'instant'
  /** An absolute http(s) address, or an empty text. */
  | 'urlOrNone'
  /** A path on the service's own host. */
  | 'path'
  | 'switch'
  | WholeNumbers
  | { readonly oneOf: readonly string[] }
  /** Any other name. */
  | { readonly noneOf: readonly string[] }
  /** Each at most once. */
  | { readonly listOf: 'text' | { readonly oneOf: readonly string[] } | { readonly noneOf: readonly string[] }; readonly least: 0 | 1 };

export interface WholeNumbers {
  readonly from: number;
  readonly to: number;
  readonly except?: readonly number[];
  /** What they are; whole numbers where absent. */
  readonly what?: 'status code';
}

/** @param to as much as anybody could mean */
export const whole = (from: number, to = 1_000_000_000): WholeNumbers => ({ from, to });

/** RFC 9110 §15.3. */
export const success: WholeNumbers = { what: 'status code', from: 200, to: 299 };
/** Of answers that have content (RFC 9110 §§15.3.5, 15.3.6). */
export const successWithContent: WholeNumbers = { ...success, except: [204, 205] };
/** RFC 9110 §§15.5 and 15.6. */
export const failure: WholeNumbers = { what: 'status code', from: 400, to: 599 };
