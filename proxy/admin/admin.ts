/** The admin listener: health, readiness, metrics and the pages about usage, apart from the traffic. */
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { type WorkspaceHour, hourRecord } from '../../src/budget/hours.ts';
import type { AdminPages } from '../options.ts';
import type { Stages } from '../stages.ts';
import { actOnRoad } from './road.ts';
import { createAccess, signInPath } from './access.ts';

/** Connections to the admin listener at most: people with its pages open, and machines that ask now and then. */
export const adminConnections = 256;

/** What the listener shows of a proxy, of however many processes that is. */
export interface Shown {
  readonly registry: Pick<Registry, 'contentType' | 'metrics'>;
  hours(): readonly WorkspaceHour[] | Promise<readonly WorkspaceHour[]>;
  /** Whether calls may be sent here. */
  ready(): Promise<boolean>;
  /** Undefined without a roll-out. */
  readonly road: Pick<Stages, 'live' | 'rollout' | 'road'> | undefined;
  now(): number;
}

export interface AdminOptions {
  /** Without it the listener is open to whoever reaches it. */
  readonly token?: string | undefined;
  readonly pages?: AdminPages | undefined;
  readonly isDraining: () => boolean;
}

const needsToken = 'whoever can reach the listener could change the roll-out; set --admin-token, or use migrate-v2 rollout stop';

type Answer = readonly [status: number, type: string, body: string];

/** Creates the admin listener; it is not listening yet. */
export function createAdmin(shown: Shown, { token, pages, isDraining }: AdminOptions): Server {
  const { registry, road } = shown;
  const access = createAccess(token, () => shown.now());
  const live = road && (() => road.live());
  // Open to everybody: load balancers and orchestrators ask without credentials, and the answers say nothing else.
  const health: Readonly<Record<string, () => Promise<Answer>>> = {
    '/healthz': async () => [200, 'application/json', JSON.stringify({ status: 'ok' })],
    '/readyz': async () => {
      const status = isDraining() ? 'draining' : (await shown.ready()) ? 'ready' : 'upstream unreachable';
      return [status === 'ready' ? 200 : 503, 'application/json', JSON.stringify({ status })];
    },
  };
  const paths = [...Object.keys(health), '/metrics', '/budget'];
  const metrics = async (): Promise<Answer> => [200, registry.contentType, await registry.metrics()];

  const hours = async (): Promise<Answer> => [200, 'application/json', JSON.stringify({ hours: (await shown.hours()).map(hourRecord) })];

  const server = createServer((req, res) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const open = isRead ? health[path] : undefined;
    if (open !== undefined) return answer(res, open());
    if (req.method === 'POST' && path === signInPath) return void access.signIn(req, res).catch(() => res.destroy());
    if (path === '/metrics' && isRead) return access.allows(req, 'data') ? answer(res, metrics()) : access.refuse(req, res);
    if (path === '/budget' && isRead) return access.allows(req, 'data') ? answer(res, hours()) : access.refuse(req, res);
    if (!access.allows(req, 'pages')) return access.refuse(req, res);
    if (road !== undefined && req.method === 'POST' && path.startsWith('/rollout/')) {
      if (token === undefined) return answer(res, Promise.resolve([403, 'application/json', JSON.stringify({ status: needsToken })]));
      if (actOnRoad(req, res, road)) return;
    }
    if (pages?.(req, res, live)) return;
    // Relative, as whatever stands in front may have a prefix of its own.
    if (path === '/' && isRead && pages !== undefined) return void res.writeHead(302, { Location: './usage', 'Content-Length': 0 }).end();
    if (path === '/' && isRead) return answer(res, Promise.resolve([200, 'application/json', JSON.stringify({ paths })]));
    answer(res, Promise.resolve([404, 'application/json', JSON.stringify({ status: 'not found' })]));
  });
  server.maxConnections = adminConnections;
  return server;
}

function answer(res: ServerResponse, made: Promise<Answer>): void {
  const send = ([status, type, body]: Answer): void => {
    res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
  made.then(send, () => send([500, 'application/json', JSON.stringify({ status: 'failed' })]));
}
