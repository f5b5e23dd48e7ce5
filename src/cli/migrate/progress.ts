/** How far a long run is, on one line of a terminal that goes again. */
import type { Progress } from '../../../codemods/result.ts';

/** What is written to: stderr. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressLine {
  readonly update: (progress: Progress) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** A run that is over sooner shows nothing; a line that changes more often only flickers. In milliseconds. */
const patience = 300;
const interval = 100;
const longestBar = 24;
const shortestBar = 5;
/** Where a terminal does not say how wide it is. */
const widest = 80;

const labels: Readonly<Record<Progress['phase'], string>> = {
  scan: 'Looking for files',
  analyse: 'Reading code',
  write: 'Writing',
};

/**
 * `Reading code [#####-----] 3 of 10`
 * @param columns how wide the terminal is: a line that broke could not be taken away again
 */
export function progressText({ phase, done, total }: Progress, columns = widest): string {
  const label = labels[phase];
  if (total === 0) return `${label} ${done.toLocaleString('en')}`.slice(0, columns - 1);
  const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const width = Math.min(longestBar, columns - 1 - `${label} [] ${counts}`.length);
  if (width < shortestBar) return `${label} ${counts}`.slice(0, columns - 1);
  const filled = Math.min(width, Math.round((done / total) * width));
  return `${label} [${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${counts}`;
}

/** Begins to show how far a run is; outside of a terminal nothing is shown. */
export function showProgress(stream: ProgressStream, now: () => number = Date.now): ProgressLine {
  if (!stream.isTTY) return { update: () => undefined, end: () => undefined };
  let next = now() + patience;
  let isShown = false;
  return {
    update(progress) {
      if (now() < next) return;
      next = now() + interval;
      isShown = true;
      stream.write(`\r\u001b[K${progressText(progress, stream.columns || undefined)}`);
    },
    end() {
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
      next = Number.POSITIVE_INFINITY;
    },
  };
}
