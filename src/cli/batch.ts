/**
 * Log lines in batches. A write for each line costs a call more than its translation (bench/README.md), and a reader that stalls must not
 * take the service with it: beyond a bound, lines are dropped and counted.
 */
import type { DestinationStream } from 'pino';

/** What the batches are written to: stdout, or any other Writable. */
export interface BatchDestination {
  /** Characters that wait to leave. */
  readonly writableLength: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

export interface Batch extends DestinationStream {
  /** Hands on what has gathered, now. */
  drain(): void;
  /** Resolves once everything written so far has left, or after a second: a log that nobody reads is no reason to wait for ever. */
  flush(): Promise<void>;
}

/** Characters that a batch gathers at most before it is handed on. */
const full = 64 * 1024;
/** How long a line waits at most, and how long a flush does, in milliseconds. */
const longest = 250;
const longestFlush = 1_000;
/** Characters that may wait for whoever reads. */
const mostWaiting = 64 * 1024 * 1024;

/** Batches lines on their way to the destination. How many were dropped is said in the log once lines leave again. */
export function batched(destination: BatchDestination): Batch {
  let lines = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  const drain = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    if (destination.writableLength > mostWaiting) dropped += lines.split('\n').length - 1;
    else {
      if (dropped > 0) lines += `${JSON.stringify({ level: 40, time: Date.now(), event: 'log_lines_dropped', lines: dropped })}\n`;
      dropped = 0;
      destination.write(lines);
    }
    lines = '';
  };
  return {
    write(text) {
      lines += text;
      if (lines.length >= full) drain();
      // A process with nothing else to do ends, and its end drains.
      else timer ??= setTimeout(drain, longest).unref();
    },
    drain,
    async flush() {
      drain();
      let patience: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        patience = setTimeout(resolve, longestFlush);
        destination.write('', () => resolve());
      });
      clearTimeout(patience);
    },
  };
}
