/** The standalone proxy: the handler behind a listener of its own, with an admin listener beside it and a gentle end. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceHour } from '../src/budget/hours.ts';
import { type Shown, createAdmin } from './admin/admin.ts';
import { type MigrationProxy, createProxy } from './handler.ts';
import { createListener } from './listener.ts';
import type { Address, ProxyServerOptions } from './options.ts';
import { within } from './within.ts';

/** How long what was told to close may take to do so, in milliseconds. */
const grace = 1_000;

export interface RunningProxy {
  readonly url: string;
  readonly adminUrl: string;
  /** Says in the log how near the sunset is, and what limits the process; apart, so that the line that says where it listens can come first. */
  warn(): void;
  /** The hours of workspaces on v2, as they stand. */
  hours(): readonly WorkspaceHour[];
  /**
   * Ends the proxy: `/readyz` says no, then no new connections, calls in flight finish, everything closes. Resolves within the drain delay, the
   * drain timeout and three seconds, whatever clients and v2 do.
   */
  drain(): Promise<void>;
}

/** The proxy behind its listener alone. */
export interface Serving {
  readonly proxy: MigrationProxy;
  /** Takes connections from now on. */
  listen(): Promise<{ readonly url: string }>;
  /** As for `RunningProxy`. */
  warn(): void;
  /** No new connections, calls in flight finish, everything closes. Resolves within the drain timeout and three seconds. */
  close(): Promise<void>;
}

/**
 * Makes a proxy with its listener, which does not listen yet.
 * @throws a TLS error, or what createProxy throws
 */
export async function createServing(options: ProxyServerOptions): Promise<Serving> {
  const proxy = createProxy(options);
  await proxy.context.rollout?.stages.road.follow();
  const { server, warn, close } = createListener(proxy, options);
  return {
    proxy,
    listen: async () => {
      await listen(server, options.listen);
      return { url: addressOf(server, options.tls === undefined ? 'http' : 'https') };
    },
    warn: () => {
      proxy.context.recorder.start();
      warn();
    },
    close: async () => {
      // What waits for a place in v2's hour could wait longer than there is time, and was not sent.
      proxy.context.budget.drain();
      // Connections that were upgraded are no longer the listener's; without this it would wait for them for ever.
      const abandon = setTimeout(() => proxy.abandon(), options.drainTimeout);
      const closed = await within(options.drainTimeout + grace, close(options.drainTimeout));
      clearTimeout(abandon);
      const ended = await within(2 * grace, proxy.close(grace));
      if (!closed || !ended)
        options.logger.error({ event: 'drain_incomplete', closed, ended }, 'Connections are left that did not close in time');
    },
  };
}

/** What the admin listener shows of the proxy of this process. */
export function shownOf({ context }: MigrationProxy): Shown {
  const { connections, rollout, budget, recorder, options } = context;
  return {
    registry: recorder.metrics.registry,
    hours: () => budget.hours(),
    ready: async () => (await connections.health.ready()) && (rollout === undefined || (await rollout.v1.health.ready())),
    road: rollout?.stages,
    now: () => options.now(),
  };
}

/**
 * Starts the proxy.
 * @throws the listener's error (EADDRINUSE, EACCES, …), a TLS error, or what createProxy throws
 */
export async function startProxy(options: ProxyServerOptions): Promise<RunningProxy> {
  const { proxy, listen: serve, warn, close } = await createServing(options);
  let draining: Promise<void> | undefined;
  const admin = createAdmin(shownOf(proxy), { token: options.adminToken, pages: options.pages, isDraining: () => draining !== undefined });
  await listen(admin, options.admin);
  const { url } = await serve();

  const drain = async (): Promise<void> => {
    await sleep(options.drainDelay);
    await close();
    admin.closeAllConnections();
    admin.close();
  };
  return {
    url,
    adminUrl: addressOf(admin, 'http'),
    warn,
    hours: () => proxy.context.budget.hours(),
    drain: () => (draining ??= drain()),
  };
}

/** Has a server listen, and resolves once it does. */
export async function listen(server: Server, { host, port }: Address): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

/** Where a server listens. */
export function addressOf(server: Server, scheme: string): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The listener has no address');
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${scheme}://${host}:${bound.port}`;
}
