/** The public API. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { createProxy } from '../proxy/handler.ts';
import type { ProxyOptions } from '../proxy/options.ts';
import { settingsOf, type Settings } from './config/settings.ts';
import { type Assumptions, assume } from './contract/assumptions.ts';

export { type KeyMap, openKeyMap } from '../proxy/keys/key-map.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
export type { Assumptions } from './contract/assumptions.ts';

/** Everything but the address of v2 has the default that `migrate-v2 proxy` has. Durations are in milliseconds, sizes in bytes. */
export interface MigrationProxyOptions extends Partial<Omit<ProxyOptions, 'assumptions'>> {
  readonly v2Base: string;
  readonly assumptions?: Partial<Assumptions>;
}

/** A request handler for node:http, Express (also as middleware) and Fastify's raw requests. */
export interface MigrationHandler {
  (req: IncomingMessage, res: ServerResponse, next?: () => void): void;
  /**
   * For the server's `upgrade` event, where `/v2` is to be upgraded; paths of neither version are left to other listeners. Give that server
   * a `shouldUpgradeCallback` that is true for WebSockets only: some clients (Java) offer h2c with every call, and would lose it here.
   */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers new calls with 503, lets those in flight finish, and closes the connections to v2. */
  close(): Promise<void>;
}

/**
 * Creates the translating proxy as a handler of your own server.
 *
 * It must get the request before any body parser; a request whose body was already read is answered at once with 500 and the code
 * PROXY_BODY_CONSUMED. `/v1/…` is translated, `/v2/…` passes through, everything else is `next`'s (or 404). In Express it may be mounted
 * under a path: Link and Location then begin with that path. In Fastify, call it in an `onRequest` hook, which comes before the parsers,
 * after `reply.hijack()`: `handler(request.raw, reply.raw)`.
 * @throws MappingError where a mapping cannot be compiled
 */
export function createMigrationProxy(options: MigrationProxyOptions): MigrationHandler {
  const proxy = createProxy({
    ...defaultSettings(),
    logger: pino({ base: null }),
    hashSecret: randomBytes(32).toString('base64url'),
    now: Date.now,
    ...options,
    keyMap: options.keyMap,
    v2Ca: options.v2Ca,
    assumptions: assume(options.assumptions),
  });
  proxy.context.recorder.start();
  const handler = (req: IncomingMessage, res: ServerResponse, next?: () => void): void => void proxy.handler(req, res, next);
  return Object.assign(handler, { upgrade: proxy.upgrade, close: () => proxy.close() });
}

/** What `migrate-v2 proxy` uses where nobody says otherwise. */
function defaultSettings(): Settings<'proxy'> {
  const defaults = settingsOf('proxy').flatMap((row) => (row.default === undefined ? [] : [[row.name, row.type.parse(row.default)]]));
  // The rows of the command are the properties of its settings; those without a default are optional or given by the caller.
  return Object.fromEntries(defaults) as Settings<'proxy'>;
}
