/** Whatever happens to a clock: sequences that nobody would think of. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { VirtualClock } from '../../src/sandbox/clock/clock.ts';

const start = Date.parse('2026-08-01T12:00:00Z');

type Step =
  | { readonly kind: 'at'; readonly due: number; readonly slow: boolean; readonly spawns: number | undefined }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'advance'; readonly by: number; readonly wait: boolean }
  | { readonly kind: 'set'; readonly to: number; readonly wait: boolean }
  | { readonly kind: 'freeze' | 'resume' };

const time = fc.integer({ min: -50, max: 400 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('at'), due: time, slow: fc.boolean(), spawns: fc.option(time, { nil: undefined }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance'), by: fc.nat(150), wait: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set'), to: time, wait: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('freeze', 'resume') }) },
);

interface Entry {
  readonly due: number;
  /** When it was set: what is due before that runs at once. */
  readonly setAt: number;
  readonly ranAt: number[];
  cancelled: boolean;
  cancel: () => void;
}

/** Plays the steps. The machine's time stands still, so that a clock that runs is as easy to foresee as one that does not. */
async function play(steps: readonly Step[]) {
  const clock = new VirtualClock(start, (error) => {
    throw error;
  });
  const entries: Entry[] = [];
  /** What ran, in order. */
  const begun: Entry[] = [];
  const turns: Promise<unknown>[] = [];
  const now = (): number => clock.now() - start;
  const set = (due: number, slow: boolean, spawns: number | undefined): void => {
    const entry: Entry = { due, setAt: now(), ranAt: [], cancelled: false, cancel: () => undefined };
    entries.push(entry);
    entry.cancel = clock.at(start + due, async () => {
      entry.ranAt.push(now());
      begun.push(entry);
      if (spawns !== undefined) set(spawns, slow, undefined);
      if (slow) await new Promise(setImmediate);
      // Whatever it starts, and however long it takes, is part of its instant.
      expect(now()).toBe(entry.ranAt[0]);
    });
  };
  const turn = async (turned: Promise<void>, wait: boolean): Promise<void> => {
    turns.push(turned);
    if (wait) await turned;
  };
  for (const each of steps) {
    if (each.kind === 'at') set(each.due, each.slow, each.spawns);
    else if (each.kind === 'advance') await turn(clock.advance(each.by), each.wait);
    else if (each.kind === 'set') await turn(clock.set(Math.max(0, start + each.to)), each.wait);
    else if (each.kind === 'cancel') {
      const entry = entries[each.which];
      entry?.cancel();
      if (entry !== undefined && entry.ranAt.length === 0) entry.cancelled = true;
    } else clock[each.kind]();
  }
  await Promise.all(turns);
  await clock.set(start + 1_000);
  await clock.idle();
  return { entries, begun };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

test('every task runs exactly once at its own time, and a cancelled one never', async () => {
  const steps = fc.array(step, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const { entries } = await play(played);
      for (const { due, setAt, ranAt, cancelled } of entries) expect(ranAt).toEqual(cancelled ? [] : [Math.max(due, setAt)]);
    }),
    { numRuns: 300 },
  );
});
test('without turns backwards, tasks begin in the order in which they fall due, and at one instant in that in which they were set', async () => {
  const steps = fc.array(
    step.filter(({ kind }) => kind !== 'set'),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const { entries, begun } = await play(played);
      const times = begun.flatMap(({ ranAt }) => ranAt);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      // What was due when it was set ran at once, whatever else was.
      const waited = begun.filter(({ due, setAt }) => due > setAt).map((entry) => ({ due: entry.due, set: entries.indexOf(entry) }));
      expect(waited).toEqual(waited.toSorted((a, b) => a.due - b.due || a.set - b.set));
    }),
    { numRuns: 300 },
  );
});
