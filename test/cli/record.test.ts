import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyFingerprinter } from '../../src/usage/key-fingerprint.ts';
import { openReader } from '../../src/usage/store/open.ts';
import { listening } from '../helpers/process.ts';
import { startUpstream } from '../helpers/proxy.ts';
import { run, serve } from './run.ts';

const free = ['proxy', '--sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'migrate-v2-record-'));
});
afterEach(() => rm(cwd, { recursive: true }));

/** Calls in the store of the test. */
async function recordedCalls(): Promise<number> {
  const reader = await openReader(join(cwd, 'usage.db'));
  let calls = 0;
  for await (const { counts } of reader.totals({ since: 0, until: Date.now() + 60_000 })) calls += counts.calls;
  await reader.close();
  return calls;
}

async function recordedSessions() {
  const reader = await openReader(join(cwd, 'usage.db'));
  const sessions = await reader.sessions({ since: 0, until: Date.now() + 60_000 });
  await reader.close();
  return sessions;
}

/** Holds a store as another process would, as soon as the proxy, which may be writing to it, lets it go. */
function hold(path: string): DatabaseSync {
  const other = new DatabaseSync(path, { timeout: 30_000 });
  other.exec('BEGIN IMMEDIATE');
  return other;
}

const key = 'ak_live_0123456789abcdef';
const call = async (url: string): Promise<number> => (await fetch(`${url}/v1/contacts`)).status;

test('what was called up to SIGTERM is in the store, and hashes are the same after a restart', async () => {
  const hashes = new Set<unknown>();
  for (let start = 0; start < 2; start++) {
    await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
    const { url } = await listening(proxy);
    await fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': key } });
    expect(await proxy.stop()).toBe(0);
    for (const line of proxy.stdout.filter((text) => text.includes('deprecated_use'))) hashes.add(JSON.parse(line).keyHash);
    expect(await recordedCalls()).toBe(start + 1);
  }
  expect(hashes.size).toBe(1);
});

test.each([
  ['SIGTERM', true],
  ['SIGKILL', false],
] as const)('after %s the store says that the record was ended: %s', async (signal, ended) => {
  await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
  const { url } = await listening(proxy);
  await call(url);
  await expect.poll(recordedCalls).toBe(1);
  await proxy.stop(signal);
  expect((await recordedSessions()).map((session) => session.ended)).toEqual([ended]);
});

test('a proxy that is killed while it waits for its last answer has said that its record ends', async () => {
  await using v2 = await startUpstream(() => undefined);
  const v2Base = ['proxy', '--v2-base', v2.url, ...free.slice(2)];
  await using proxy = serve([...v2Base, '--store', 'usage.db'], { cwd });
  const { url } = await listening(proxy);
  const asked = once(v2.server, 'request');
  const answer = fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': key } }).catch(() => undefined);
  await asked;
  proxy.child.kill('SIGTERM');
  await expect.poll(async () => (await recordedSessions()).map(({ ended }) => ended)).toEqual([true]);
  expect(proxy.child.exitCode).toBeNull();
  await proxy.stop('SIGKILL');
  await answer;
});

test('a store that is begun anew knows keys by the hashes that the proxy goes on making', async () => {
  await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
  const { url } = await listening(proxy);
  const callWithKey = () => fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': key } });
  await callWithKey();
  await expect.poll(recordedCalls).toBe(1);
  for (const file of ['usage.db', 'usage.db-wal', 'usage.db-shm']) await rm(join(cwd, file), { force: true });
  await callWithKey();
  await proxy.line(/usage_store_works/);
  expect(await proxy.stop()).toBe(0);
  const reader = await openReader(join(cwd, 'usage.db'));
  const [caller] = await reader.callers();
  await reader.close();
  expect(caller?.keyHash).toBe(keyFingerprinter(reader.hashSecret)(key).hash);
});

test('calls that the store does not take before the end are told, and missing in the record', async () => {
  const path = join(cwd, 'usage.db');
  await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
  const { url } = await listening(proxy);
  const other = hold(path);
  for (let calls = 0; calls < 3; calls++) await call(url);
  expect(await proxy.stop()).toBe(0);
  expect(JSON.parse(await proxy.line(/"usage_lost"/))).toMatchObject({ level: 50, lost: 3 });
  other.close();
  await using next = serve([...free, '--store', 'usage.db'], { cwd });
  await listening(next);
  expect(await next.stop()).toBe(0);
  const reader = await openReader(path);
  const gaps = await reader.gaps({ since: 0, until: Date.now() + 60_000 });
  await reader.close();
  expect(gaps.map(({ calls }) => calls)).toEqual([3]);
});

test('a store that another process holds stops no call, is told, and gets what waited once it is free', async () => {
  await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
  const { url, adminUrl } = await listening(proxy);
  const other = hold(join(cwd, 'usage.db'));
  expect(await call(url)).toBe(401);
  expect(JSON.parse(await proxy.line(/usage_store_fails/))).toMatchObject({ level: 40, code: 'STORE_LOCKED', backlog: 1 });
  expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain('migrate_v2_usage_store_up 0');
  expect(await call(url)).toBe(401);
  other.exec('ROLLBACK');
  other.close();
  await proxy.line(/usage_store_works/);
  expect(await proxy.stop()).toBe(0);
  expect(await recordedCalls()).toBe(2);
});

test('a file that is no store is not written to: the proxy does not start, and says how it would', async () => {
  await writeFile(join(cwd, 'usage.db'), 'this is somebody else’s file, and long enough to be looked at as a database'.repeat(20));
  const { code, stderr } = await run([...free, '--store', 'usage.db'], { cwd });
  expect(code).toBe(4);
  expect(stderr).toMatch(/^migrate-v2: --store: .*usage\.db.*; or give --store none to serve without a record\n$/);
});

test('without a store nothing is recorded', async () => {
  await using proxy = serve([...free, '--store', 'none'], { cwd });
  const { url, adminUrl } = await listening(proxy);
  expect(await call(url)).toBe(401);
  expect(await (await fetch(`${adminUrl}/metrics`)).text()).not.toContain('migrate_v2_usage_');
  expect((await fetch(`${adminUrl}/usage`)).status).toBe(404);
});

test('the record is shown on the admin listener, and an open page does not keep the proxy', async () => {
  await using proxy = serve([...free, '--store', 'usage.db'], { cwd });
  const { url, adminUrl } = await listening(proxy);
  await call(url);
  await expect.poll(async () => (await fetch(`${adminUrl}/usage`)).text()).toContain('GET /v2/contacts');
  const events = await fetch(`${adminUrl}/usage/events`);
  expect(events.status).toBe(200);
  expect(await proxy.stop()).toBe(0);
  await events.body?.cancel().catch(() => undefined);
});
