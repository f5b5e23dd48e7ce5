/** Query strings for expressions: an object of names, each with a string or, where the name is repeated, a list of strings. */
import { refuseReserved } from './json.ts';

/**
 * Reads a query string (without its `?`). Names are in the order of their first appearance, but those that are whole numbers come first,
 * as in every JS object. `+` and percent-encoding are decoded.
 * @throws on a reserved name
 */
export function parseQuery(raw: string): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(raw)) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  // fromEntries defines own properties, whatever their names.
  const query = Object.fromEntries([...lists].map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]));
  refuseReserved(query);
  return query;
}

/**
 * Writes an object of the same form as a query string, in the object's order; numbers and booleans count as their text.
 * Spaces become %20, which servers decode that know nothing of `+`.
 * @throws when it is of another form
 */
export function formatQuery(query: unknown): string {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) throw new TypeError('Not an object of query parameters');
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(item))}`),
  );
  return pairs.join('&');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  throw new TypeError('Not a query parameter');
}
