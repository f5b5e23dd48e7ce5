/** The log: pino on stdout, JSON lines for machines or one readable line for each event. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.ts';
import { batched } from './batch.ts';

export interface Log {
  readonly logger: Logger;
  /** Resolves once everything logged so far is written. */
  readonly flush: () => Promise<void>;
}

type LogSettings = Pick<Settings<'proxy' | 'sandbox'>, 'logLevel' | 'logFormat'>;

/** Bytes that may wait for whoever reads stdout. Beyond it lines are dropped: a stalled reader must not take the service with it. */
const mostWaiting = 64 * 1024 * 1024;

/** Makes the process's log. What is buffered when the process exits is still written. */
export async function createLog({ logLevel, logFormat }: LogSettings): Promise<Log> {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: mostWaiting });
  const isTerminal = process.stdout.isTTY;
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isTerminal);
  const batch = batched(stdout);
  const stream: DestinationStream = isPretty ? (await import('./pretty.ts')).prettyStream(batch, isTerminal) : batch;
  // Before pino's own end of the stream, which this list comes ahead of: what has gathered is part of the log.
  process.prependListener('exit', () => {
    batch.drain();
    stdout.flushSync();
  });
  // Without the process id and host name that pino adds to each line: whoever collects logs knows them.
  const logger = pino({ level: logLevel, base: null }, stream);
  return { logger, flush: () => batch.flush() };
}
