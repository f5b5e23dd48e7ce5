/**
 * Log lines in batches. The stream underneath measures everything it holds anew with each line; handing it a line at a time cost a call
 * more than all of the translation (bench/README.md).
 */
import type { DestinationStream } from 'pino';

/** What the batches are written to; pino's destination is one. */
export interface BatchDestination extends DestinationStream {
  on(event: 'drop', listener: (text: string) => void): unknown;
  flush(callback: (error?: Error) => void): void;
}

export interface Batch extends DestinationStream {
  /** Hands on what has gathered, now. */
  drain(): void;
  /** Resolves once everything written so far has left. A log that nobody reads any more is no reason to fail, so its error is dropped. */
  flush(): Promise<void>;
}

/** Characters that a batch gathers at most before it is handed on. Each batch wakes a thread, which costs far more than copying it. */
const full = 64 * 1024;
/** How long a line waits at most, in milliseconds. */
const longest = 250;

/**
 * Batches lines on their way to the destination. Lines that it drops, because nobody reads them, are counted and said in the log
 * once lines leave again.
 */
export function batched(destination: BatchDestination): Batch {
  let lines: string[] = [];
  let length = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  destination.on('drop', (text) => {
    dropped += text.split('\n').length - 1;
  });
  const drain = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const before = dropped;
    const text = lines.join('');
    lines = [];
    length = 0;
    destination.write(text);
    if (before === 0 || dropped > before) return;
    dropped = 0;
    destination.write(`${JSON.stringify({ level: 40, time: Date.now(), event: 'log_lines_dropped', lines: before })}\n`);
  };
  return {
    write(line) {
      lines.push(line);
      length += line.length;
      if (length >= full) drain();
      // A process with nothing else to do ends, and its end drains.
      else timer ??= setTimeout(drain, longest).unref();
    },
    drain,
    async flush() {
      drain();
      await new Promise<void>((resolve) => destination.flush(() => resolve()));
    },
  };
}
