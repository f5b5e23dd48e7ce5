/**
 * Our address with its version inside of another text of a script that is moved, such as the JSON that a test puts in the place of a file: nobody was seen to ask
 * by it, but who has it from there goes on to ask v1.
 */
import { escaped } from '../find/literals.ts';
import type { Suspect } from '../find/scan.ts';
import { coverOf } from '../formats/text.ts';
import type { Finding, Plan } from '../model.ts';
import { once } from '../once.ts';
import { isComment } from '../syntax/comments.ts';
import { positionsOf } from '../syntax/position.ts';
import type { Bases } from '../verdict/routes.ts';
import { byPlace } from './merge.ts';

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
  if (v1.length === 0 || plan.edits.length === 0) return plan;
  const edits = Map.groupBy(plan.edits, ({ file }) => file);
  const findings = Map.groupBy(plan.findings, ({ file }) => file);
  const ledger = Map.groupBy(plan.ledger, ({ file }) => file);
  const near = new Set(components.flatMap((own) => (own.some(({ file }) => edits.has(file)) ? own.map(({ file }) => file) : [])));
  const ours = new RegExp(String.raw`(?<![\w.-])(?:${v1.map(escaped).join('|')})/v1(?![\w-])`, 'g');
  const found = suspects.flatMap(({ path: file, kind, skipReason }): Finding[] => {
    if (kind !== 'script' || skipReason !== undefined || !near.has(file)) return [];
    const text = textIn(file);
    const isKnown = once(() => coverOf([...(edits.get(file) ?? []), ...(findings.get(file) ?? []), ...(ledger.get(file) ?? [])]));
    const told = once(() => new Set(findings.get(file)?.map(({ line }) => line)));
    return Array.from(text.matchAll(ours)).flatMap(({ index: start, 0: { length } }) => {
      const place = { start, end: start + length };
      const position = positionsOf(text)(start);
      return isKnown()(place) || told().has(position.line) || isComment(text, start) || !isInside(text, start)
        ? []
        : [{ code: 'unconsumed', file, ...place, ...position, detail: {} }];
    });
  });
  const lines = new Map(found.map((each) => [`${each.file}:${each.line}`, each]));
  return lines.size === 0 ? plan : { ...plan, findings: [...plan.findings, ...lines.values()].toSorted(byPlace) };
}

/** Whether what stands before it on its line is the beginning of a text that goes on: a quote of another kind that is open, and no space. */
function isInside(text: string, start: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const last = before.at(-1) ?? ' ';
  return !/\s/.test(last) && ['"', "'", '\x60'].some((quote) => quote !== last && before.split(quote).length % 2 === 0);
}
