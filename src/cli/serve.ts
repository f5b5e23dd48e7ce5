/** What the commands that serve have in common. */
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { within } from '../../proxy/within.ts';
import { ConfigError } from '../config/errors.ts';
import type { Address } from '../config/types.ts';
import { exitCodes } from './exit-codes.ts';
import type { Log } from './logger.ts';

export interface Served {
  readonly url: string;
  readonly adminUrl: string;
}

/**
 * Says where the service listens, in one line of the log. Whoever started it waits for this line, so it comes at every level and at once.
 */
export async function announce({ logger, flush }: Log, { url, adminUrl }: Served): Promise<void> {
  logger.child({}, { level: 'info' }).info({ url, adminUrl }, 'listening');
  await flush();
}

/**
 * Leaves the debugger closed: on SIGUSR1 Node would open a port on which whoever reaches it can run code in the process, with all its keys. On
 * SIGUSR2, by which others have their logs reopened, it would end, and the calls in flight with it.
 * To be called first; `node --inspect` is a decision of whoever starts the process, and stays one.
 */
export function ignoreUserSignals(): void {
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);
}

/**
 * Stops on SIGTERM and SIGINT, then exits with 0; a second one exits at once. SIGHUP stops where it means that the terminal was closed; without
 * a terminal it is what operators send to servers that read their files again, which this one does by itself, and what `nohup` is against.
 * @param stop ends the service; what it rejects with is reported and makes the exit code 3
 * @param patience milliseconds that it may take; after them the process exits all the same, with 3
 * @param renew what SIGHUP does where there is no terminal; nothing, as a rule
 */
export function stopOnSignals({ logger, flush }: Log, stop: () => Promise<void>, patience: number, renew?: () => void): void {
  let stopping = false;
  const stopAndExit = async (): Promise<void> => {
    const done = await within(patience, stop()).catch((error: unknown) => {
      logger.error({ err: error }, 'could not stop cleanly');
      return undefined;
    });
    if (done === false) logger.error({ event: 'stop_timeout' }, 'Did not stop in time; what was not written by now is lost');
    await flush();
    process.exit(done === true ? exitCodes.done.code : exitCodes.failed.code);
  };
  const begin = (): void => {
    if (stopping) return;
    stopping = true;
    void stopAndExit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(128 + constants.signals[signal]);
      begin();
    });
  }
  // Looked at now: a terminal that is gone is none. Closing one sends the signal more than once.
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGHUP', () => {
    if (hasTerminal) begin();
    else if (renew !== undefined) renew();
    else logger.info({ event: 'hangup' }, 'SIGHUP changes nothing: files are read again whenever they change; SIGTERM stops');
  });
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process; choose another address, or port 0 for a free one',
  EACCES: 'is not open to this user; choose a port above 1023',
  EADDRNOTAVAIL: 'is no address of this machine; choose one of its own, or 0.0.0.0 for all',
  ENOTFOUND: 'is no known host; choose an address of this machine',
};

/** What Node says of a listener that failed: `net` names address and port, the look-up of a name that name alone. */
interface ListenFailure extends Error {
  readonly code: string;
  readonly port?: number;
  readonly hostname?: string;
}

const isListenFailure = (error: unknown): error is ListenFailure =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && Object.hasOwn(listenProblems, error.code);

/**
 * Turns the error of a listener into one that names the flag; others pass unchanged.
 * @param flags the addresses by the flags they came from
 */
export function listenError(error: unknown, flags: Readonly<Record<string, Address>>): unknown {
  const failure = [error, error instanceof Error ? error.cause : undefined].find(isListenFailure);
  const [flag, address] =
    Object.entries(flags).find(([, { host, port }]) =>
      failure?.port === undefined ? host === failure?.hostname : port === failure.port,
    ) ?? [];
  if (failure === undefined || flag === undefined || address === undefined) return error;
  const problem = `${address.host}:${address.port} ${listenProblems[failure.code]}`;
  return new ConfigError({ code: 'CONFIG_INVALID', key: flag, problem, cause: error });
}
