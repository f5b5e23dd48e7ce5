/** Calls to v2 that pass the proxy use up the limit that v1 calls meet there, and are no use of v1. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Budget, usualBudget } from '../../src/budget/policy.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { openReader, openWriter } from '../../src/usage/store/open.ts';
import type { Workspace } from '../../src/usage/workspaces.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const key = 'ak_live_0123456789abcdef';
const now = Date.parse('2026-10-01T12:30:30Z');
const acme: Workspace = { name: 'Acme', plan: 'Free', keys: ['ak_live_'] };

/** What is sent is counted, and nothing of it refused. */
const counted: Budget = { ...usualBudget, enabled: false };

type Call = (path: string, times: number, headers?: Record<string, string>, method?: string) => Promise<void>;

/** The report on calls through a proxy that records. */
async function reportOn(calls: (call: Call) => Promise<void>, options: Partial<ProxyServerOptions> = {}): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-v2-limits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'usage.db');
  await using v2 = await startRecordingUpstream();
  const usage = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 400 * dayInMs, now: () => now });
  const proxy = await startTestProxy(v2.url, { usage, now: () => now, workspaces: [acme], budget: counted, ...options });
  await calls(async (target, times, headers = {}, method = 'GET') => {
    const one = async (): Promise<unknown> =>
      (await fetch(proxy.url + target, { method, headers: { 'user-agent': 'curl/8.5.0', ...headers } })).text();
    for (let made = 0; made < times; made += 30) await Promise.all(Array.from({ length: Math.min(30, times - made) }, one));
  });
  await proxy.drain();
  await usage.close();
  const reader = await openReader(path);
  onTestFinished(() => reader.close());
  return buildReport(reader, {
    since: { ago: dayInMs },
    workspaces: [acme],
    ignore: [],
    assumptions: {},
    rarestJob: 31 * dayInMs,
    replicas: [],
    now: now + 60_000,
  });
}

const ofV1 = { 'x-api-key': key };
const ofV2 = { authorization: `Bearer ${key}` };
const limitOf = ({ workspaces }: Report) => workspaces.map(({ name, limit: { fit, sliding } }) => [name, fit, sliding?.v2Calls]);

test('90 v1 calls and 90 v2 calls of a key in an hour are 180 of 100, and the latter change nothing else', async () => {
  const alone = await reportOn((call) => call('/v1/contacts', 90, ofV1));
  expect(limitOf(alone)).toEqual([['Acme', 'fits', 90]]);
  const both = await reportOn(async (call) => {
    await call('/v1/contacts', 90, ofV1);
    await call('/v2/contacts', 90, ofV2);
  });
  expect(limitOf(both)).toEqual([['Acme', 'exceeds', 180]]);
  const withoutLimits = (report: Report): unknown =>
    JSON.parse(JSON.stringify(report, (name, value: unknown) => (['limit', 'duration'].includes(name) ? undefined : value)));
  expect(withoutLimits(both)).toEqual(withoutLimits(alone));
});

test('who only calls v2 is no client of v1', async () => {
  const report = await reportOn((call) => call('/v2/contacts', 9, ofV2));
  expect(limitOf(report)).toEqual([['Acme', 'fits', 9]]);
  expect(report).toMatchObject({ total: { calls: 0 }, clients: [], keys: [], verdict: { state: 'unknown' } });
});

test('what has no key, or never reaches v2, uses up nothing', async () => {
  const report = await reportOn(async (call) => {
    await call('/v1/contacts', 1, ofV1);
    await call('/v2/contacts', 5);
    await call('/v2/contacts', 5, { ...ofV2, 'max-forwards': '0' }, 'OPTIONS');
  });
  expect(limitOf(report)).toEqual([['Acme', 'fits', 1]]);
});

test('calls with the v2 key that stands for a v1 key count with those of the v1 key', async () => {
  const keyMap = { lookup: (v1Key: string) => (v1Key === key ? 'v2-key-of-acme' : undefined), close: () => undefined };
  const report = await reportOn(
    async (call) => {
      await call('/v1/contacts', 60, ofV1);
      await call('/v2/contacts', 60, { authorization: 'Bearer v2-key-of-acme' });
    },
    { keyMap },
  );
  expect(limitOf(report)).toEqual([['Acme', 'exceeds', 120]]);
});
