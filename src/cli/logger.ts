/** The log: pino on stdout, JSON lines for machines or one readable line for each event. */
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import type { Settings } from '../config/settings.ts';
import { batched } from './batch.ts';
import { type CallLine, callLines } from './call-lines.ts';

export interface Log {
  readonly logger: Logger;
  /** Resolves once everything logged so far is written, or soon after where nobody reads. */
  readonly flush: () => Promise<void>;
  /** Takes whole lines that another process has logged, as JSON. */
  readonly relay: (lines: string) => void;
}

type LogSettings = Pick<Settings<'proxy' | 'sandbox'>, 'logLevel' | 'logFormat'>;

/** Makes the process's log. What has gathered when the process exits is still written, as far as stdout takes it at once. */
export async function createLog({ logLevel, logFormat }: LogSettings): Promise<Log> {
  // Loaded on demand: commands without a log need none of it.
  const { pino } = await import('pino');
  const { stdout } = process;
  // Whoever read the log has left (EPIPE): no reason to fail.
  stdout.on('error', () => undefined);
  const isTerminal = stdout.isTTY;
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isTerminal);
  const batch = batched(stdout);
  const stream: DestinationStream = isPretty ? (await import('./pretty.ts')).prettyStream(batch, isTerminal) : batch;
  process.on('exit', () => batch.drain());
  // Without the process id and host name that pino adds to each line: whoever collects logs knows them.
  const logger = pino({ level: logLevel, base: null, hooks: { logMethod: writingCalls(stream) } }, stream);
  const relay = (lines: string): void => {
    if (isPretty) for (const line of lines.match(/.+\n/g) ?? []) stream.write(line);
    else batch.write(lines);
  };
  return { logger, flush: () => batch.flush(), relay };
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const isOfCall = (line: unknown): line is CallLine =>
  typeof line === 'object' && line !== null && 'event' in line && (line.event === 'deprecated_use' || line.event === 'passed_through');

/**
 * Writes the lines of calls past pino, which puts each together of some sixty texts, one property after another, that are joined at its end: a call costs
 * 2.4 kB of allocation and some 5 % of its CPU less without them (bench/README.md).
 */
function writingCalls(stream: DestinationStream): LogMethod {
  const textOf = callLines();
  return function (args, method, level) {
    const [line] = args;
    if (isOfCall(line)) stream.write(textOf(line, level));
    else Reflect.apply(method, this, args);
  };
}
