/** Starts the standalone proxy for tests: real listener on port 0, log lines kept in memory. */
import { pino } from 'pino';
import type { AddressInfo } from 'node:net';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type Server as NetServer, type Socket, createServer as createNetServer } from 'node:net';
import { once } from 'node:events';
import { usualBudget } from '../../src/budget/policy.ts';
import { type Assumptions, assume } from '../../src/contract/assumptions.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { type RunningProxy, startProxy } from '../../proxy/server.ts';

const second = 1_000;

const started = Date.now();
/** A clock that runs and begins on a day long before the sunset, which the proxy would warn of: tests pass on every day. */
const beforeTheSunset = (): number => Date.parse('2026-08-01T12:00:00Z') + Date.now() - started;

/** Options with the defaults that people get, except for the ports. */
export function proxyOptions(v2Base: string, overrides: Partial<ProxyServerOptions> = {}): ProxyServerOptions {
  return {
    v2Base,
    logger: pino({ enabled: false }),
    assumptions: assume(),
    hashSecret: 'test',
    mappings: {},
    queryRenames: {},
    // Many tests ask the same many times at once, to have as many calls of v2.
    budget: { ...usualBudget, coalesce: false },
    clients: [],
    workspaces: [],
    ignore: [],
    metricsClients: 0,
    forwarded: 'x-forwarded-for',
    trustedProxies: [],
    trustedField: 'either',
    connections: 128,
    queue: 512,
    maxBody: 1024 * 1024,
    connectTimeout: 3 * second,
    headersTimeout: 15 * second,
    bodyTimeout: 60 * second,
    keepAlive: 4 * second,
    unreadyAfter: 10 * second,
    now: beforeTheSunset,
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    headTimeout: 10 * second,
    requestTimeout: 60 * second,
    drainTimeout: 5 * second,
    drainDelay: 0,
    ...overrides,
  };
}

/** A log line as pino wrote it. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Log lines as they are written, and a way to wait for one. */
export class LogLines {
  readonly lines: LogLine[] = [];
  readonly logger = pino({ base: null, level: 'debug' }, { write: (text: string) => this.#add(JSON.parse(text)) });
  readonly #waiting: (() => void)[] = [];

  #add(line: LogLine): void {
    this.lines.push(line);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  of(event: string): LogLine[] {
    return this.lines.filter((line) => line['event'] === event);
  }

  /** Resolves with the first `count` lines of that event. */
  async waitFor(event: string, count = 1): Promise<LogLine[]> {
    while (this.of(event).length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.of(event).slice(0, count);
  }
}

export interface TestProxy extends AsyncDisposable, Pick<RunningProxy, 'hours'> {
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
  readonly log: LogLines;
  drain(): Promise<void>;
}

/** Starts the proxy in front of `v2Base`; ended by `await using`. */
export async function startTestProxy(
  v2Base: string,
  overrides: Partial<ProxyServerOptions> & { readonly assume?: Partial<Assumptions> } = {},
): Promise<TestProxy> {
  const log = new LogLines();
  const { assume: assumed, ...options } = overrides;
  const running = await startProxy(proxyOptions(v2Base, { logger: log.logger, assumptions: assume(assumed), drainTimeout: 1, ...options }));
  running.warn();
  return { ...running, port: Number(new URL(running.url).port), log, [Symbol.asyncDispose]: () => running.drain() };
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Listens on a free port of 127.0.0.1; ended by `await using`, connections first. */
async function listenOnFreePort<S extends NetServer>(server: S, endConnections: () => void): Promise<TestServer & { readonly server: S }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      endConnections();
      await closed;
    },
  };
}

/** A v2 of the test's own making, over HTTP. */
export function startUpstream(listener: RequestListener): Promise<TestServer & { readonly server: Server }> {
  const server = createServer(listener);
  return listenOnFreePort(server, () => server.closeAllConnections());
}

/** A v2 that speaks bytes: what no HTTP server can be made to do. */
export function startRawUpstream(onConnection: (socket: Socket) => void): Promise<TestServer & { readonly server: NetServer }> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  return listenOnFreePort(server, () => sockets.forEach((socket) => socket.destroy()));
}

/** A request that a v2 of the test's own making saw. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A v2 that remembers its requests and answers each with `answer`. */
export async function startRecordingUpstream(
  answer: RequestListener = (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true}'),
): Promise<TestServer & { readonly server: Server; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const upstream = await startUpstream((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      seen.push({ method: req.method ?? '', url: req.url ?? '', rawHeaders: req.rawHeaders, body: Buffer.concat(chunks).toString() });
      answer(req, res);
    });
  });
  return { ...upstream, seen };
}
