/** The standalone proxy: the handler behind a listener of its own, with an admin listener beside it and a gentle end. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceHour } from '../src/budget/hours.ts';
import { createAdmin } from './admin/admin.ts';
import { createProxy } from './handler.ts';
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

/**
 * Starts the proxy.
 * @throws the listener's error (EADDRINUSE, EACCES, …), a TLS error, or what createProxy throws
 */
export async function startProxy(options: ProxyServerOptions): Promise<RunningProxy> {
  const proxy = createProxy(options);
  await proxy.context.rollout?.stages.road.follow();
  const { server, warn, close } = createListener(proxy, options);
  let draining: Promise<void> | undefined;
  const admin = createAdmin(proxy.context, { token: options.adminToken, pages: options.pages, isDraining: () => draining !== undefined });
  await listen(admin, options.admin);
  await listen(server, options.listen);

  const drain = async (): Promise<void> => {
    await sleep(options.drainDelay);
    // What waits for a place in v2's hour could wait longer than there is time, and was not sent.
    proxy.context.budget.drain();
    // Connections that were upgraded are no longer the listener's; without this it would wait for them for ever.
    const abandon = setTimeout(() => proxy.abandon(), options.drainTimeout);
    const closed = await within(options.drainTimeout + grace, close(options.drainTimeout));
    clearTimeout(abandon);
    const ended = await within(2 * grace, proxy.close(grace));
    if (!closed || !ended)
      options.logger.error({ event: 'drain_incomplete', closed, ended }, 'Connections are left that did not close in time');
    admin.closeAllConnections();
    admin.close();
  };
  return {
    url: address(server, options.tls === undefined ? 'http' : 'https'),
    adminUrl: address(admin, 'http'),
    warn: () => {
      proxy.context.recorder.start();
      warn();
    },
    hours: () => proxy.context.budget.hours(),
    drain: () => (draining ??= drain()),
  };
}

async function listen(server: Server, { host, port }: Address): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

function address(server: Server, scheme: string): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The listener has no address');
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${scheme}://${host}:${bound.port}`;
}
