/** Around a whole run: one PostgreSQL for the databases of all files, started when the first of them asks where it is. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPostgres, owner, type Server } from './postgres-server.ts';

export default async function setup(): Promise<() => Promise<void>> {
  let started: Promise<Server> | undefined;
  const start = async (): Promise<Server> => {
    const server = await createPostgres(owner);
    await server.start();
    return server;
  };
  const desk = createServer((_, response) => {
    started ??= start();
    started.then(
      ({ port }) => response.end(String(port)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  // A listening TCP server's address is no string.
  process.env['POSTGRES_DESK'] = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
  return async () => {
    desk.close();
    const server = await started?.catch(() => undefined);
    await server?.stop();
    server?.remove();
  };
}
