import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { run, serve } from '../cli/run.ts';
import { listening, type Running } from '../helpers/process.ts';
import { type SeenRequest, startRecordingUpstream } from '../helpers/proxy.ts';

const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const v1 = 'v1-key-of-acme-0001';
const hashed = 'v1-key-of-beta-0002';
const sha256 = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** A folder whose files are replaced in one step; gone when the test is over. */
function folder() {
  const path = mkdtempSync(join(tmpdir(), 'keys-'));
  const put = (name: string, text: string): string => {
    writeFileSync(join(path, '.new'), text);
    renameSync(join(path, '.new'), join(path, name));
    return join(path, name);
  };
  return Object.assign(put, { [Symbol.dispose]: () => rmSync(path, { recursive: true }) });
}

async function get(url: string, key: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': key, connection: 'close' } });
  return [response.status, await response.json()];
}

const credentials = (seen: readonly SeenRequest[]): (string | undefined)[] =>
  seen.map(({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('Authorization') + 1]);

/** Waits until the map was read so many times, the first at the start. */
async function loaded({ stdout, child }: Running, times: number): Promise<void> {
  while (stdout.filter((line) => line.includes('key_map_loaded')).length < times) {
    await once(child.stdout, 'data');
    // The lines are told apart after the data has come.
    await nextTurn();
  }
}

const ok = [200, { success: true }];
const refused = [401, { success: false, error: 'Invalid API key' }];
const nothingLeaked = ({ stdout, stderr }: Running): void => {
  for (const line of [...stdout, ...stderr]) expect(line).not.toMatch(/v[12]-key-of-/);
};

// Side by side: most of their time they wait for processes and for the next look at the files.
test.concurrent('keys given in the clear and as hashes reach v2 as values, variables and files; others are refused without a call', async () => {
  using put = folder();
  const map = put(
    'keys.yaml',
    `keys:\n  - {v1: ${v1}, v2: env:ACME_KEY}\n  - {v1: "${sha256(hashed)}", v2: "file:beta"}\n  - {v1: plain, v2: v2-key-of-plain}\n...\n`,
  );
  put('beta', 'v2-key-of-beta\n');
  await using v2 = await startRecordingUpstream();
  const args = ['proxy', '--v2-base', v2.url, ...free, '--key-map', map];
  await using running = serve(args, { env: { ACME_KEY: 'v2-key-of-acme' } });
  const { url } = await listening(running);
  expect([await get(url, v1), await get(url, hashed), await get(url, 'plain')]).toEqual([ok, ok, ok]);
  expect(credentials(v2.seen)).toEqual(['Bearer v2-key-of-acme', 'Bearer v2-key-of-beta', 'Bearer v2-key-of-plain']);
  expect([await get(url, 'unlisted'), await get(url, 'v2-key-of-acme')]).toEqual([refused, refused]);
  expect(v2.seen).toHaveLength(3);
  expect(await running.stop()).toBe(0);
  nothingLeaked(running);
});

test.concurrent('a changed map and a changed key file are read again without a restart; a broken map leaves the old one in force', async () => {
  using put = folder();
  const map = put('keys.json', JSON.stringify({ keys: [{ v1, v2: 'v2-key-of-before' }] }));
  await using v2 = await startRecordingUpstream();
  await using running = serve(['proxy', '--v2-base', v2.url, ...free, '--key-map', map]);
  const { url } = await listening(running);
  expect(await get(url, v1)).toEqual(ok);

  put('acme', 'v2-key-of-file');
  put(
    'keys.json',
    JSON.stringify({
      keys: [
        { v1, v2: 'file:acme' },
        { v1: hashed, v2: 'v2-key-of-beta' },
      ],
    }),
  );
  await loaded(running, 2);
  expect(await get(url, v1)).toEqual(ok);

  put('acme', 'v2-key-of-changed');
  await loaded(running, 3);
  expect(await get(url, v1)).toEqual(ok);

  put('keys.json', `{"keys": [{"v1": "${v1}", "v2": "v2-key-of-broken"`);
  const said: object = JSON.parse(await running.line(/"key_map_rejected"/));
  const msg = expect.stringContaining('the last good map stays in force');
  expect(said).toMatchObject({ level: 40, code: 'KEY_MAP_SYNTAX', file: map, msg });
  expect(await get(url, v1)).toEqual(ok);

  put('keys.json', JSON.stringify({ keys: [{ v1: 'other', v2: 'v2-key-of-other' }] }));
  await loaded(running, 4);
  expect(await get(url, v1)).toEqual(refused);
  const used = ['before', 'file', 'changed', 'changed'].map((name) => `Bearer v2-key-of-${name}`);
  expect(credentials(v2.seen)).toEqual(used);
  expect(await running.stop()).toBe(0);
  nothingLeaked(running);
});

test.concurrent('a broken map at the start is a configuration error that shows no key', async () => {
  using put = folder();
  const map = put('keys.yaml', `keys:\n  - v1: v1-key-of-acme\n    v2: "v2-key-of-acme\n`);
  const { code, stdout, stderr } = await run(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free, '--key-map', map, '--verbose']);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain(`Key map ${map}: line`);
  expect(stderr).not.toMatch(/v[12]-key-of-/);
});

test.concurrent('a random hash secret is said once, since its hashes cannot be compared', async () => {
  await using random = serve(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free]);
  const line: object = JSON.parse(await random.line(/hash_secret_random/));
  expect(line).toMatchObject({ level: 30, msg: expect.stringContaining('set --hash-secret') });
  await random.stop();
  expect(random.stdout.filter((each) => each.includes('hash_secret_random'))).toHaveLength(1);
});

test.concurrent('the same hash secret, however it is given, gives the same hash in every process, and is not spoken of', async () => {
  const hashes = [];
  for (const [env, ...flags] of [[{ MIGRATE_V2_HASH_SECRET: 's3cr3t' }], [{ SECRET: 's3cr3t' }, '--hash-secret', 'env:SECRET']] as const) {
    await using running = serve(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free, ...flags], { env });
    const { url } = await listening(running);
    await fetch(`${url}/v1/nothing`, { headers: { 'x-api-key': v1 } });
    hashes.push(JSON.parse(await running.line(/deprecated_use/)).keyHash);
    await running.stop();
    expect(running.stdout.join('\n')).not.toMatch(/hash_secret_random|s3cr3t/);
  }
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(hashes[1]).toBe(hashes[0]);
});
