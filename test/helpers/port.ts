/** A port for those that cannot be asked which one they took. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** One of 127.0.0.1 that nobody listens on, until somebody does. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
