import diagnostics from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Reports } from '../../../src/report/live/reports.ts';
import { viewOf } from '../../../src/report/live/view.ts';
import { daily, reportDefaults, storeWith } from '../../helpers/usage-store.ts';

const view = viewOf(new URLSearchParams());

/** The processes that are started from now on, and when each has ended. */
function processes(): Promise<unknown>[] {
  const ended: Promise<unknown>[] = [];
  const started = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    ended.push(once(child, 'exit'));
  };
  diagnostics.subscribe('child_process', started);
  onTestFinished(() => void diagnostics.unsubscribe('child_process', started));
  return ended;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('the process that makes reports goes on while somebody asks within a minute, and ends after one', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  const ended = processes();
  const reports = new Reports({ store: path, ...reportDefaults });
  for (let round = 0; round < 3; round++) {
    await reports.render(view);
    vi.advanceTimersByTime(59_000);
  }
  expect(ended).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  await ended[0];
});

test('a question that comes while a process ends is answered by another one', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  const ended = processes();
  const reports = new Reports({ store: path, ...reportDefaults });
  await reports.render(view);
  vi.advanceTimersByTime(60_000);
  expect((await reports.render(view)).sections.length).toBeGreaterThan(0);
  expect(ended).toHaveLength(2);
  await reports.close();
  await Promise.all(ended);
});

test('the process that makes reports leaves the processor to whoever else wants it', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  vi.stubEnv('YIELDS', 'yes');
  onTestFinished(() => void vi.unstubAllEnvs());
  const started: ChildProcess[] = [];
  const note = (message: unknown): void => void started.push((message as { readonly process: ChildProcess }).process);
  diagnostics.subscribe('child_process', note);
  onTestFinished(() => void diagnostics.unsubscribe('child_process', note));
  const reports = new Reports({ store: path, ...reportDefaults });
  await reports.render(view);
  expect(getPriority(started[0]?.pid)).toBe(constants.priority.PRIORITY_LOW);
  await reports.close();
});

test('data comes in parts, so that no long message keeps calls waiting, and whole', async () => {
  const traffic = Array.from({ length: 100 }, (_, index) => ({ key: `mk_acme_${index}`, calls: daily(9, 0, 1) }));
  const { path } = await storeWith({ traffic });
  const reports = new Reports({ store: path, ...reportDefaults });
  const parts = await reports.data(view, { format: 'json' });
  expect(Math.max(...parts.map(({ length }) => length))).toBe(64 * 1024);
  expect(JSON.parse(Buffer.concat(parts).toString())).toHaveProperty('made');
  await reports.close();
});

test('whoever waits for a process that is killed is told, and the next question is answered', async () => {
  const { path } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 1) }] });
  vi.stubEnv('YIELDS', 'yes');
  onTestFinished(() => void vi.unstubAllEnvs());
  const started: ChildProcess[] = [];
  const note = (message: unknown): void => void started.push((message as { readonly process: ChildProcess }).process);
  diagnostics.subscribe('child_process', note);
  onTestFinished(() => void diagnostics.unsubscribe('child_process', note));
  const reports = new Reports({ store: path, ...reportDefaults });
  const asked = reports.render(view);
  started[0]?.kill('SIGKILL');
  await expect(asked).rejects.toMatchObject({ code: 'NO_REPORT' });
  expect((await reports.render(view)).sections.length).toBeGreaterThan(0);
  await reports.close();
});
