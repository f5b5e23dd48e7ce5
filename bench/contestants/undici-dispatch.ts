/** The floor of a proxy on Node: node:http in front, undici's dispatch behind; path and header are changed, nothing is checked. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

const pool = new Pool(process.argv[2] ?? '', { connections: 64 });
const server = createServer(relay);
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` }));
});
// Ends by itself, so that --cpu-prof can write its file.
process.once('SIGTERM', () => process.exit());

function relay(req: IncomingMessage, res: ServerResponse): void {
  const body = req.method === 'GET' ? null : req;
  const path = `/v2${req.url?.slice('/v1'.length)}`;
  pool.dispatch({ method: req.method ?? 'GET', path, headers: translated(req.rawHeaders), body }, {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      res.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (res.write(chunk)) return;
      controller.pause();
      res.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError(_controller, error) {
      res.destroy(error);
    },
  } satisfies Dispatcher.DispatchHandler);
}

function translated(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    if (name === 'x-api-key') headers.push('Authorization', `Bearer ${value}`);
    else if (name.toLowerCase() !== 'connection') headers.push(name, value);
  }
  return headers;
}
