/** Reads that wait for a place which is about to come: writes neither wait behind them nor for want of room. */
import { expect, test } from 'vitest';
import { usualBudget } from '../../../src/budget/policy.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { startRecordingUpstream, startTestProxy } from '../../helpers/proxy.ts';
import { call } from '../../helpers/sandbox.ts';

const key = 'ak_acme_0123456789';

/** A proxy whose hour is nearly over, by a clock that is turned. Of what is kept for writes the next place is given out in two seconds. */
async function start() {
  const { clock } = createSandbox({ clock: '2026-08-01T12:54:58Z' });
  const v2 = await startRecordingUpstream();
  const proxy = await startTestProxy(v2.url, {
    budget: { ...usualBudget, limit: 40, reserve: 1, coalesce: false, pace: { sends: 20_000, waiting: 3 } },
    workspaces: [{ name: 'Acme', plan: 'Free', keys: [key] }],
    now: clock.now,
    timers: { now: clock.now, set: (run, delay) => clock.at(clock.now() + delay, run) },
    drainTimeout: 1_000,
  });
  const read = () => call(proxy.url, 'GET /v1/contacts', { key });
  const write = () => call(proxy.url, 'POST /v1/campaigns', { key, json: { name: 'A' } });
  for (let made = 0; made < 19; made++) expect((await read()).status).toBe(200);
  const waiting = async (expected: number): Promise<void> => {
    const metrics = async (): Promise<string> => (await fetch(`${proxy.adminUrl}/metrics`)).text();
    await expect.poll(metrics).toContain(`migrate_v2_budget_waiting ${expected}\n`);
  };
  const dispose = async (): Promise<void> => {
    await proxy.drain();
    await v2[Symbol.asyncDispose]();
  };
  return { clock, read, write, waiting, [Symbol.asyncDispose]: dispose };
}

test('a write that has a place does not wait behind a read of its key that has none', async () => {
  await using road = await start();
  const read = road.read();
  await road.waiting(1);
  expect((await road.write()).status).toBe(200);
  await road.clock.advance('3s');
  // The write has taken one of the places that were kept for writes, so that this one is free for reads.
  expect((await read).status).toBe(200);
});

test('reads that wait take no room from writes that do', async () => {
  await using road = await start();
  const reads = [road.read(), road.read(), road.read()];
  await road.waiting(3);
  expect((await road.read()).status).toBe(429);
  for (let made = 0; made < 21; made++) expect((await road.write()).status).toBe(200);
  await road.clock.advance('4s');
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([429, 429, 429]);

  await road.clock.set('2026-08-01T12:59:59Z');
  const late = [road.read(), road.read(), road.read()];
  await road.waiting(3);
  const write = road.write();
  await road.waiting(4);
  await road.clock.set('2026-08-01T13:00:03Z');
  expect((await write).status).toBe(200);
  await Promise.all(late);
});
