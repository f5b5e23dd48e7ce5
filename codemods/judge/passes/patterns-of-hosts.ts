/** Regular expressions that our addresses of v1 match by their host, where no text of them is one: `registerRoute(/^https:\/\/(?:api|cdn)\.example\.com\/v1\//, …)`. */
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, Plan } from '../../model.ts';
import { isComment } from '../../syntax/comments.ts';
import { positionsOf } from '../../syntax/position.ts';
import { regExpOf } from '../../syntax/regular-expressions.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/** A literal in a script, as far as its line tells: where a value may stand. */
const literal =
  /(?<=[(,=:[!&|?{};>]\s*|\breturn\s+|^\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([a-z]*)/gm;
/** Longer ones are data. */
const maxLength = 300;

/**
 * @param scripts paths of scripts
 * @param textIn the text of a file
 * @returns the plan with a finding for each such expression that is neither edited nor told already
 */
export function withPatternsOfHosts<P extends Read>(
  plan: P,
  scripts: readonly string[],
  { v1 }: Bases,
  textIn: (file: string) => string,
): P {
  if (v1.length === 0) return plan;
  const known = Map.groupBy([...plan.edits, ...plan.ledger], ({ file }) => file);
  const found = scripts.flatMap((file): Finding[] => {
    const text = textIn(file);
    if (!text.includes('v1') || !text.includes(String.raw`\.`)) return [];
    const isKnown = coverOf(known.get(file) ?? []);
    return Array.from(text.matchAll(literal)).flatMap(({ 0: whole, 1: source = '', 2: flags, index: start }): Finding[] => {
      const end = start + whole.length;
      if (whole.length > maxLength || !source.includes('v1') || !isOfHosts(source, flags, v1)) return [];
      if (isKnown({ start, end }) || isComment(text, start)) return [];
      return [{ code: 'repeats-path', file, start, end, ...positionsOf(text)(start), detail: {} }];
    });
  });
  const untold = found.filter(notReportedBy(plan.findings));
  return untold.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...untold].toSorted(byPlace) };
}

/** Whether it takes addresses of v1 on a host of ours, and neither those of v2 nor the same of anybody. */
function isOfHosts(source: string, flags: string | undefined, v1: readonly string[]): boolean {
  const pattern = regExpOf(source, flags);
  return (
    pattern !== undefined &&
    v1.some((base) =>
      [`${base}/v1/`, `${base}/v1/contacts`].some((url) => pattern.test(url) && !pattern.test(url.replace('/v1/', '/v2/'))),
    ) &&
    !pattern.test('https://nobody.invalid/v1/contacts')
  );
}
