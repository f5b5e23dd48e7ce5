/** v1's documented rules that need no v2: checked here, so that no quota is spent on a call that must fail (api.md §§5, 7). */
import type { Assumptions } from '../src/contract/assumptions.ts';
import type { V1Endpoint } from '../src/contract/endpoints.ts';
import { type V1ErrorBody, type V1ErrorRowId, errorStatus, v1ErrorBody } from '../src/contract/errors.ts';
import type { Field } from '../src/contract/fields.ts';
import { type RequestHead, hasBody } from './head.ts';

export interface LocalAnswer {
  readonly status: number;
  readonly body: V1ErrorBody;
}

/** The rows that are answered here, for the start-up check of the contract. */
export const localRows: readonly V1ErrorRowId[] = [
  'missingKey',
  'invalidKey',
  'contentType',
  'invalidJson',
  'missingField',
  'invalidChannel',
  'notFound',
];

/** A local answer from one row of the errors. */
export function refuse(
  row: V1ErrorRowId,
  assumptions: Assumptions,
  options: { readonly error?: string; readonly field?: string } = {},
): LocalAnswer {
  return { status: errorStatus(row, assumptions), body: v1ErrorBody(row, assumptions, options) };
}

// A key goes upstream as a Bearer credential: visible ASCII without a comma, which is how servers join repeated fields.
const keyCharacters = /^[!-+\--~]+$/;

/**
 * The key of a request: exactly one, not empty.
 * @returns the key, or v1's 401
 */
export function presentedKey(head: RequestHead, assumptions: Assumptions): string | LocalAnswer {
  const [key, second] = head.keys;
  if (second !== undefined) return refuse('invalidKey', assumptions, { error: assumptions.repeatedKeyText });
  if (key === undefined && head.bearer !== undefined) return refuse('missingKey', assumptions, { error: assumptions.bearerOnV1Text });
  if (key === undefined || key === '') return refuse('missingKey', assumptions);
  return keyCharacters.test(key) ? key : refuse('invalidKey', assumptions);
}

/** v1's 400 where a JSON body comes without Content-Type: application/json; undefined where all is well. */
export function checkContentType(endpoint: V1Endpoint, head: RequestHead, assumptions: Assumptions): LocalAnswer | undefined {
  if (endpoint.body === 'none' || (endpoint.body === 'optional' && !hasBody(head))) return undefined;
  return /^application\/json\s*(?:;|$)/i.test(head.contentType ?? '') ? undefined : refuse('contentType', assumptions);
}

const hasByteOrderMark = (body: Buffer): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/**
 * v1's 400s on a body that lacks what it must have; undefined where v1 would accept it or where only v2 can tell.
 * @param required the endpoint's, all of them texts
 * @param body the bytes as sent
 */
export function checkRequired(
  required: readonly Field[],
  body: Buffer,
  head: RequestHead,
  assumptions: Assumptions,
): LocalAnswer | undefined {
  // Compressed, in another charset, or behind a byte order mark (which parsers may ignore, RFC 8259 §8.1): v2 can read it or not; we do not guess.
  if (hasByteOrderMark(body)) return undefined;
  if (head.contentEncoding !== undefined || /charset\s*=\s*"?(?!utf-?8\b)/i.test(head.contentType ?? '')) return undefined;
  const message = parseBody(body.toString());
  if (message === undefined) return refuse('invalidJson', assumptions);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return refuse('badRequest', assumptions);
  const given = (name: string): unknown => (Object.hasOwn(message, name) ? Reflect.get(message, name) : undefined);
  const isAbsent = (name: string): boolean => (given(name) ?? '') === '';
  // Absent or empty is what the reference calls missing; with a value of another type in play, v2 is to judge.
  if (required.some(({ name }) => !isAbsent(name) && typeof given(name) !== 'string')) return undefined;
  const missing = required.find(({ name }) => isAbsent(name));
  if (missing !== undefined) return refuse('missingField', assumptions, { field: missing.name });
  const isListed = ({ name, values: listed }: Field): boolean => listed === undefined || listed.some((value) => value === given(name));
  return required.every(isListed) ? undefined : refuse('invalidChannel', assumptions);
}

/** The JSON value of a body; undefined where it is not JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
