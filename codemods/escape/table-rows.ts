/** Rows of tables in documents that say what a variable is set to, or what asks for an endpoint: data, which says the same whatever the words around it are. */
import { v2Auth } from '../../src/contract/auth.ts';
import type { TextRange } from '../formats/text.ts';

/** That compares versions, tells of what was or will be, forbids, says what else v1 has, or speaks of another server. */
const doubtful = new RegExp(
  [
    String.raw`(?<![\w./@:-])v1(?![\w/-]|\.\w)|(?<![\w@-])v[02]\b|\b${v2Auth.field}\b|\b${v2Auth.scheme}\b`,
    String.raw`\b(?:deprecat|migrat|upgrad|sunset|retir|replac|renam|switch)\w*|\b(?:until|legacy|old|former(?:ly)?|previous(?:ly)?|still|yet|for now|currently|today|instead|used to|moved|histor\w+|todo)\b`,
    String.raw`\b(?:was|were|had|not|never|avoid|cannot|no longer)\b|n['’]t\b|\b(?:19|20)\d\d\b|\d\.\d+\.\d`,
    String.raw`\b(?:rate|limit(?:s|ed)?|per (?:second|minute|hour|day|key))\b`,
    String.raw`\b(?:own|ours|internal(?:ly)?|gateway|proxy|proxies|prox(?:y|i)ed|mock\w*|stub\w*|fakes?|stand-?ins?|sandbox|localhost|callers?|partners?|consumers?|inbound|incoming|exposes?|serves?)\b|127\.0\.0\.1`,
    // What is written in another language is not read.
    String.raw`[^\x00-\x7F–—…’“”→✓✅❌]`,
  ].join('|'),
  'i',
);
export const isDoubtful = (said: string): boolean => doubtful.test(said);

/** An address or a version that is none of ours; beside a route any host. */
const ofOthers = /https?:|\/v\d/i;
const host = /\w\.[a-z]{2}/i;

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

interface Cell extends TextRange {
  readonly column: number;
}

/**
 * @param said a whole table
 * @param mentionsIn what is said of the service within a text, by places in it
 * @returns the rows that hold addresses or routes of the service in cells of their own, by places in the table
 */
export function rowsOf(said: string, mentionsIn: (text: string) => readonly Mention[]): TextRange[] {
  const lines = Array.from(said.matchAll(/[^\n]+\n?/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  const [head, , ...body] = lines;
  if (head === undefined || isDoubtful(head.line)) return [];
  const rows = body.map(({ start, end, line }) => ({ start, end, line, mentions: mentionsIn(line), cells: cellsOf(line) }));
  // Where a column has the routes of somebody else, too, whose each of them is depends on the words beside it.
  const mixed = new Set(
    rows.flatMap(({ line, mentions, cells }) =>
      cells.flatMap((cell) => (/\/v\d/.test(restOf(line, cell, inside(mentions, cell))) ? cell.column : [])),
    ),
  );
  const isOurs = ({ kind }: Mention, { column }: Cell): boolean => kind === 'address' || (kind === 'route' && !mixed.has(column));
  return rows.filter(({ line, mentions, cells }) => {
    const isPlain = (cell: Cell): boolean => {
      const own = inside(mentions, cell);
      const rest = restOf(line, cell, own);
      return !ofOthers.test(rest) && !isDoubtful(rest) && !(own.length > 0 && host.test(rest)) && own.every((each) => isOurs(each, cell));
    };
    return mentions.length > 0 && cells.every(isPlain) && cells.flatMap((cell) => inside(mentions, cell)).length === mentions.length;
  });
}

const inside = (mentions: readonly Mention[], { start, end }: Cell): Mention[] =>
  mentions.filter((each) => start <= each.start && each.end <= end);

/** What a cell says beside. */
function restOf(line: string, { start, end }: Cell, mentions: readonly Mention[]): string {
  const ends = [start, ...mentions.map((each) => each.end)];
  return ends.map((from, i) => line.slice(from, mentions[i]?.start ?? end)).join(' ');
}

/** What stands between bars; one that is escaped or in a piece of code is none, which no table of routes has. */
const cellsOf = (line: string): Cell[] =>
  Array.from(line.trimEnd().matchAll(/(?<=\|)[^|\n]*(?=\|)/g), ({ index: start, 0: cell }, column) => ({
    column,
    start,
    end: start + cell.length,
  }));
