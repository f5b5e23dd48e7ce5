/**
 * What can be read from the body of a v2 error. Its shape is not shown, so the usual ones are all understood:
 * flat, nested under `error`, lists under `errors`, problem+json (RFC 9457), plain text; anything else says nothing.
 */
import { parse } from 'lossless-json';

export interface V2Error {
  /** The message for people, one line of bounded length. */
  readonly message?: string;
  /** A code in capitals, as the API writes them. */
  readonly code?: string;
  /** The parsed JSON body, numbers kept as lossless numbers. */
  readonly json?: unknown;
}

const maxMessage = 300;
// `error` comes after `message` and `detail`: where both are there, it is a status text or a code.
const messagePlaces = [
  'error.message',
  'error.detail',
  'error.description',
  'message',
  'detail',
  'error_description',
  'error',
  'errors.0.message',
  'errors.0.detail',
  'errors.0',
  'title',
  'error.title',
  'reason',
];
const codePlaces = ['code', 'error.code', 'errors.0.code', 'error.type', 'error', 'type'];

/**
 * Reads an error body.
 * @param text the decoded body, or undefined where it could not be read
 * @param contentType v2's Content-Type
 */
export function readV2Error(text: string | undefined, contentType: string | undefined): V2Error {
  if (text === undefined || text.trim() === '') return {};
  const json = parseJson(text);
  if (json === undefined) return plainText(text, contentType);
  return { json, ...first('message', messagePlaces, json, cleanMessage), ...first('code', codePlaces, json, codeOf) };
}

/** The JSON value of a text, with numbers as lossless numbers; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    // A syntax error, or nesting too deep for the parser: either way the body says nothing we could use.
    return undefined;
  }
}

/** The value at a dotted place, through own properties only. */
export function valueAt(json: unknown, place: string): unknown {
  return place.split('.').reduce<unknown>((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), json);
}

/** Whether a value is an object or an array, so that its properties can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function plainText(text: string, contentType: string | undefined): V2Error {
  // HTML is an error page of something in between, not a message of the API.
  if (contentType !== undefined && !/^text\/plain\b/i.test(contentType)) return {};
  const message = cleanMessage(text);
  return message === undefined || message.startsWith('<') ? {} : { message };
}

function first<Name extends 'message' | 'code'>(
  name: Name,
  places: readonly string[],
  json: unknown,
  clean: (value: unknown) => string | undefined,
): { [Key in Name]?: string } {
  for (const place of places) {
    const value = clean(valueAt(json, place));
    if (value !== undefined) return { [name]: value } as { [Key in Name]?: string };
  }
  return {};
}

function cleanMessage(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  const line = value.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return line === '' || line.length > maxMessage ? undefined : line;
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(value) ? value : undefined;
}
