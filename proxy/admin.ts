/** The admin listener: health, readiness and metrics, apart from the traffic. */
import { type Server, createServer } from 'node:http';
import type { Context } from './context.ts';

/** Creates the admin listener; it is not listening yet. */
export function createAdmin({ recorder, upstream }: Context, isDraining: () => boolean): Server {
  const { registry } = recorder.metrics;
  const answers: Readonly<Record<string, () => Promise<[status: number, type: string, body: string]>>> = {
    '/healthz': async () => [200, 'application/json', JSON.stringify({ status: 'ok' })],
    '/readyz': async () => {
      const status = isDraining() ? 'draining' : (await upstream.health.ready()) ? 'ready' : 'upstream unreachable';
      return [status === 'ready' ? 200 : 503, 'application/json', JSON.stringify({ status })];
    },
    '/metrics': async () => [200, registry.contentType, await registry.metrics()],
  };
  return createServer((req, res) => {
    const answer = req.method === 'GET' || req.method === 'HEAD' ? answers[req.url?.split('?', 1)[0] ?? ''] : undefined;
    const send = ([status, type, body]: [number, string, string]): void => {
      res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
    };
    if (answer === undefined) return send([404, 'application/json', JSON.stringify({ status: 'not found' })]);
    answer().then(send, () => send([500, 'application/json', JSON.stringify({ status: 'failed' })]));
  });
}
