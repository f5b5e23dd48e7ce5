/** A real PostgreSQL for the tests of one file: on loopback, with its data in a folder of its own, and gone with the file. */
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createPostgres, type Server } from './postgres-server.ts';

const user = { name: 'owner', password: 'p@ss/w?rd#1' };

export interface Cluster {
  /** The address of a new, empty database. */
  address(): Promise<string>;
  /** Does something with a database by hand. */
  by<T>(address: string, work: (client: Client) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a cluster before the tests of a file or group, and stops it after them. */
export function useCluster(): Cluster {
  let server: Server | undefined;
  let databases = 0;
  const running = (): Server => {
    if (server === undefined) throw new Error('The cluster runs within tests only');
    return server;
  };
  const addressOf = (database: string): string =>
    `postgres://${user.name}:${encodeURIComponent(user.password)}@127.0.0.1:${running().port}/${database}`;

  beforeAll(async () => {
    server = await createPostgres(user);
    await server.start();
  });

  afterAll(async () => {
    await server?.stop();
    server?.remove();
  });

  const by: Cluster['by'] = async (address, work) => {
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  return {
    by,
    async address() {
      const name = `usage_${++databases}`;
      await by(addressOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
      return addressOf(name);
    },
    stop: () => running().stop(),
    start: () => running().start(),
  };
}
