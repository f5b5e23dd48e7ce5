/** The proxy for a server of somebody's own: Express, Fastify, node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { createProxy } from '../proxy/handler.ts';
import type { ProxyOptions } from '../proxy/options.ts';
import { checkAuthorities } from './config/authorities.ts';
import { ConfigError } from './config/errors.ts';
import { parseOptions } from './config/parse.ts';
import type { OptionName } from './config/settings.ts';
import { type Assumptions, assume } from './contract/assumptions.ts';
import { openRecord, type RecordSettings } from './usage/open-record.ts';
import type { WorkspaceOption } from './usage/workspaces.ts';

/** Settings whose options are written in another way than the code has them. */
type Rewritten = 'v1Base' | 'v2Base' | 'rollout' | 'budget' | 'assumptions' | 'retention' | 'workspaces';
type Same = Pick<ProxyOptions & RecordSettings, Exclude<OptionName<'proxy'>, Rewritten>>;
/** What no setting can hold. */
type Own = Pick<ProxyOptions, 'keyMap' | 'v2Ca' | 'logger' | 'now'>;
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Everything but the address of v2 has the default that `migrate-v2 proxy` has, the store too. Durations are in milliseconds, sizes in bytes. */
export interface MigrationProxyOptions extends Optional<Same>, Optional<Own> {
  /** Base address of v2, without `/v2`; a path in it comes before `/v2` in every request. */
  readonly v2Base: string;
  /** Base address of v1, for the calls that `rollout` still sends there. */
  readonly v1Base?: string | undefined;
  /** Which calls v1 answers, are compared, translated or refused, as the configuration file has it; without it, all are translated. */
  readonly rollout?: unknown;
  /** How the hour that v2 allows a workspace is spent, as the configuration file has it; `false` to count alone. */
  readonly budget?: unknown;
  /** Answers to open questions in place of the assumed ones. */
  readonly assumptions?: Partial<Assumptions> | undefined;
  /** How long the record is kept, such as `90d` or `52w`; 28 days at least. */
  readonly retention?: string | undefined;
  /** Whose keys are whose: the record labels them so. */
  readonly workspaces?: readonly WorkspaceOption[] | undefined;
}

/** A request handler for node:http, Express (also as middleware) and Fastify's raw requests. */
export interface MigrationHandler {
  (req: IncomingMessage, res: ServerResponse, next?: () => void): void;
  /**
   * For the server's `upgrade` event, where `/v2` is to be upgraded; paths of neither version are left to other listeners. Give that server
   * a `shouldUpgradeCallback` that is true for WebSockets only: some clients (Java) offer h2c with every call, and would lose it here.
   */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Answers new calls with 503, lets those in flight finish, closes the connections to v2 and writes what is left of the record. Call it
   * where your server ends, and wait for it: the proxy listens to no signal. A process that ends without it loses the record of the last
   * 250 ms at most, and the report shows that it fell silent. What is answered afterwards is not recorded.
   */
  close(): Promise<void>;
}

/**
 * Creates the translating proxy as a handler of your own server, and opens its record.
 *
 * It must get the request before any body parser; a request whose body was already read is answered at once with 500 and the code
 * PROXY_BODY_CONSUMED. `/v1/…` is translated, `/v2/…` passes through, everything else is `next`'s (or 404). In Express it may be mounted
 * under a path: Link and Location then begin with that path. In Fastify, call it in an `onRequest` hook, which comes before the parsers,
 * after `reply.hijack()`: `handler(request.raw, reply.raw)`.
 *
 * Once it resolves, each v1 call that it answers is recorded in `store`, as `migrate-v2 proxy` does: in `migrate-v2.usage.db` of the working
 * directory where none is given, and with `none` nowhere. One line of the log says which (`recording` or `not_recorded`). Several proxies, of
 * one process or of several on one machine, may share a file, each with a thread of its own that writes; machines share PostgreSQL.
 * @throws ConfigError that names the option which is not accepted, or says why the store cannot be used. A store that is locked, full or not
 * to be reached is none where `hashSecret` is given: calls are served, what was recorded waits in memory, and the log tells it
 * (`usage_store_fails`, `usage_lost`)
 * @throws MappingError where a mapping cannot be compiled
 */
export async function createMigrationProxy(options: MigrationProxyOptions): Promise<MigrationHandler> {
  const { keyMap, v2Ca, logger = pino({ base: null }), now = Date.now, ...rest } = options;
  checkOwn({ keyMap, v2Ca, logger, now });
  const { v1Base, v2Base, rollout, store, retention, hashSecret, replica, ...settings } = parseOptions('proxy', rest);
  if (v2Base === undefined)
    throw new ConfigError({ code: 'CONFIG_MISSING', key: 'v2Base', problem: 'is required: the base address of v2' });
  const assumptions = assume(settings.assumptions);
  const record = await openRecord({ store, retention, hashSecret, replica, now }, logger, { store: 'store', hashSecret: 'hashSecret' });
  try {
    const rules = rollout && { current: rollout, close: () => undefined };
    const proxy = createProxy({
      ...settings,
      ...record,
      v1Base: v1Base[0],
      v2Base,
      rollout: rules,
      replica,
      keyMap,
      v2Ca,
      logger,
      now,
      assumptions,
    });
    record.announce();
    await proxy.context.rollout?.stages.road.follow();
    proxy.context.recorder.start();
    const end = async (): Promise<void> => {
      record.usage?.end();
      await proxy.close();
      await record.close();
    };
    let ended: Promise<void> | undefined;
    const handler = (req: IncomingMessage, res: ServerResponse, next?: () => void): void => proxy.handler(req, res, next);
    return Object.assign(handler, { upgrade: proxy.upgrade, close: () => (ended ??= end()) });
  } catch (error) {
    await record.close();
    throw error;
  }
}

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function');

/** JavaScript has no compiler that says what these are: found out at a call, it would cost that call. No message shows them: keys may be in them. */
function checkOwn({ keyMap, v2Ca, logger, now }: Own): void {
  if (keyMap !== undefined && !hasMethods(keyMap, 'lookup', 'close')) throw mustBe('keyMap', 'what openKeyMap(path) resolves with');
  if (!hasMethods(logger, 'info', 'warn', 'error')) throw mustBe('logger', 'a logger as pino makes one');
  if (typeof now !== 'function') throw mustBe('now', 'a function that gives milliseconds since 1970');
  if (v2Ca === undefined) return;
  if (typeof v2Ca !== 'string') throw mustBe('v2Ca', 'a text');
  checkAuthorities(v2Ca, 'v2Ca', 'the text');
}

const mustBe = (name: string, what: string): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: name, problem: `must be ${what}` });
