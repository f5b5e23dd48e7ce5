/** The parts of a document that can move each by itself: paragraphs, items of lists, rows of tables. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';
import { isDoubtful } from './doubts.ts';
import type { Subject } from './subjects.ts';

/** Of headings in both ways to write them; what a tag folds away or strikes out reaches to the next one. */
export function levelOf(said: string): number | undefined {
  if (said.startsWith('<')) return 7;
  const underline = /\n(?:=+|--+)\s*$/.exec(said)?.[0];
  if (underline !== undefined) return underline.startsWith('\n=') ? 1 : 2;
  return /^#{1,6}(?=\s)/.exec(said)?.[0].length;
}

/**
 * Rows of a table that are known, by its head and themselves; one that says how a call is authorised belongs to the address in the row above it. Items of a
 * list of which all are, since each may be about what another says.
 */
export function unitsOf(said: string, isKnown: (part: string) => boolean): TextRange[] {
  const lines = Array.from(said.matchAll(/[^\n]*\n|[^\n]+$/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  if (lines.every(({ line }) => /^\s*\|/.test(line))) {
    const [head] = lines;
    return head !== undefined && isKnown(head.line.replaceAll(providers, ' ')) ? rowsIn(lines.filter(({ line }) => isKnown(line))) : [];
  }
  const starts = lines.flatMap(({ start, line }, i) => (i === 0 || /^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? start : []));
  if (isKnown(said)) return starts.map((start, i) => ({ start, end: starts[i + 1] ?? said.length }));
  return Array.from(said.matchAll(addressAndKey), ({ index: start, 0: { length } }) => ({ start, end: start + length })).filter(
    ({ start, end }) => isKnown(said.slice(start, end)) && !isDoubtful(said.slice(0, start)) && !isDoubtful(said.slice(end)),
  );
}

/** `- Base URL: https://…` with `- Auth: x-api-key: <key>` right below it: one says how the other is asked, whatever the items around them are about. */
const addressAndKey = new RegExp(
  String.raw`^(?<mark>[ \t]*[-*+] )[*_]*(?:API )?(?:(?:base )?URL|base|endpoint|host)[*_]*:[*_]*[ \t]+[\x60<]?https?:[^\s\x60<>]+[\x60>]?[ \t]*\n\k<mark>[*_]*auth\w*(?: header)?[*_]*:[*_]*[ \t]+[^\n]*${v1Auth.field}[^\n]*(?:\n|$)`,
  'gim',
);

const ofProviders = /^[^\n]*\b(?:provider|vendor|upstream)s?\b/i;
/** In the head of a table: it lists who is asked. */
const providers = /\b(?:provider|vendor|upstream)s?\b/gi;

function rowsIn(known: readonly (TextRange & { readonly line: string })[]): TextRange[] {
  const rows: { readonly start: number; end: number }[] = [];
  for (const { start, end, line } of known) {
    const last = rows.at(-1);
    if (last?.end === start && authorising.test(line)) last.end = end;
    else rows.push({ start, end });
  }
  return rows;
}

const authorising = new RegExp(String.raw`^\s*\|\s*\**auth(?:\w*)\**\s*\|[^|\n]*${v1Auth.field}[^|\n]*\|\s*$`, 'i');

/**
 * Whether a row of a table of providers has an address alone in a cell, and the header alone in the one behind it; or rows of one unit do, as above.
 * @param said the table
 */
export const hasOwnHeader = (unit: string, said: string): boolean =>
  (besideAddress.test(unit) && ofProviders.test(said)) || /^\s*\|[^\n]*\n\s*\|/.test(unit) || isAddressAndKey(unit);

const isAddressAndKey = (unit: string): boolean => unit.search(addressAndKey) === 0;

const besideAddress = new RegExp(
  String.raw`^\s*\|.*\|[\s\x60]*(?:[A-Z]+ )?https?:[^\s|\x60]+[\s\x60]*\|[\s\x60]*${v1Auth.field}[\s\x60]*\|`,
  'i',
);

/**
 * @returns the functions that a text names as code, and the text with blanks in the place of these
 */
export function functionsNamedIn(said: string): readonly [functions: readonly Subject[], rest: string] {
  const names = new Set(Array.from(said.matchAll(named), ([, name = '']) => name).filter((name) => !parameter.test(name)));
  const rest = said.replaceAll(named, (found) => ' '.repeat(found.length));
  return [Array.from(names, (name): Subject => ({ kind: 'function', name })), rest];
}

/** @returns the same of files */
export function filesNamedIn(said: string): readonly [files: readonly Subject[], rest: string] {
  const names = new Set(Array.from(said.matchAll(script), ([, name = '']) => name));
  return [Array.from(names, (name): Subject => ({ kind: 'file', name })), said.replaceAll(script, (found) => ' '.repeat(found.length))];
}

const script = /`([\w.@/[\]-]+\.(?:[cm]?[jt]sx?|vue|svelte))`/g;
const named = /`([a-z_$][\w$]*)(?:\(\))?`/g;
const parameter = /^(?:page|limit|offset)$/;

/**
 * Lines without an empty one between them; a heading by itself, and a block of code with its empty lines. What a document says of itself at its top, between
 * lines, is none.
 */
export function* paragraphsOf(text: string): Generator<TextRange> {
  let start = /^---\r?\n[^]*?\n---\r?\n/.exec(text)?.[0].length ?? 0;
  const top = start;
  let fence: string | undefined;
  for (const { index, 0: line } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    if (index < top) continue;
    const [, mark = '', info = ''] = ofCode.exec(line) ?? [];
    if (fence !== undefined) {
      if (!mark.startsWith(fence) || info.trim() !== '') continue;
      fence = undefined;
      yield { start, end: index + line.length };
      start = index + line.length;
      continue;
    }
    const isHeading = /^#{1,6}\s/.test(line);
    if (!isHeading && mark === '' && line.trim() !== '') continue;
    if (index > start) yield { start, end: index };
    start = mark === '' ? index + line.length : index;
    if (mark !== '') fence = mark;
    if (isHeading) yield { start: index, end: start };
  }
  if (start < text.length) yield { start, end: text.length };
}

/** Between two of these stands code; what has its end on the same line is a piece of code in a sentence. */
const ofCode = /^\s*(`{3,}|~{3,})([^`\n]*)$/m;
