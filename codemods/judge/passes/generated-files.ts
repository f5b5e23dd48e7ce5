/** Files that say something makes them: what is moved there is on v1 again the next time they are made, and what stays is lost then if a person moves it there. */
import { saysGenerated } from '../../find/files/skipped.ts';
import type { Finding, FindingCode, Plan } from '../../model.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace } from '../merge.ts';

/** @param textIn the text of a file */
export function withGeneratedFiles<P extends Pick<Plan, 'edits' | 'findings'>>(plan: P, textIn: (file: string) => string): P {
  const told = (code: FindingCode, files: ReadonlySet<string>): Finding[] =>
    [...files].flatMap((file) => (saysGenerated(textIn(file)) ? { code, file, start: 0, end: 0, line: 1, column: 1, detail: {} } : []));
  const moved = new Set(plan.edits.map(({ file }) => file));
  // What cannot be edited at all has been told of.
  const known = new Set([...moved, ...plan.findings.flatMap(({ code, file }) => (code === 'generated' ? file : []))]);
  const left = new Set(plan.findings.flatMap(({ code, file }) => (besideV2.has(code) || nobodys.has(code) || known.has(file) ? [] : file)));
  const found = [...told('made-again', moved), ...told('make-again', left)];
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

/** Of these a person says what is to be done, or the files say it themselves. */
const nobodys: ReadonlySet<FindingCode> = new Set([
  'ignored',
  'held-back',
  'generated',
  'syntax',
  'unreadable',
  'unwritable',
  'too-large',
  'worker-died',
]);
