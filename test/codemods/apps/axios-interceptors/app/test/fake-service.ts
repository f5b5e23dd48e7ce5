import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string | undefined;
  url: string | undefined;
  body: unknown;
}

async function jsonOf(req: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}

/** Stands in for the messaging service. */
export async function startFakeService(key: string) {
  const asked: Asked[] = [];
  const server = createServer(async (req, res) => {
    const { method, url } = req;
    const answer = (status: number, body: unknown) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (req.headers['x-api-key'] !== key) return void answer(401, { error: 'Invalid API key' });
    asked.push({ method, url, body: await jsonOf(req) });
    if (method === 'POST' && url === '/v1/messages/send') answer(201, { messageId: 'm1' });
    else if (method === 'POST' && url === '/v1/contacts') answer(201, { id: 'c1' });
    else if (method === 'GET' && url?.startsWith('/v1/messages/')) answer(200, { status: 'DELIVERED' });
    else answer(404, { error: 'Not found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, base: `http://127.0.0.1:${port}`, close: () => server.close() };
}
