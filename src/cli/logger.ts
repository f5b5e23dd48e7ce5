/** The log: pino on stdout, JSON lines for machines or one readable line for each event. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';

export interface Log {
  readonly logger: Logger;
  /** Resolves once everything logged so far is written. */
  readonly flush: () => Promise<void>;
}

type LogSettings = Pick<Settings<'proxy' | 'sandbox'>, 'logLevel' | 'logFormat'>;

/** Makes the process's log. What is buffered when the process exits is still written. */
export async function createLog({ logLevel, logFormat }: LogSettings): Promise<Log> {
  // One write for many lines, and none on the way of a call; a quiet log still appears within a quarter of a second.
  const stdout = pino.destination({ dest: 1, sync: false, minLength: 16 * 1024, maxWrite: 64 * 1024, periodicFlush: 250 });
  const isTerminal = process.stdout.isTTY;
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isTerminal);
  const stream: DestinationStream = isPretty ? (await import('./pretty.ts')).prettyStream(stdout, isTerminal) : stdout;
  // Without the process id and host name that pino adds to each line: whoever collects logs knows them.
  const logger = pino({ level: logLevel, base: null }, stream);
  // A log that nobody reads any more is no reason to fail, so the error of a flush is dropped.
  return { logger, flush: () => new Promise((resolve) => stdout.flush(() => resolve())) };
}
