/** A real PostgreSQL for the tests of one file: on loopback, with its data in a folder of its own, and gone with the file. */
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createPostgres, type Server } from './postgres-server.ts';

const user = { name: 'owner', password: 'p@ss/w?rd#1' };

export interface Cluster {
  /** The address of an empty database, which the test has for itself. */
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
  /** Emptied by the tests that had them: making one takes ten times as long. */
  const free: string[] = [];
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

  const made = async (): Promise<string> => {
    const name = `usage_${++databases}`;
    await by(addressOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
    return addressOf(name);
  };

  return {
    by,
    async address() {
      const address = free.pop() ?? (await made());
      onTestFinished(async () => {
        await by(address, (client) =>
          client.query('DROP SCHEMA IF EXISTS migrate_v2 CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public'),
        );
        free.push(address);
      });
      return address;
    },
    stop: () => running().stop(),
    start: () => running().start(),
  };
}
