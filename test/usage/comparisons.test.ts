import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Comparison, Comparisons } from '../../src/usage/comparisons.ts';
import type { ComparisonRow, Difference } from '../../src/usage/model.ts';
import { StoreError } from '../../src/usage/store/error.ts';
import { openReader, openWriter } from '../../src/usage/store/open.ts';
import type { UsageBatch, UsageWriter } from '../../src/usage/store/store.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { everything, storePath } from './record.ts';
import { stepOf } from './rows.ts';
import { start, useOf } from './uses.ts';

const whose = { setup: 'setup-1', workspace: 'Acme', endpoint: 'GET /v1/contacts' };
const difference = (changes: Partial<Difference> = {}): Difference => ({
  kind: 'type',
  path: 'data.price',
  v1: 'integer',
  v2: 'text',
  noise: false,
  ...changes,
});
const comparison = (differences: readonly Difference[] = [], changes: Partial<Comparison> = {}): Comparison => ({
  ...whose,
  at: start,
  askedAgain: differences.length > 0,
  differences,
  ...changes,
});

/** The rows that these make. */
function rowsOf(all: readonly Comparison[], most?: number): readonly ComparisonRow[] {
  const comparisons = new Comparisons(most);
  for (const each of all) comparisons.add(each);
  return comparisons.take(Infinity);
}

const placesOf = (rows: readonly ComparisonRow[]) => rows.filter(({ kind }) => kind !== 'calls' && kind !== 'skipped');

describe('what comparing found', () => {
  it('is the calls compared, and at each place how often it showed', () => {
    const rows = rowsOf([
      comparison(),
      comparison([difference()], { at: start + 2 }),
      comparison([difference({ noise: true })], { at: start + 1 }),
    ]);
    expect(rows).toEqual([
      { ...whose, kind: 'calls', path: '', v1: '', v2: '', count: 3, noise: 2, first: start, last: start + 2 },
      { ...whose, kind: 'type', path: 'data.price', v1: 'integer', v2: 'text', count: 2, noise: 1, first: start + 1, last: start + 2 },
    ]);
  });

  it('is told apart by setup, workspace, endpoint, kind and path', () => {
    const all = [{}, { setup: '2' }, { workspace: null }, { endpoint: 'unlisted' }].map((changes) => comparison([difference()], changes));
    const more = comparison([difference(), difference({ kind: 'missing' }), difference({ path: 'data' })]);
    expect(placesOf(rowsOf([...all, more])).map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 1]);
  });

  it('counts what v2 shows and what v1 shows of itself, however often one call shows it', () => {
    const noise = difference({ noise: true, v1: 'null' });
    const counted = (differences: readonly Difference[]) =>
      placesOf(rowsOf([comparison(differences)])).map((row) => [row.count, row.noise, row.v1]);
    expect(counted([noise, noise])).toEqual([[2, 2, 'null']]);
    expect([counted([noise, difference()]), counted([difference(), noise])]).toEqual([[[2, 1, 'integer']], [[2, 1, 'integer']]]);
    expect(counted([difference(), noise, noise])).toEqual([[3, 2, 'integer']]);
  });

  it('shows the shapes of the first difference that is no noise', () => {
    const shapes = ['array', 'object', 'boolean', 'text'].map((v1, index) => comparison([difference({ v1, noise: index < 2 })]));
    expect(placesOf(rowsOf(shapes)).map(({ v1 }) => v1)).toEqual(['boolean']);
    expect(placesOf(rowsOf(shapes.slice(0, 2))).map(({ v1 }) => v1)).toEqual(['array']);
  });

  it('has room for so many places, and counts all others of a kind as one', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      comparison([difference({ path: `data.${index}` }), difference({ kind: 'value', path: `${index}` })]),
    );
    const rows = rowsOf(many);
    const other = rows.filter(({ path }) => path === '…');
    expect(other.map(({ kind, count }) => [kind, count])).toEqual([
      ['type', 4_000],
      ['value', 4_000],
    ]);
    expect(rows).toHaveLength(2_000 + other.length + 1);
    expect(rows[0]).toMatchObject({ kind: 'calls', count: 5_000 });
  });

  it('keeps counting calls and skipped ones, and places that it knows, where there is no more room', () => {
    const comparisons = new Comparisons(1);
    for (const path of ['a', 'b', 'a', 'c']) comparisons.add(comparison([difference({ path })]));
    comparisons.add(comparison([], { workspace: 'Bolt' }));
    comparisons.skip({ ...whose, at: start, reason: 'busy' });
    comparisons.skip({ ...whose, at: start, reason: 'budget' });
    expect(comparisons.take(Infinity).map(({ workspace, kind, path, count }) => [workspace, kind, path, count])).toEqual([
      ['Acme', 'calls', '', 4],
      ['Acme', 'type', 'a', 2],
      ['Acme', 'type', '…', 2],
      ['Bolt', 'calls', '', 1],
      ['Acme', 'skipped', 'busy', 1],
      ['Acme', 'skipped', 'budget', 1],
    ]);
  });

  it('bounds what an answer can say', () => {
    const [row] = placesOf(
      rowsOf([comparison([difference({ path: 'p'.repeat(10_000), v1: 'v'.repeat(10_000), v2: 'v'.repeat(10_000) })])]),
    );
    expect([row?.path.length, row?.v1.length, row?.v2.length]).toEqual([200, 60, 60]);
  });

  it('goes to the store in parts, once, and again where it has changed or was not taken', () => {
    const comparisons = new Comparisons();
    const told = (most: number) => comparisons.take(most).map(({ kind, count }) => [kind, count]);
    comparisons.add(comparison([difference()]));
    expect(told(1)).toEqual([['calls', 1]]);
    comparisons.written();
    expect(told(9)).toEqual([['type', 1]]);
    comparisons.add(comparison([]));
    comparisons.failed();
    expect(told(9)).toEqual([
      ['type', 1],
      ['calls', 2],
    ]);
    expect(comparisons.hasNews).toBe(true);
    comparisons.written();
    expect([comparisons.hasNews, told(9)]).toEqual([false, []]);
  });
});

