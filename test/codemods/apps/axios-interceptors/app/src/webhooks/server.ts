import { createServer, type Server } from 'node:http';

/** What the clinic's own page asks: `/v1/messages/…` here is ours. */
export function createStatusServer(keys: ReadonlySet<string>, status: (id: string) => Promise<string | undefined>): Server {
  return createServer(async (req, res) => {
    const [, id] = /^\/v1\/messages\/([\w-]+)$/.exec(req.url ?? '') ?? [];
    const key = req.headers['x-api-key'];
    if (typeof key !== 'string' || !keys.has(key)) return void res.writeHead(401).end();
    const found = id === undefined ? undefined : await status(id);
    res.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: found }));
  });
}
