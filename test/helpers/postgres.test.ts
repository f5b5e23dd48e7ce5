import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { linkTree } from './build.ts';
import { freePort } from './port.ts';
import { createPostgres, packagedBinaries } from './postgres-server.ts';

const user = { name: 'owner', password: 'secret' };

/** Starts a server for one test, and gives who is known to it. */
async function ownerOf(where: Parameters<typeof createPostgres>[1]): Promise<unknown> {
  const server = await createPostgres(user, where);
  onTestFinished(async () => {
    await server.stop();
    server.remove();
  });
  await server.start();
  const client = new Client({ host: '127.0.0.1', port: server.port, user: user.name, password: user.password, database: 'postgres' });
  await client.connect();
  const { rows } = await client.query<{ owner: string }>('SELECT current_user AS owner');
  await client.end();
  return rows[0]?.owner;
}

/** As mkdtemp makes them, for nobody but their owner. */
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a server whose port another process takes meanwhile starts on the next', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const taken = typeof address === 'object' && address !== null ? [address.port] : [];
  expect(await ownerOf({ freePort: async () => taken.shift() ?? freePort() })).toBe(user.name);
  expect(taken).toEqual([]);
});

describe.runIf(process.getuid?.() === 0)('a server of root', () => {
  test('runs as nobody, also where others reach neither its binaries nor the first folder, and makes no user for it', async () => {
    const users = readFileSync('/etc/passwd', 'utf8');
    const shut = privateFolder();
    const binaries = join(shut, 'native');
    linkTree(packagedBinaries(), binaries);
    expect(await ownerOf({ binaries, places: [shut, tmpdir(), '/tmp', '/var/tmp'] })).toBe(user.name);
    expect(readdirSync(shut)).toEqual(['native']);
    expect(readFileSync('/etc/passwd', 'utf8')).toBe(users);
  });

  test('is refused with the reason where no folder can be entered, and leaves nothing behind', async () => {
    const shut = privateFolder();
    await expect(createPostgres(user, { places: [shut] })).rejects.toThrow(
      /^PostgreSQL cannot run here; .* TMPDIR.*\nin .*(?:permission denied|EACCES)/is,
    );
    expect(readdirSync(shut)).toEqual([]);
  });
});