describe('the recorder', () => {
  afterEach(() => void vi.useRealTimers());

  /** A recorder with a clock of the test's own, and a store that fails as long as it is told to. */
  function recording() {
    vi.useFakeTimers({ now: start });
    const store = { fails: false, batches: [] as UsageBatch[] };
    const writer: UsageWriter = {
      hashSecret: 'secret',
      write: async (batch) => {
        if (store.fails) throw new StoreError('STORE_FULL', 'full');
        store.batches.push(batch);
      },
      maintain: async () => undefined,
      note: async () => undefined,
      steps: async () => [],
      close: async () => undefined,
    };
    const recorder = new UsageRecorder({ writer, replica: 'proxy', keepDays: 400 * 86_400_000 });
    onTestFinished(async () => void (await recorder.close(0)));
    return { store, recorder, pass: (time: number) => vi.advanceTimersByTimeAsync(time) };
  }

  const found = (batches: readonly UsageBatch[]) =>
    batches.flatMap(({ writer, comparisons = [] }) => comparisons.map(({ kind, path, count }) => [writer, kind, path, count]));

  it('brings comparisons to the store within a tenth of a second, and all counts of a session absolute', async () => {
    const { store, recorder, pass } = recording();
    await pass(1);
    recorder.addComparison(comparison([difference()]));
    recorder.addSkipped({ ...whose, at: start, reason: 'busy' });
    await pass(100);
    recorder.addComparison(comparison());
    await pass(100);
    const writer = store.batches[0]?.writer;
    expect(found(store.batches)).toEqual([
      [writer, 'calls', '', 1],
      [writer, 'type', 'data.price', 1],
      [writer, 'skipped', 'busy', 1],
      [writer, 'calls', '', 2],
    ]);
  });

  it('writes again what the store did not take', async () => {
    const { store, recorder, pass } = recording();
    store.fails = true;
    recorder.addComparison(comparison());
    await pass(1_000);
    store.fails = false;
    await pass(20_000);
    expect(found(store.batches).map(([, ...row]) => row)).toEqual([['calls', '', 1]]);
  });

  it('begins anew with a session, and still tells the rest of the one before', async () => {
    const { store, recorder, pass } = recording();
    await pass(1);
    store.fails = true;
    recorder.addComparison(comparison());
    await pass(1);
    vi.setSystemTime(start + 3_600_000);
    await pass(10_000);
    recorder.addComparison(comparison([], { at: Date.now() }));
    store.fails = false;
    await pass(20_000);
    const told = found(store.batches);
    expect(told.map(([, ...row]) => row)).toEqual([
      ['calls', '', 1],
      ['calls', '', 1],
    ]);
    expect(new Set(told.map(([writer]) => writer)).size).toBe(2);
  });

  it('writes the last ones before it closes, and takes none afterwards', async () => {
    const path = storePath();
    const recorder = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 400 * 86_400_000 });
    recorder.add(useOf({ outcome: 'compared' }));
    for (let call = 0; call < 1_500; call++) recorder.addComparison(comparison([difference({ path: `data.${call}` })]));
    await recorder.note(stepOf());
    expect(await recorder.steps()).toEqual([stepOf()]);
    expect(await recorder.close()).toBe(0);
    recorder.addComparison(comparison());
    recorder.addSkipped({ ...whose, at: start, reason: 'busy' });
    await expect(recorder.note(stepOf({ id: '2' }))).rejects.toThrow(StoreError);
    await expect(recorder.steps()).rejects.toThrow(StoreError);
    const reader = await openReader(path);
    onTestFinished(() => reader.close());
    const rows = await reader.comparisons(everything);
    expect(rows).toHaveLength(1_501);
    expect(rows.find(({ kind }) => kind === 'calls')).toMatchObject({ count: 1_500, noise: 1_500 });
  });
});
