import type { ErrorRowId } from '../../contract/errors.ts';
import type { JsonObject } from '../values/json.ts';

/** A success, before it is written. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/**
 * Why a call is refused: a row of the error table, or one of the two reasons for which the versions have no row of their own.
 * Each version writes it in its own shape.
 */
export interface Refusal {
  readonly refused: ErrorRowId | 'unacceptedField' | 'bodyTooLarge';
  /** In place of the row's status. */
  readonly status?: number;
  /** In place of the row's text. */
  readonly error?: string;
  /** What is wrong, in words that the API does not say and the dashboard shows. */
  readonly detail?: string;
  /** The name that the row's text speaks of. */
  readonly field?: string;
  /** The contact that is already there, as the API shows it. */
  readonly existing?: JsonObject;
  /** Further fields of the body. */
  readonly details?: JsonObject;
  /** Seconds, for Retry-After. */
  readonly retryAfter?: number;
}

export type Outcome = Answer | Refusal;

/** Answers with what an operation gave, or hands its refusal on. */
export function answer<Result extends object>(result: Result | Refusal, status: number, body: (result: Result) => JsonObject): Outcome {
  return isRefusal(result) ? result : { status, body: body(result) };
}

function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}

export const notFound: Refusal = { refused: 'notFound' };
export const badRequest: Refusal = { refused: 'badRequest' };

/** What both versions say to a body past `maxBody`; api.md sets no bound, the sandbox protects itself. */
export const bodyTooLarge = { status: 413, text: 'The request body is larger than the sandbox accepts' } as const;
