/** Rows of a test's table: what one of them gives the program counts for all. */
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { type HttpValue, optionsOf, partsOf, type Value } from '../evaluate/values.ts';
import { versioned } from './expected-request.ts';

/**
 * What expectations repeat of the program, without what only another row of their table says; undefined where their own row says the version.
 * `it.each([[{}, 'https://…/v1/contacts'], [{ version: 'v1' }, 'https://…/v1/messages']])('…', (options, url) => expect(urlOf(options)).toBe(url))`
 */
export function saidByProgram(echoes: readonly HttpValue[]): HttpValue[] | undefined {
  const said = echoes.map((echo) => ({ echo, by: sayerOf(echo) }));
  return said.some(({ by }) => by === 'row') ? undefined : said.flatMap(({ echo, by }) => (by === 'program' ? echo : []));
}

function sayerOf({ url, mock }: HttpValue): 'program' | 'row' | 'other row' {
  const [expected, repeated] = [versionIn(url), versionIn(mock?.echoes)];
  if (expected === undefined || repeated === undefined) return 'program';
  const [own, other] = [around(expected), around(repeated)];
  if (own.row === other.row || own.row === own.table) return 'program';
  if (names(own.row, repeated, expected)) return 'row';
  return own.table === other.table ? 'other row' : 'program';
}

interface Said {
  readonly node: Node;
  readonly text: string;
}

const versionIn = (value: Value | undefined): Said | undefined =>
  (value === undefined ? [] : optionsOf(value).flatMap(partsOf)).flatMap((part) =>
    'text' in part && part.source !== undefined && versioned.test(part.text) ? { node: part.source.node, text: part.text } : [],
  )[0];

/** The outermost list that a text stands in, and the part of it that it stands in. */
function around({ node }: Said): { readonly table: Node; readonly row: Node } {
  let [row, table] = [node, node];
  for (let at = node; at.parent !== undefined && within.has(at.parent.kind); at = at.parent) [row, table] = [at, at.parent];
  return { table, row };
}

const within = new Set<Node['kind']>(['property', 'object', 'array']);

/** Whether a row has the same text beside what it expects. */
function names(row: Node, { text }: Said, expected: Said): boolean {
  let found = false;
  walk(row, (each) => {
    found ||= each.kind === 'string' && each !== expected.node && each.value === text;
    return !found;
  });
  return found;
}
