/** What a person has to see to, where nothing else of the run says so: each literal that stays is named, or belongs to a place that is. */
import { type Finding, findingCodes, type LedgerEntry } from '../model.ts';

/**
 * @param findings all of a run
 * @returns with one for each line of which the reason is that of none of them
 */
export function withUntold(findings: readonly Finding[], ledger: readonly LedgerEntry[]): readonly Finding[] {
  const told = new Set<string>(findings.map(({ code }) => code));
  const untold = ledger.flatMap(({ file, start, end, line, column, state, reason }): Finding[] => {
    const code = state === 'person' && !told.has(reason) ? findingCodes.find((each) => each === reason) : undefined;
    return code === undefined ? [] : [{ code, file, start, end, line, column, detail: {} }];
  });
  return untold.length === 0 ? findings : [...findings, ...new Map(untold.map((each) => [`${each.file}:${each.line}`, each])).values()];
}
