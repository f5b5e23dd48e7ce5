/** Rows of a test's table: what one of them gives the program counts for all. */
import type { Node } from '../../../syntax/tree.ts';
import { type HttpValue, optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import { type About, isAddress, versioned } from './expected-request.ts';

/** Whether they are addresses that have their version in a text of their own each: one that several share is of all their services. */
export function areRows(value: Value): boolean {
  const places = versionsIn(value);
  return isAddress(value) && new Set(places).size === places.length;
}

/** What is expected of each row, with how many rows stand in each list or object: what holds a single one is of that row. */
export function byRow(about: About, expected: Value): About[] {
  const rows = new Map<Node, number>();
  for (const node of versionsIn(expected)) for (const each of around(node)) rows.set(each, (rows.get(each) ?? 0) + 1);
  return optionsOf(expected).map((row) => ({ ...about, expected: [row], rows }));
}

/**
 * What an expected address repeats of the program, without what only another row gives it; where its own row gives it, that alone.
 * `it.each([[{}, 'https://…/v1/contacts'], [{ version: 'v1' }, 'https://…/v1/messages']])('…', (options, url) => expect(urlOf(options)).toBe(url))`
 */
export function withoutOtherRows({ rows }: About, echoes: HttpValue[]): HttpValue[] {
  if (rows === undefined) return echoes;
  const said = echoes.map((echo) => ({ echo, by: sayerOf(echo, rows) }));
  const own = said.filter(({ by }) => by === 'row');
  return (own.length > 0 ? own : said.filter(({ by }) => by === 'program')).map(({ echo }) => echo);
}

function sayerOf({ url, mock }: HttpValue, rows: ReadonlyMap<Node, number>): 'program' | 'row' | 'other row' {
  const [expected, repeated] = [url, mock?.echoes].map((value) => around(versionsIn(value)[0]));
  const row = repeated?.find((each) => rows.has(each));
  if (row === undefined) return 'program';
  if (expected?.includes(row) !== true) return 'other row';
  return rows.get(row) === 1 ? 'row' : 'program';
}

/** The texts in which a version stands. */
const versionsIn = (value: Value | undefined): Node[] =>
  (value === undefined ? [] : optionsOf(value).flatMap(partsOf)).flatMap((part) =>
    'text' in part && versioned.test(part.text) ? (part.source?.node ?? []) : [],
  );

/** The lists and objects that a text stands in, the innermost first. */
function around(node: Node | undefined): Node[] {
  const found: Node[] = [];
  for (let at = node?.parent; at !== undefined && within.has(at.kind); at = at.parent) found.push(at);
  return found;
}

const within = new Set<Node['kind']>(['property', 'object', 'array']);
