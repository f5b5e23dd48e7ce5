/** A real PostgreSQL for tests: on loopback, with its data in a folder of its own. */
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createPostgres, owner, type Server } from './postgres-server.ts';

export interface Databases {
  /** The address of an empty database, which the test has for itself. */
  address(): Promise<string>;
  /** Does something with a database by hand. */
  by<T>(address: string, work: (client: Client) => Promise<T>): Promise<T>;
}

export interface Cluster extends Databases {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** In the server of the whole run, for the tests of a file or group; see postgres-run.ts. */
export function useDatabases(): Databases {
  let port: number;
  beforeAll(async () => {
    const answer = await fetch(process.env['POSTGRES_DESK'] ?? '');
    const said = await answer.text();
    if (!answer.ok) throw new Error(said);
    port = Number(said);
  });
  return databasesOf(() => port, emptied);
}

/** A server that the tests of a file or group may stop: started before them, and gone after them. */
export function useCluster(): Cluster {
  let server: Server | undefined;
  const running = (): Server => {
    if (server === undefined) throw new Error('The cluster runs within tests only');
    return server;
  };

  beforeAll(async () => {
    server = await createPostgres(owner);
    await server.start();
  });

  afterAll(async () => {
    await server?.stop();
    server?.remove();
  });

  return { ...databasesOf(() => running().port, []), stop: () => running().stop(), start: () => running().start() };
}

let databases = 0;
/** Of the server of the whole run, from whichever file. */
const emptied: string[] = [];

/** @param free emptied by the tests that had them: making one takes ten times as long */
function databasesOf(port: () => number, free: string[]): Databases {
  const addressOf = (database: string): string =>
    `postgres://${owner.name}:${encodeURIComponent(owner.password)}@127.0.0.1:${port()}/${database}`;

  const by: Databases['by'] = async (address, work) => {
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  const made = async (): Promise<string> => {
    const name = `usage_${process.pid}_${++databases}`;
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
  };
}
