import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../../src/usage/store/error.ts';
import type { UsageWriter } from '../../src/usage/store/store.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { start, useOf } from './uses.ts';

afterEach(() => void vi.useRealTimers());

/** A recorder whose store takes nothing while `fails` is set, with room for one row. */
function recording() {
  vi.useFakeTimers({ now: start });
  const store = { fails: false };
  const writer: UsageWriter = {
    hashSecret: 'secret',
    write: () => (store.fails ? Promise.reject(new StoreError('STORE_FULL', 'full')) : Promise.resolve()),
    maintain: () => Promise.resolve(),
    note: () => Promise.resolve(),
    steps: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const recorder = new UsageRecorder({ writer, replica: 'proxy', keepDays: 1, bounds: { rows: 1 } });
  onTestFinished(async () => void (await recorder.close(0)));
  return { store, recorder, pass: (time: number) => vi.advanceTimersByTimeAsync(time) };
}

describe('the state of a record', () => {
  it('counts the writes that the store did not take, by code', async () => {
    const { store, recorder, pass } = recording();
    store.fails = true;
    await pass(400);
    expect(recorder.state.failures).toEqual({ STORE_FULL: expect.any(Number) });
    expect(recorder.state.failures.STORE_FULL).toBeGreaterThan(1);
  });

  it('counts time in which calls are lost as not covered, and no longer once the store takes rows again', async () => {
    const { store, recorder, pass } = recording();
    await pass(60_000);
    store.fails = true;
    recorder.add(useOf());
    recorder.add(useOf({ endpoint: 'unlisted' }));
    await pass(60_000);
    expect(recorder.state.coverage).toBeCloseTo(0.5, 1);
    store.fails = false;
    await pass(120_000);
    expect(recorder.state.coverage).toBeCloseTo(0.75, 1);
    expect(recorder.state.lost).toBe(1);
  });

  it('is covered as long as rows only wait', async () => {
    const { store, recorder, pass } = recording();
    store.fails = true;
    recorder.add(useOf());
    await pass(60_000);
    expect(recorder.state.coverage).toBe(1);
  });
});

describe('whoever waits for news of the store', () => {
  it('hears of every write until it no longer wants to', async () => {
    const { recorder, pass } = recording();
    const heard = vi.fn<() => void>();
    const leave = recorder.onWritten(heard);
    await pass(100);
    recorder.add(useOf());
    await pass(100);
    const before = heard.mock.calls.length;
    expect(before).toBeGreaterThan(0);
    leave();
    recorder.add(useOf());
    await pass(100);
    expect(heard).toHaveBeenCalledTimes(before);
  });
});
