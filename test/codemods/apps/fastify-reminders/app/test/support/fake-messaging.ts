import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  path: string;
  body: unknown;
}

/** The messaging service as we use it: listens on a free port, and takes one key. */
export async function startFakeMessaging(apiKey = 'test-key') {
  const seen: Seen[] = [];
  const server = createServer(async (req, res) => {
    const answer = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(body));
    };
    if (req.headers['x-api-key'] !== apiKey) return answer(401, { error: { code: 'UNAUTHORIZED' } });
    const body = await read(req);
    seen.push({ method: req.method!, path: req.url!, body });
    if (req.method === 'POST' && req.url === '/v1/messages/send') return answer(200, { messageId: `m${seen.length}` });
    if (req.method === 'POST' && req.url === '/v1/contacts') return answer(201, { data: { id: 'c1', ...(body as object) } });
    const message = /^\/v1\/messages\/([^/]+)$/.exec(req.url!);
    if (req.method === 'GET' && message) return answer(200, { data: { messageId: message[1], status: 'DELIVERED' } });
    return answer(404, { error: { code: 'NOT_FOUND' } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function read(req: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}
