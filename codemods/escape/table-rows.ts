/** Rows of tables in documents that say what a variable is set to: data, which says the same whatever the words around it are. */
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

/** An address or a version that is none of ours. */
const ofOthers = /https?:|\/v\d/i;
/** A cell that names a variable. */
const variable = /\|\s*`?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)`?\s*(?=\|)/;

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

export interface TableRow extends TextRange {
  /** The variable that it is about. */
  readonly variable: string;
}

/**
 * @param said a whole table
 * @param mentionsIn what is said of the service within a text, by places in it
 * @returns the rows that hold a variable and addresses of the service, by places in the table
 */
export function rowsOf(said: string, mentionsIn: (text: string) => readonly Mention[]): TableRow[] {
  const lines = Array.from(said.matchAll(/[^\n]+\n?/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  const [head, , ...body] = lines;
  if (head === undefined || isDoubtful(head.line)) return [];
  return body.flatMap(({ start, end, line }) => {
    const [, name] = variable.exec(line) ?? [];
    const mentions = name === undefined ? [] : mentionsIn(line);
    const rest = restOf(line, mentions);
    const isOurs = mentions.length > 0 && mentions.every(({ kind }) => kind === 'address');
    return name !== undefined && isOurs && !ofOthers.test(rest) && !isDoubtful(rest) ? { start, end, variable: name } : [];
  });
}

/** What a row says beside. */
function restOf(line: string, mentions: readonly Mention[]): string {
  const ends = [0, ...mentions.map((each) => each.end)];
  return ends.map((from, i) => line.slice(from, mentions[i]?.start)).join(' ');
}
