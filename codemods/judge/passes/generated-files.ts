/** Files that say something makes them, and are moved all the same: the next time they are made they are on v1 again. */
import { saysGenerated } from '../../find/files/skipped.ts';
import type { Finding, Plan } from '../../model.ts';
import { byPlace } from '../merge.ts';

/** @param textIn the text of a file */
export function withGeneratedFiles<P extends Pick<Plan, 'edits' | 'findings'>>(plan: P, textIn: (file: string) => string): P {
  const files = [...new Set(plan.edits.map(({ file }) => file))];
  const found = files.flatMap((file): Finding[] =>
    saysGenerated(textIn(file)) ? [{ code: 'made-again', file, start: 0, end: 0, line: 1, column: 1, detail: {} }] : [],
  );
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}
