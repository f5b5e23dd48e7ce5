/**
 * Our address with its version where no literal of a script accounts for it. Inside of another text of what is moved, such as the JSON that a test puts in the
 * place of a file, somebody may have it from there, and go on to ask v1. What a page shows between its tags, and a comment, people read: they are told to use v1.
 * A comment of a file in which something is held is told, too: it may be the one place that says what a setting is to be.
 */
import { escaped } from '../../find/words/literals.ts';
import type { Suspect } from '../../find/scan.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, Plan } from '../../model.ts';
import { once } from '../../once.ts';
import { isComment } from '../../syntax/comments.ts';
import { positionsOf } from '../../syntax/position.ts';
import { type Bases, spokenBase, versionApart } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;
type Component = readonly { readonly file: string }[];

/** @param textIn the text of a file */
export function withNamedBases<P extends Read>(
  plan: P,
  suspects: readonly Suspect[],
  components: readonly Component[],
  { v1 }: Pick<Bases, 'v1'>,
  textIn: (file: string) => string,
): P {
  if (v1.length === 0) return plan;
  const edits = Map.groupBy(plan.edits, ({ file }) => file);
  const findings = Map.groupBy(plan.findings, ({ file }) => file);
  const ledger = Map.groupBy(plan.ledger, ({ file }) => file);
  const near = new Set(components.flatMap((own) => (own.some(({ file }) => edits.has(file)) ? own.map(({ file }) => file) : [])));
  const base = String.raw`(?<![\w.-])(?:${v1.map(escaped).join('|')})`;
  const spoken = `(?:${v1.map(spokenBase).join('|')})`;
  const ours = new RegExp(String.raw`${base}/v1(?![\w-])`, 'g');
  const inWords = new RegExp(String.raw`${spoken}/v1(?![\w-])|${base}${versionApart}`, 'gi');
  const found = suspects.flatMap(({ path: file, kind, skipReason }): Finding[] => {
    if ((kind !== 'script' && kind !== 'markup') || skipReason !== undefined) return [];
    const text = textIn(file);
    const isKnown = once(() => coverOf([...(edits.get(file) ?? []), ...(findings.get(file) ?? []), ...(ledger.get(file) ?? [])]));
    const told = once(() => new Set(findings.get(file)?.map(({ line }) => line)));
    const position = positionsOf(text);
    const inComments = Array.from(text.matchAll(inWords)).filter(({ index }) => isComment(text, index));
    const named = [...text.matchAll(ours), ...inComments].flatMap(({ index: start, 0: { length } }): Finding[] => {
      const place = { file, start, end: start + length, ...position(start) };
      if (isKnown()(place) || told().has(place.line)) return [];
      if (isComment(text, start)) return [{ code: 'mentioned', ...place, detail: {} }];
      // What else a page says beside its scripts, its own ledger has.
      if (kind === 'markup') return [];
      if (isInside(text, start)) return near.has(file) ? [{ code: 'unconsumed', ...place, detail: {} }] : [];
      if (described.test(text.slice(start + length))) return [{ code: 'unconsumed', ...place, detail: {} }];
      return isQuoted(text, start) ? [] : [{ code: 'mentioned', ...place, detail: {} }];
    });
    return named;
  });
  const lines = new Map(found.map((each) => [`${each.file}:${each.line}`, each]));
  return lines.size === 0 ? plan : { ...plan, findings: [...plan.findings, ...lines.values()].toSorted(byPlace) };
}

const beforeOnLine = (text: string, start: number): string => text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
const isOpen = (before: string, quote: string): boolean => before.split(quote).length % 2 === 0;

/** Whether what stands before it on its line is the beginning of a text that goes on: a quote of another kind that is open, and no space. */
function isInside(text: string, start: number): boolean {
  const before = beforeOnLine(text, start);
  const last = before.at(-1) ?? ' ';
  return !/\s/.test(last) && ['"', "'", '\x60'].some((quote) => quote !== last && isOpen(before, quote));
}

/** The rest of the address of a document that a generator makes a client of: `input: 'https://…/v1/openapi.json'`. */
const described = /^\/(?:[\w-]+\/)*(?:[\w.-]+\.(?:json|ya?ml)|openapi|swagger|api-docs)['"\x60]/;

/** Whether it stands in a literal, as far as its line tells: what that may ask is told of by the ledger. An apostrophe within a word opens none. */
function isQuoted(text: string, start: number): boolean {
  const before = beforeOnLine(text, start).replaceAll(/(?<=\w)'(?=\w)/g, '');
  return ['"', "'", '\x60'].some((quote) => isOpen(before, quote));
}
