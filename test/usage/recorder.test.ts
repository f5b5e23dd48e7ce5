import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RecorderOptions, UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { openReader, openWriter } from '../../src/usage/store/open.ts';
import type { Gap } from '../../src/usage/model.ts';
import { StoreError } from '../../src/usage/store/error.ts';
import type { UsageBatch, UsageWriter } from '../../src/usage/store/store.ts';
import { collect, everything, storePath } from './record.ts';
import { start, useOf } from './uses.ts';

/** A store that keeps what it is given, and fails as long as it is told to. */
class MemoryWriter implements UsageWriter {
  readonly hashSecret = 'secret';
  readonly batches: UsageBatch[] = [];
  fails = false;
  /** What each write waits for. */
  hold = Promise.resolve();
  async write(batch: UsageBatch): Promise<void> {
    if (this.fails) throw new StoreError('STORE_FULL', 'full');
    this.batches.push(structuredClone(batch));
    await this.hold;
  }
  maintain = () => Promise.resolve();
  note = () => Promise.resolve();
  steps = () => Promise.resolve([]);
  /** What it was told is missing. */
  losses: readonly Gap[] = [];
  close = async (losses: readonly Gap[] = []) => void (this.losses = losses);

  /** Calls by writer, caller, kind and minute, as a store would have them: the last word counts. */
  calls(): number {
    const rows = new Map<string, number>();
    for (const { writer, rows: written } of this.batches)
      for (const { minute, caller, kind, counts } of written) {
        const cell = JSON.stringify([writer, minute, caller.id, kind]);
        rows.set(cell, Math.max(rows.get(cell) ?? 0, counts.calls));
      }
    return [...rows.values()].reduce((sum, calls) => sum + calls, 0);
  }
}

/** A recorder with a clock of the test's own. */
function recording(options: Partial<RecorderOptions> = {}) {
  vi.useFakeTimers({ now: start });
  const writer = new MemoryWriter();
  const recorder = new UsageRecorder({ writer, replica: 'proxy', keepDays: 400 * 86_400_000, ...options });
  onTestFinished(async () => void (await recorder.close(0)));
  return { writer, recorder, pass: (time: number) => vi.advanceTimersByTimeAsync(time) };
}

const lastSession = (writer: MemoryWriter) => writer.batches.at(-1)?.session;

