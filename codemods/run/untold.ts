/** What a person has to see to, where a run says nothing else: a literal that stays is named, or belongs to a place that is. */
import { type Finding, findingCodes, type LedgerEntry } from '../model.ts';

/** @returns all findings of a run; of one that has none, the first literal on each line that is left to a person */
export function withUntold(findings: readonly Finding[], ledger: readonly LedgerEntry[]): readonly Finding[] {
  if (findings.length > 0) return findings;
  const untold = ledger.flatMap(({ file, start, end, line, column, state, reason }): Finding[] => {
    const code = state === 'person' ? findingCodes.find((each) => each === reason) : undefined;
    return code === undefined ? [] : [{ code, file, start, end, line, column, detail: {} }];
  });
  return [...new Map(untold.toReversed().map((each) => [`${each.file}:${each.line}`, each])).values()].toReversed();
}
