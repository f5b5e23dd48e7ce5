/**
 * How many connections clients may have, in all and from one address. Beyond that a connection is closed at once: an answer would take a
 * handshake, a parser and a wait for the client, which is just what whoever opens thousands wants to have for each of them.
 */
import { readFileSync } from 'node:fs';
import { type Server, type Socket, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { networkOf } from '../src/usage/network.ts';
import { remembering } from '../src/usage/remembering.ts';
import { adminConnections } from './admin/admin.ts';
import type { OwnContext } from './context.ts';
import { type RefusalReason, connectionMetrics } from './metrics/connections.ts';
import type { ProxyServerOptions } from './options.ts';
import type { Origins } from './origins.ts';

const defaultMax = 10_000;
/** Milliseconds between two lines of the log about the same. */
const quiet = 10_000;

/**
 * Holds a server to the limits.
 * @param server with all its listeners: those for connections only hear of the ones that are taken
 * @param openFiles how many files and sockets the process may have open
 */
export function limitConnections(
  server: Server,
  context: OwnContext,
  options: ProxyServerOptions,
  openFiles = maxOpenFiles(),
): ClientConnections {
  const connections = new ClientConnections(context, options, openFiles);
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    if (connections.take(socket)) for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
  // Without a listener, a connection that the system cannot hand over (no memory, no descriptor) would end the process.
  server.once('listening', () => server.on('error', (error) => connections.failed(error)));
  return connections;
}

class ClientConnections {
  readonly #origins: Origins;
  readonly #logger: Logger;
  readonly #limits: Readonly<Record<RefusalReason, number>>;
  readonly #configured: number;
  readonly #openFiles: number;
  readonly #countRefused: (reason: RefusalReason) => void;
  readonly #byAddress = new Map<string, number>();
  #open = 0;
  /** When the log last told of what. */
  readonly #told = new Map<string, number>();

  constructor({ origins, recorder }: OwnContext, options: ProxyServerOptions, openFiles: number) {
    this.#origins = origins;
    this.#logger = options.logger;
    this.#limits = limitsOf(options, openFiles);
    const { total: limit } = this.#limits;
    this.#countRefused = connectionMetrics(recorder.metrics.registry, { open: () => this.#open, limit });
    this.#configured = options.maxConnections ?? limit;
    this.#openFiles = openFiles;
  }

  /** Says in the log where the process may open too few files for what the configuration gives to clients. */
  warn(): void {
    const { total: limit } = this.#limits;
    const openFiles = this.#openFiles;
    if (this.#configured <= limit) return;
    const message = `The process may open ${openFiles} files, so that clients get ${limit} connections; raise that limit (ulimit -n)`;
    this.#logger.warn({ event: 'connections_limited', limit, openFiles }, message);
  }

  /** Counts a new connection, or closes it. */
  take(socket: Socket): boolean {
    const peer = this.#origins.peerOf(socket);
    // All connections of a balancer come from its address.
    const counted = peer === undefined || peer.trusted ? undefined : countedAs(peer.address);
    const before = counted === undefined ? 0 : (this.#byAddress.get(counted) ?? 0);
    if (this.#open >= this.#limits.total) return this.#refuse(socket, 'total');
    if (before >= this.#limits.address) return this.#refuse(socket, 'address', peer?.address);
    this.#open++;
    if (counted !== undefined) this.#byAddress.set(counted, before + 1);
    socket.once('close', () => this.#release(counted));
    return true;
  }

  #release(counted: string | undefined): void {
    this.#open--;
    if (counted === undefined) return;
    const left = (this.#byAddress.get(counted) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(counted);
    else this.#byAddress.set(counted, left);
  }

  #refuse(socket: Socket, reason: RefusalReason, address?: string): false {
    this.#countRefused(reason);
    socket.destroy();
    const fields = { event: 'connections_refused', reason, limit: this.#limits[reason] };
    // As everywhere, a network and no address.
    if (address === undefined) this.#tell(reason, fields, 'Clients have all the connections of --max-connections');
    else this.#tell(reason, { ...fields, network: networkOf(address) }, `One address has all of --max-connections-per-address; ${remedy}`);
    return false;
  }

  /** A connection that the system did not hand over. */
  failed({ code }: NodeJS.ErrnoException): void {
    this.#tell('accept', { event: 'accept_failed', cause: code }, 'A connection of a client could not be taken');
  }

  /** Whoever opens thousands of connections does not get as many lines. */
  #tell(about: string, fields: object, message: string): void {
    const now = performance.now();
    if (now - (this.#told.get(about) ?? -Infinity) < quiet) return;
    this.#told.set(about, now);
    this.#logger.warn(fields, message);
  }
}

const remedy = 'if it is a balancer, name it in --trusted-proxies';

/** Of IPv6 everybody has a network of his own, with 2^64 addresses. */
const countedAs = remembering((address) => (isIPv6(address) ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString() : address));

/** Files that a process has open besides its connections: the store, the log, the key map, certificates, modules, what Node needs. */
const otherFiles = 96;

/**
 * Clients must leave what calls to v2 and the admin listener need: a process that cannot open another file can neither ask v2 nor record.
 * One address gets half, so that it takes nobody else's place.
 */
function limitsOf(
  { maxConnections, maxConnectionsPerAddress, connections }: ProxyServerOptions,
  openFiles: number,
): Record<RefusalReason, number> {
  // Two pools lead to v2: that of translated calls and that of those that pass through.
  const room = openFiles - 2 * connections - adminConnections - otherFiles;
  const total = Math.min(maxConnections ?? defaultMax, Math.max(room, Math.floor(openFiles / 4), 1));
  return { total, address: maxConnectionsPerAddress ?? Math.ceil(total / 2) };
}

/** The limit that the system sets for this process; infinite where it sets or tells none. */
function maxOpenFiles(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    // Only Linux tells. Elsewhere Node raises the limit at its start as far as it may.
    return Infinity;
  }
}
