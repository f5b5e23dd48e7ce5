import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Reports } from '../../../src/report/live/reports.ts';
import { viewOf } from '../../../src/report/live/view.ts';
import { daily, reportDefaults, storeWith } from '../../helpers/usage-store.ts';

const view = viewOf(new URLSearchParams());

/** The threads that are started from now on, and when each has ended. */
function threads(): Promise<unknown>[] {
  const ended: Promise<unknown>[] = [];
  const started = (message: unknown): void => {
    const { worker } = message as { readonly worker: Worker };
    ended.push(once(worker, 'exit'));
  };
  diagnostics.subscribe('worker_threads', started);
  onTestFinished(() => void diagnostics.unsubscribe('worker_threads', started));
  return ended;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('the thread that makes reports goes on while somebody asks within a minute, and ends after one', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  const ended = threads();
  const reports = new Reports({ store: path, ...reportDefaults });
  for (let round = 0; round < 3; round++) {
    await reports.render(view);
    vi.advanceTimersByTime(59_000);
  }
  expect(ended).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  await ended[0];
});

test('a question that comes while a thread ends is answered by another one', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  const ended = threads();
  const reports = new Reports({ store: path, ...reportDefaults });
  await reports.render(view);
  vi.advanceTimersByTime(60_000);
  expect((await reports.render(view)).sections.length).toBeGreaterThan(0);
  expect(ended).toHaveLength(2);
  await reports.close();
  await Promise.all(ended);
});
