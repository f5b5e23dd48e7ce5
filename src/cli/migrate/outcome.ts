/** What the exit code of a run says (see exit-codes.ts). */
import { movedCalls, ofKind, type Report, remarks } from '../../../codemods/report/report.ts';
import type { exitCodes } from '../exit-codes.ts';

/**
 * Failures weigh most. Where `--check` was asked for, what can be moved counts as well as what only a person can decide.
 * @param isWhole whether everything that was asked for was also put out
 */
export function outcomeOf(report: Report, isWhole = true): keyof typeof exitCodes {
  const all = remarks(report);
  const { mode, refused, result } = report;
  const isOpen = ofKind(all, 'left').length + ofKind(all, 'look').length > 0 || refused.size > 0;
  if (ofKind(all, 'failed').length > 0) return 'failed';
  if (mode === 'check') return isOpen || movedCalls(report).length > 0 || result.changed.length > 0 ? 'findings' : 'done';
  return isOpen || !isWhole ? 'remaining' : 'done';
}
