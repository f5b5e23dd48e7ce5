/** Query strings for expressions: an object of names, each with a string or, where the name is repeated, a list of strings. */
import { isUtf8 } from 'node:buffer';
import { refuseReserved } from './json.ts';

/**
 * Reads a query string (without its `?`), a byte a character. Names are in the order of their first appearance, but those that are whole numbers
 * come first, as in every JS object. `+` and percent-encoding are decoded; what is no UTF-8 comes out of formatQuery with the bytes it had.
 * @throws on a reserved name
 */
export function parseQuery(raw: string): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const [encoded = ''] = pair.split('=', 1);
    const [name, value] = [decode(encoded), decode(pair.slice(encoded.length + 1))];
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  // fromEntries defines own properties, whatever their names.
  const query = Object.fromEntries([...lists].map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]));
  refuseReserved(query);
  return query;
}

/** Percent-encoding is of bytes (RFC 3986 §2.1), and nothing says of which charset. */
function decode(encoded: string): string {
  const text = encoded
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text.replaceAll(/[\u0080-\u00ff]/g, (byte) => String.fromCharCode(noUtf8 + byte.charCodeAt(0)));
}

/** Where bytes that are no UTF-8 stand in a string: as halves of surrogate pairs without the other half, which no UTF-8 gives. */
const noUtf8 = 0xdc00;

function encode(text: string): string {
  return text.replaceAll(/[\udc80-\udcff]|[^\udc80-\udcff]+/gu, (part) => {
    const byte = part.charCodeAt(0) - noUtf8;
    return byte >= 0x80 && byte <= 0xff ? `%${byte.toString(16).toUpperCase()}` : encodeURIComponent(part);
  });
}

/**
 * Writes an object of the same form as a query string, in the object's order; numbers and booleans count as their text.
 * Spaces become %20, which servers decode that know nothing of `+`.
 * @throws when it is of another form
 */
export function formatQuery(query: unknown): string {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) throw new TypeError('Not an object of query parameters');
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((item) => `${encode(name)}=${encode(textOf(item))}`),
  );
  return pairs.join('&');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  throw new TypeError('Not a query parameter');
}
