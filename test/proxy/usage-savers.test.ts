/** Before a plan is bought, the report says what it would have to allow with reuse and coalescing, whatever v2 is asked now. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { usualBudget } from '../../src/budget/policy.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../src/contract/times.ts';
import { buildReport } from '../../src/report/build.ts';
import { saversText } from '../../src/report/text/savers-wording.ts';
import { openReader, openWriter } from '../../src/usage/store/open.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { reportDefaults } from '../helpers/usage-store.ts';
import { startOnTheRoad } from './rollout/road.ts';

const key = 'ak_live_0123456789abcdef';
const workspaces = [{ name: 'Acme', plan: 'Free', keys: ['ak_live_'] }] as const;
const began = Date.parse('2026-10-01T12:00:00Z');

interface Made {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const poll: Made = { path: '/v1/messages/msg_1', headers: { 'x-api-key': key } };
const send: Made = { method: 'POST', path: '/v1/messages/send', headers: { 'x-api-key': key, 'content-type': 'application/json' } };
const pollV2: Made = { path: '/v2/messages/msg_1', headers: { authorization: `Bearer ${key}` } };

/** What the report says of calls that are made every 7 seconds, and how many of them v2 was asked. */
async function saversOf(calls: readonly Made[], options: Partial<ProxyServerOptions> = {}, stage = 'translate') {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-v2-savers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'usage.db');
  let at = began;
  const now = (): number => at;
  const usage = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 400 * dayInMs, now });
  await using road = await startOnTheRoad({ rules: [{ stage }] }, { usage, now, workspaces, ...options });
  for (const { method = 'GET', path: target, headers = {} } of calls) {
    const body = method === 'POST' ? '{"channel":"SMS","to":"+1","content":"x"}' : null;
    await (await fetch(road.proxy.url + target, { method, headers, body })).text();
    at += 7_000;
  }
  await road.proxy.drain();
  await usage.close();
  const reader = await openReader(path);
  onTestFinished(() => reader.close());
  const report = await buildReport(reader, { since: { ago: dayInMs }, ...reportDefaults, workspaces, now: began + hourInMs + minuteInMs });
  const savers = report.workspaces[0]?.limit.savers;
  return {
    text: savers == null ? undefined : saversText(savers),
    left: savers?.settings.map(({ clockHour }) => clockHour?.v2Calls),
    asked: road.v2.seen.length,
  };
}

const polls = Array.from({ length: 250 }, () => poll);
const worst = '250 calls in its worst clock hour (from 2026-10-01 12:00 UTC)';
// All are sent, or one of 2, of 5 and of 9: no answer is ever exactly as old as it may be.
const left = [250, 250, 250, 125, 50, 28];

test('calls that v2 answers, while nothing is saved and nothing refused', async () => {
  const found = await saversOf(polls, { budget: { ...usualBudget, enabled: false } });
  expect(found).toEqual({ text: `${worst}; with reuse of 30 s and coalescing 50: fits Free`, left, asked: 250 });
});

test('calls that are saved indeed: as many are sent as is told, and none is counted as saved twice', async () => {
  const savers = (reuse: number) => saversOf(polls, { budget: { ...usualBudget, limit: 10_000, reuse: { getMessage: reuse } } });
  const text = `${worst}; with reuse of 30 s and coalescing 50: fits Free`;
  expect([await savers(10_000), await savers(60_000)]).toEqual([
    { text, left, asked: 125 },
    { text, left, asked: 28 },
  ]);
});

test('calls of which the budget refuses most', async () => {
  const { text, left: found, asked } = await saversOf(polls);
  expect([text, found]).toEqual([`${worst}; with reuse of 30 s and coalescing 50: fits Free`, left]);
  expect(asked).toBeLessThanOrEqual(100);
});

test('calls that v1 still answers', async () => {
  const found = await saversOf(polls, {}, 'observe');
  expect(found).toEqual({
    text: `${worst}, of which v1 still answers 250; with reuse of 30 s and coalescing 50: fits Free`,
    left,
    asked: 0,
  });
});

test('calls with sends between them, after which reads are asked anew', async () => {
  const { left: found } = await saversOf(
    polls.map((call, index) => (index % 3 === 2 ? send : call)),
    {},
    'observe',
  );
  expect(found).toEqual([250, 250, 250, 167, 167, 167]);
});

test('calls that clients make to v2 themselves, also those that the budget refuses', async () => {
  const { left: found, asked } = await saversOf(Array.from({ length: 150 }, () => pollV2));
  expect(found).toEqual([150, 150, 150, 150, 150, 150]);
  expect(asked).toBeLessThanOrEqual(100);
});
