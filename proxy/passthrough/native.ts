/**
 * How http-proxy-3 is made to send exactly what we say, over its native path.
 * Read with http-proxy-3 2.0.1; the tests of the pass-through hold for whatever version is installed.
 */
import { Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { trustedCa } from '../ca.ts';
import type { ProxyOptions } from '../options.ts';

/** The pool of connections to v2; certificates are always verified. */
export function createAgent(
  { protocol }: URL,
  { connections, keepAlive, v2Ca }: Pick<ProxyOptions, 'connections' | 'keepAlive' | 'v2Ca'>,
): HttpAgent {
  const pool = { keepAlive: true, maxSockets: connections, timeout: keepAlive };
  if (protocol !== 'https:') return new HttpAgent(pool);
  // One context for all connections: parsing the authorities takes longer than a handshake.
  return new HttpsAgent({ ...pool, rejectUnauthorized: true, secureContext: createSecureContext(trustedCa(v2Ca)) });
}

/** Whether a further request would wait for a connection behind `queue` others. */
export function isOverloaded(agent: HttpAgent, { connections, queue }: Pick<ProxyOptions, 'connections' | 'queue'>): boolean {
  return count(agent.sockets) >= connections && count(agent.requests) >= queue;
}

function count(lists: NodeJS.ReadOnlyDict<readonly unknown[]>): number {
  return Object.values(lists).reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

/**
 * Request options that keep their values. http-proxy-3 fills in the object that it is given as `ssl` and hands it to http.request: its path is
 * parsed and normalised, its fields are joined and in lower case, and the length of a chunked DELETE becomes 0 while its body is still sent.
 * (Its `proxyReq` event is too late to mend that: where a connection has to be waited for, the head is written before.)
 */
export function fixed(options: RequestOptions): RequestOptions {
  const properties = Object.entries(options).map(([name, value]) => [name, { enumerable: true, get: () => value, set: ignore }] as const);
  return Object.defineProperties({}, Object.fromEntries(properties));
}

const ignore = (): void => undefined;

/** The switch that sends http-proxy-3 down its fetch path, which decodes gzip and joins Set-Cookie. It looks at it within the call. */
const fetchSwitch = 'FORCE_FETCH_PATH';

/** Runs a call of http-proxy-3 so that it takes the native path. */
export function onNativePath(call: () => void): void {
  const forced = process.env[fetchSwitch];
  if (forced === undefined) return call();
  delete process.env[fetchSwitch];
  try {
    call();
  } finally {
    process.env[fetchSwitch] = forced;
  }
}
