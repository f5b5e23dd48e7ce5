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
    String.raw`\b(?:own|ours?|internal(?:ly)?|gateway|proxy|proxies|prox(?:y|i)ed|mock\w*|stub\w*|fakes?|stand-?ins?|sandbox|localhost|callers?|customers?|partners?|consumers?|inbound|incoming|exposes?|serves?)\b|127\.0\.0\.1`,
    // What is written in another language is not read.
    String.raw`[^\x00-\x7F–—…’“”→✓✅❌]`,
  ].join('|'),
  'i',
);
export const isDoubtful = (said: string): boolean => doubtful.test(said);

/** What may stand between what is said in one cell. */
const separators = /^(?:[\s,;/`*]|<br\s*\/?>|\band\b)*$/i;

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
      cells.flatMap((cell) =>
        /\/v\d/.test(line.slice(cell.start, cell.end)) && !isAll(line, cell, inside(mentions, cell)) ? cell.column : [],
      ),
    ),
  );
  return rows.filter(({ line, mentions, cells }) => {
    const said = cells.map((cell) => ({ cell, own: inside(mentions, cell) }));
    const isPlain = said.every(({ cell, own }) =>
      own.length === 0
        ? !/https?:|\/v\d/.test(line.slice(cell.start, cell.end)) && !isDoubtful(line.slice(cell.start, cell.end))
        : isAll(line, cell, own) && own.every(({ kind }) => kind === 'address' || (kind === 'route' && !mixed.has(cell.column))),
    );
    return isPlain && said.some(({ own }) => own.length > 0) && said.flatMap(({ own }) => own).length === mentions.length;
  });
}

const inside = (mentions: readonly Mention[], { start, end }: Cell): Mention[] =>
  mentions.filter((each) => start <= each.start && each.end <= end);

/** Whether a cell has nothing else. */
function isAll(line: string, { start, end }: Cell, mentions: readonly Mention[]): boolean {
  let at = start;
  for (const each of mentions) {
    if (!separators.test(line.slice(at, each.start))) return false;
    at = each.end;
  }
  return separators.test(line.slice(at, end));
}

/** What stands between bars; one that is escaped or in a piece of code is none, which no table of routes has. */
const cellsOf = (line: string): Cell[] =>
  Array.from(line.trimEnd().matchAll(/(?<=\|)[^|\n]*(?=\|)/g), ({ index: start, 0: cell }, column) => ({
    column,
    start,
    end: start + cell.length,
  }));
