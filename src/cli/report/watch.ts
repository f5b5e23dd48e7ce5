/** `migrate-v2 report --watch`: the report on the screen of a terminal, kept up to date until a signal ends it. */
import { ConfigError, messageOf } from '../../config/errors.ts';
import type { GroupBy } from '../../config/report-formats.ts';
import { wrapped } from '../../report/formats/grid.ts';
import { renderTable } from '../../report/formats/table.ts';
import type { Report } from '../../report/model.ts';

/** Milliseconds between two reports, at least; and a report takes a tenth of the time, at most. */
const shortestPause = 2_000;
const rest = 9;

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';

/** Where a terminal does not say how large it is. */
const usualWidth = 80;
const usualHeight = 24;

/** What is drawn on: stdout. */
export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface Watched {
  readonly make: () => Promise<Report>;
  readonly groupBy: GroupBy;
  readonly color: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Waits so long, or until the signal. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** @throws ConfigError where there is no screen */
export function requireScreen(stream: NodeJS.WriteStream): void {
  if (stream.isTTY) return;
  const problem = 'keeps the report on the screen of a terminal, and stdout is none; leave it out';
  throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--watch', problem });
}

/**
 * Shows the report until it is ended, and leaves the screen as it was.
 * @throws what the first report throws; a later failure is shown, as it may pass
 */
export async function watch(screen: Screen, { make, groupBy, color, signal, pause }: Watched): Promise<void> {
  let report = await make();
  let failure: string | undefined;
  let spent = 0;
  const draw = (): void => {
    const width = screen.columns || usualWidth;
    const text = renderTable(report, { groupBy, width, color });
    const status = failure ?? `As of ${report.made.slice(11, 19)} UTC; Ctrl-C ends it`;
    screen.write(picture(text.trimEnd().split('\n'), status, width, screen.rows || usualHeight));
  };
  screen.on('resize', draw);
  screen.write(enter);
  try {
    while (!signal.aborted) {
      draw();
      await pause(Math.max(shortestPause, spent * rest));
      if (signal.aborted) break;
      const began = performance.now();
      try {
        report = await make();
        failure = undefined;
      } catch (error) {
        failure = messageOf(error);
      }
      spent = performance.now() - began;
    }
  } finally {
    screen.off('resize', draw);
    screen.write(leave);
  }
}

/** What is written to show some lines, from the top of the screen: as many as there is room for above the status. */
function picture(lines: readonly string[], status: string, width: number, height: number): string {
  const below = wrapped(status, width);
  const room = Math.max(1, height - below.length - 1);
  const hidden = lines.length - room;
  const shown = hidden > 0 ? [...lines.slice(0, room - 1), `… ${hidden + 1} more lines: make the window higher`] : lines;
  return home + [...shown, '', ...below].map((line) => line + clearLine).join('\r\n') + clearBelow;
}
