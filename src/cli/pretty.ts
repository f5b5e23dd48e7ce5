/** The log for people. */
import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { DeprecatedUse, Outcome } from '../usage/deprecated-use.ts';

const outcomes: Readonly<Record<Outcome, string>> = {
  translated: 'translated',
  local: 'answered locally',
  failed: 'failed',
  observed: 'by v1',
  compared: 'by v1, compared',
  refused: 'refused in a brownout',
};

/** `POST /v1/messages/send -> 200 translated in 4.2 ms (key sk_demo…, curl/8.5.0)` */
export function deprecatedUseLine(use: DeprecatedUse): string {
  // The template begins with its method; a path that is no endpoint has none.
  const what = use.endpoint.startsWith(`${use.method} `) ? use.endpoint : `${use.method} ${use.endpoint}`;
  const status = use.status === 0 ? 'client left' : use.status;
  const who = `${use.key === undefined ? 'no key' : `key ${use.key}…`}, ${use.client}`;
  const code = use.code === undefined ? '' : ` ${use.code}`;
  return `${what} -> ${status} ${outcomes[use.outcome]}${code} in ${use.duration.toFixed(1)} ms (${who})`;
}

const isDeprecatedUse = (line: object): line is DeprecatedUse => 'event' in line && line.event === 'deprecated_use';

/** Control characters would let whoever sends them write on the terminal; line breaks and tabs are ours, in stack traces. */
const printable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD') : value;

/**
 * Makes a stream that turns pino's JSON lines into readable ones.
 * @param destination where they go
 */
export function prettyStream(destination: DestinationStream, colorize: boolean): DestinationStream {
  const shared = { colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true };
  const other = prettyFactory(shared);
  const use = prettyFactory({
    ...shared,
    hideObject: true,
    messageFormat: (log) => (isDeprecatedUse(log) ? deprecatedUseLine(log) : ''),
  });
  return {
    write: (line) => {
      const parsed: object = JSON.parse(line, printable);
      const readable = isDeprecatedUse(parsed) ? use(parsed) : other(parsed);
      destination.write(readable.endsWith('\n') ? readable : `${readable}\n`);
    },
  };
}
