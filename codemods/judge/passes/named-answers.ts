/**
 * Texts that name answers which a library keeps under the address they were asked for by: `mutate('/v1/contacts')`. Once that address moves they name
 * nothing any more. The library may be shared by files that no import joins, and the client that they are given is often not followed.
 */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { routeIn } from '../moved.ts';
import { byPlace } from '../merge.ts';

/** What speaks to SWR or TanStack Query of answers that it keeps. */
const speaking = /\b(?:mutate|useSWR\w*|queryKey|\w+Queries|\w+Query(?:Data|State|Defaults)?)\b/;

type Read = Pick<Plan, 'findings' | 'ledger'>;
type Component = readonly { readonly file: string; readonly importers: readonly string[] }[];

/** @param asked the endpoints that are asked by such a key, and move */
export function withNamedAnswers<P extends Read>(
  plan: P,
  asked: readonly V1EndpointId[],
  components: readonly Component[],
  textIn: (file: string) => string,
): P {
  if (asked.length === 0) return plan;
  const routes = [...new Set(asked)].map(routeIn);
  const importers = new Map(components.flat().map((each) => [each.file, each.importers]));
  const isSpeaking = memo((file: string) => speaking.test(textIn(file)));
  // A key may be a constant, which the files name that import it.
  const isNear = memo((file: string) => [file, ...(importers.get(file) ?? [])].some(isSpeaking));
  const isUntold = notReportedBy(plan.findings);
  const found = new Map<LedgerEntry, Finding>();
  for (const entry of plan.ledger) {
    const { file, start, end, line, column, state, reason } = entry;
    if (state !== 'foreign' || reason !== 'no-call' || !importers.has(file)) continue;
    const text = textIn(file).slice(start, end);
    const finding: Finding = { code: 'repeats-path', file, start, end, line, column, detail: { how: 'answer' } };
    if (routes.some((route) => route.test(text)) && isNear(file) && isUntold(finding)) found.set(entry, finding);
  }
  if (found.size === 0) return plan;
  const lines = new Map([...found.values()].map((each) => [`${each.file}:${each.line}`, each]));
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (found.has(entry) ? { ...entry, state: 'person', reason: 'repeats-path' } : entry)),
    findings: [...plan.findings, ...lines.values()].toSorted(byPlace),
  };
}
