/** How far a long run is, on one line of a terminal that goes again: whatever the run is. */
import { plain } from '../text/escape.ts';

/** What is written to: stderr. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressLine<Progress> {
  readonly update: (progress: Progress) => void;
  /** Makes room for another line. */
  readonly hide: () => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** A run that is over sooner shows nothing; a line that changes more often only flickers. In milliseconds. */
const patience = 300;
const interval = 100;
const maxBar = 24;
const minBar = 5;
/** Of a file's name, less says nothing. */
const minName = 12;
/** Where a terminal does not say how wide it is. */
const usualColumns = 80;

/** What a line says of a run. */
export interface Shown {
  readonly label: string;
  /** From 0 to 1; undefined where nobody knows. */
  readonly share: number | undefined;
  readonly counts: string;
  /** Said where there is room. */
  readonly more: string;
  readonly at: string | undefined;
}

/**
 * `Reading code [#####-----] 3 of 10 files, 1 of 4 components: src/api.ts`
 * @param columns how wide the terminal is: a line that broke could not be taken away again
 */
export function lineOf({ label, share, counts, more, at }: Shown, columns = usualColumns): string {
  const room = columns - 1;
  const bar = Math.min(maxBar, room - `${label} [] ${counts}`.length);
  if (bar < minBar) return `${label} ${counts}`.trimEnd().slice(0, room);
  const filled = share === undefined ? undefined : Math.floor(Math.min(1, share) * bar);
  const line = filled === undefined ? `${label} ` : `${label} [${'#'.repeat(filled)}${'-'.repeat(bar - filled)}] `;
  if (counts === '') return line.trimEnd();
  const all = counts + more;
  if (line.length + all.length > room) return line + counts;
  return line + all + nameIn(room - line.length - all.length, at);
}

/** Of a long name, the end. */
function nameIn(room: number, at = ''): string {
  const most = room - ': '.length;
  const name = [...plain(at)];
  if (name.length === 0 || most < Math.min(minName, name.length)) return '';
  let width = 0;
  const fits = name.findLastIndex((character) => (width += columnsOf(character)) > most);
  return `: ${fits === -1 ? name.join('') : `…${name.slice(fits + 2).join('')}`}`;
}

/** Some letters are two columns wide, and none is wider. */
const columnsOf = (character: string): number => (character < '\u007f' ? 1 : 2);

/** Begins to show how far a run is; outside of a terminal nothing is shown. */
export function progressLine<Progress>(
  stream: ProgressStream,
  textOf: (progress: Progress, columns: number | undefined) => string,
  now: () => number = Date.now,
): ProgressLine<Progress> {
  if (!stream.isTTY) return { update: () => undefined, hide: () => undefined, end: () => undefined };
  let next = now() + patience;
  let last: Progress | undefined;
  let isShown = false;
  const show = (): void => {
    if (last === undefined || now() < next) return;
    next = now() + interval;
    isShown = true;
    stream.write(`\r\u001b[K${textOf(last, stream.columns || undefined)}`);
    last = undefined;
  };
  const hide = (): void => {
    if (isShown) stream.write('\r\u001b[K');
    isShown = false;
  };
  // Who waits for the first file to be done sees which one that is.
  const timer = setInterval(show, interval).unref();
  return {
    update(progress) {
      last = progress;
      show();
    },
    hide,
    end() {
      clearInterval(timer);
      hide();
      next = Number.POSITIVE_INFINITY;
    },
  };
}
