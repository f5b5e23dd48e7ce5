/** Calls by a variable of the environment that files set to another service, and nothing to ours: they are that one's, and no question. */
import type { Finding, Plan } from '../../model.ts';

type Outcome = Pick<Plan, 'findings' | 'ledger'>;

/** @param theirs the variables that files set to another host, without those that anything says hold one of our bases */
export function withoutOthers<Whole extends Outcome>(whole: Whole, theirs: ReadonlySet<string>): Whole {
  // What holds calls of ours back stays, whosever it is.
  const isTheirs = ({ code, group, detail }: Finding): boolean =>
    code === 'base-not-proven' && group === undefined && detail['calls'] === undefined && theirs.has(detail['env'] ?? '');
  const settled = whole.findings.filter(isTheirs);
  if (settled.length === 0) return whole;
  const byFile = Map.groupBy(settled, ({ file }) => file);
  return {
    ...whole,
    findings: whole.findings.filter((finding) => !isTheirs(finding)),
    ledger: whole.ledger.map((entry) => {
      const isWithin =
        entry.reason === 'base-not-proven' && byFile.get(entry.file)?.some(({ start, end }) => start <= entry.start && entry.end <= end);
      return isWithin === true ? { ...entry, state: 'foreign', reason: 'other-host' } : entry;
    }),
  };
}