describe('the recorder', () => {
  afterEach(() => void vi.useRealTimers());

  it('brings calls to the store within a tenth of a second', async () => {
    const { writer, recorder, pass } = recording();
    await pass(1);
    recorder.add(useOf());
    recorder.add(useOf());
    await pass(100);
    expect(writer.batches.at(-1)?.rows.map(({ counts }) => counts.calls)).toEqual([2]);
  });

  it('writes counts that grow as the same row, absolute', async () => {
    const { writer, recorder, pass } = recording();
    for (let call = 0; call < 3; call++) {
      recorder.add(useOf());
      await pass(100);
    }
    expect(writer.calls()).toBe(3);
  });

  it('shows by its session that it ran while nobody called', async () => {
    const { writer, pass } = recording();
    await pass(20_000);
    expect(lastSession(writer)).toEqual({ since: start, seen: start + 20_000, ended: false });
  });

  it('says of its session that it ended, when it is closed', async () => {
    const { writer, recorder, pass } = recording();
    await pass(20_000);
    await recorder.close();
    expect(lastSession(writer)).toEqual({ since: start, seen: start + 20_000, ended: true });
  });

  it('says so before, when it is told that the end is near, and goes on recording', async () => {
    const { writer, recorder, pass } = recording();
    recorder.add(useOf());
    recorder.end();
    await pass(100);
    expect(lastSession(writer)).toMatchObject({ ended: true });
    recorder.add(useOf());
    await pass(100);
    expect(writer.calls()).toBe(2);
    expect(lastSession(writer)).toMatchObject({ ended: true });
  });

  it('says it in a later write, where one is under way', async () => {
    const { writer, recorder, pass } = recording();
    await pass(10);
    const { promise, resolve } = Promise.withResolvers<void>();
    writer.hold = promise;
    recorder.add(useOf());
    await pass(100);
    recorder.end();
    resolve();
    await pass(100);
    expect(lastSession(writer)).toMatchObject({ ended: true });
  });

  it('begins a new session after the machine was suspended', async () => {
    const { writer, pass } = recording();
    await pass(10_000);
    vi.setSystemTime(start + 3_600_000);
    await pass(10_000);
    expect(new Set(writer.batches.map(({ writer: id }) => id)).size).toBe(2);
    expect(writer.batches.findLast(({ session }) => session.since === start)?.session).toMatchObject({ seen: start + 10_000, ended: true });
    expect(lastSession(writer)?.since).toBeGreaterThanOrEqual(start + 3_600_000);
  });

  it('counts calls in the newest minute while the clock is a little behind it', async () => {
    const { writer, recorder, pass } = recording();
    recorder.add(useOf({ at: start + 60_000 }));
    await pass(100);
    recorder.add(useOf({ at: start + 59_000 }));
    await pass(100);
    expect(new Set(writer.batches.flatMap(({ rows }) => rows.map(({ minute }) => minute))).size).toBe(1);
    expect(writer.calls()).toBe(2);
  });

  it('begins anew where the clock is put far back, and counts nothing twice', async () => {
    const { writer, recorder, pass } = recording();
    recorder.add(useOf({ at: start }));
    await pass(100);
    vi.setSystemTime(start - 86_400_000);
    await pass(5_000);
    recorder.add(useOf({ at: start - 86_400_000 }));
    await pass(100);
    expect(writer.calls()).toBe(2);
    expect(writer.batches.at(-1)?.rows[0]?.minute).toBe((start - 86_400_000) / 60_000);
    expect(lastSession(writer)?.since).toBeLessThan(start);
  });

  it('starts from zero in a new session within the same minute', async () => {
    const { writer, recorder, pass } = recording();
    recorder.add(useOf({ at: start + 600_000 }));
    await pass(100);
    vi.setSystemTime(start - 600_000);
    await pass(5_000);
    recorder.add(useOf({ at: start + 600_000 }));
    await pass(100);
    expect(writer.calls()).toBe(2);
  });

  it('keeps what a failing store does not take, and writes it once it does', async () => {
    const { writer, recorder, pass } = recording();
    writer.fails = true;
    for (let minute = 0; minute < 5; minute++) {
      recorder.add(useOf({ at: start + minute * 60_000 }));
      await pass(60_000);
    }
    expect(recorder.state).toMatchObject({ backlog: 5, lost: 0, failing: { code: 'STORE_FULL' } });
    writer.fails = false;
    await pass(15_000);
    expect(recorder.state).toMatchObject({ backlog: 0, lost: 0, failing: undefined });
    expect(writer.calls()).toBe(5);
  });

  it('does not tell the store that it saw a time whose calls still wait', async () => {
    const { writer, recorder, pass } = recording();
    for (let name = 0; name < 7_000; name++) recorder.add(useOf({ name: String(name), at: start + 90 }));
    await pass(100);
    writer.fails = true;
    await pass(10_000);
    writer.fails = false;
    await pass(15_000);
    const seen = writer.batches.map(({ rows, session }) => [rows.length, session.seen - start]);
    expect(seen).toEqual([[5_000, 0], [2_000, expect.any(Number)], ...seen.slice(2)]);
    expect(seen[1]?.[1]).toBeGreaterThan(0);
    expect(writer.calls()).toBe(7_000);
  });

  it('counts calls as lost beyond the bound of its backlog, and tells a gap', async () => {
    const { writer, recorder, pass } = recording({ bounds: { rows: 3 } });
    await pass(100);
    writer.fails = true;
    for (let minute = 0; minute < 5; minute++) recorder.add(useOf({ at: start + minute * 60_000 }));
    await pass(300_000);
    expect(recorder.state).toMatchObject({ backlog: 3, lost: 2 });
    writer.fails = false;
    await pass(15_000);
    expect(writer.calls()).toBe(3);
    const gap = writer.batches.flatMap(({ gaps }) => gaps).at(-1);
    expect(gap).toMatchObject({ since: start + 180_000, calls: 2 });
    expect(gap?.until).toBeGreaterThanOrEqual(start + 300_000);
  });

  it('tells a gap once, and a new one for a new loss', async () => {
    const { writer, recorder, pass } = recording({ bounds: { rows: 1 } });
    for (const at of [start, start + 60_000, start + 120_000]) {
      writer.fails = true;
      recorder.add(useOf({ at }));
      recorder.add(useOf({ at, name: 'b' }));
      await pass(60_000);
      writer.fails = false;
      await pass(30_000);
    }
    expect(writer.batches.flatMap(({ gaps }) => gaps).map(({ since, calls }) => [since, calls])).toEqual([
      [start, 1],
      [start + 60_000, 1],
      [start + 120_000, 1],
    ]);
  });

  it('says when writing begins to fail, when calls are lost and when it works again', async () => {
    const told: string[] = [];
    const { writer, recorder, pass } = recording({
      bounds: { rows: 1 },
      onState: ({ failing, lost }) => told.push(`${failing?.code} ${lost}`),
    });
    await pass(100);
    writer.fails = true;
    recorder.add(useOf());
    await pass(1_000);
    for (const name of ['b', 'c']) recorder.add(useOf({ name }));
    await pass(1_000);
    writer.fails = false;
    await pass(15_000);
    expect(told).toEqual(['STORE_FULL 0', 'STORE_FULL 1', 'undefined 2']);
  });

  it('writes what is left when it is closed', async () => {
    const { writer, recorder, pass } = recording();
    await pass(1);
    recorder.add(useOf());
    await recorder.close();
    expect(writer.calls()).toBe(1);
  });

  it('gives up on a store that fails while it is closed', async () => {
    const writer = new MemoryWriter();
    const recorder = new UsageRecorder({ writer, replica: 'proxy', keepDays: 86_400_000 });
    recorder.add(useOf());
    await expect.poll(() => writer.calls()).toBe(1);
    writer.fails = true;
    for (const status of [200, 200, 404]) recorder.add(useOf({ status }));
    expect(await recorder.close(20)).toBe(3);
    expect(recorder.state).toMatchObject({ backlog: 2, failing: { code: 'STORE_FULL' } });
    expect(writer.losses).toMatchObject([{ writer: writer.batches[0]?.writer, calls: 3 }]);
  });

  it('records into an embedded store', async () => {
    const path = storePath();
    const recorder = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 400 * 86_400_000 });
    for (const status of [200, 200, 404]) recorder.add(useOf({ at: Date.now(), status, address: '192.0.2.7' }));
    await recorder.close();
    const reader = await openReader(path);
    onTestFinished(() => reader.close());
    const totals = await collect(reader.totals(everything));
    expect(totals.map(({ kind, counts }) => [kind.status, counts.calls])).toEqual([
      [200, 2],
      [404, 1],
    ]);
    expect((await collect(reader.sources())).map(({ network }) => network)).toEqual(['192.0.2.0/24']);
    expect(await reader.sessions(everything)).toHaveLength(1);
  });
});
