/** How far a run over code is. */
import type { Progress } from '../../../codemods/result.ts';
import { lineOf, type ProgressLine, progressLine, type ProgressStream } from '../progress-line.ts';

const labels: Readonly<Record<Progress['phase'], string>> = {
  scan: 'Looking for v1',
  analyse: 'Reading code',
  write: 'Writing',
};

const shown = (count: number): string => count.toLocaleString('en');
const of = ({ done, total }: { readonly done: number; readonly total: number }): string => `${shown(done)} of ${shown(total)}`;

/**
 * `Reading code [#####-----] 3 of 10 files, 1 of 4 components: src/api.ts`, and once all are read, `Following values through 10 files, 1,234 questions: src/api.ts`:
 * a bar that is full says that a run is over.
 */
export function progressText({ phase, done, total, components, questions = 0, at }: Progress, columns?: number): string {
  const label = labels[phase];
  if (total === 0) return lineOf({ label, share: undefined, counts: '', more: '', at: undefined }, columns);
  const more = components === undefined || components.total < 2 ? '' : `, ${of(components)} components`;
  if (questions > 0 && done === total) {
    const counts = `${shown(total)} files, ${shown(questions)} questions`;
    return lineOf({ label: 'Following values through', share: undefined, counts, more, at }, columns);
  }
  return lineOf({ label, share: done / total, counts: `${of({ done, total })} files`, more, at }, columns);
}

export const showProgress = (stream: ProgressStream, now?: () => number): ProgressLine<Progress> => progressLine(stream, progressText, now);
