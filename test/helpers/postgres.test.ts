import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { linkTree } from './build.ts';
import { createPostgres, packagedBinaries } from './postgres-server.ts';
import { freePort } from './postgres.ts';

const user = { name: 'owner', password: 'secret' };

/** As mkdtemp makes them, for nobody but their owner. */
function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.runIf(process.getuid?.() === 0)('a cluster of root', () => {
  test('runs as nobody, also where others reach neither its binaries nor the first folder, and makes no user for it', async () => {
    const users = readFileSync('/etc/passwd', 'utf8');
    const shut = privateFolder();
    linkTree(packagedBinaries(), join(shut, 'native'));
    const where = { binaries: join(shut, 'native'), places: [shut, tmpdir(), '/tmp', '/var/tmp'] };
    const server = await createPostgres(await freePort(), user, where);
    onTestFinished(async () => {
      await server.stop();
      server.remove();
    });
    await server.start();
    const client = new Client({ host: '127.0.0.1', port: server.port, user: user.name, password: user.password, database: 'postgres' });
    await client.connect();
    expect((await client.query('SELECT current_user')).rows).toEqual([{ current_user: user.name }]);
    await client.end();
    expect(readdirSync(shut)).toEqual(['native']);
    expect(readFileSync('/etc/passwd', 'utf8')).toBe(users);
  });

  test('is refused with the reason where no folder can be entered, and leaves nothing behind', async () => {
    const shut = privateFolder();
    await expect(createPostgres(0, user, { places: [shut] })).rejects.toThrow(
      /^PostgreSQL cannot run here; .* TMPDIR.*\nin .*(?:permission denied|EACCES)/is,
    );
    expect(readdirSync(shut)).toEqual([]);
  });
});
