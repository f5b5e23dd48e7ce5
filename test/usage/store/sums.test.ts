import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { Range, UsageRow } from '../../../src/usage/model.ts';
import { openReader } from '../../../src/usage/store/open.ts';
import type { UsageReader, UsageWriter } from '../../../src/usage/store/store.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, callerOf, kindOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { openPlainWriter, storeKinds } from './stores.ts';

const callers = [
  callerOf(),
  callerOf({ client: 'curl/8.9.1' }),
  callerOf({ keyHash: 'b'.repeat(16) }),
  callerOf({ keyHash: null, keyPrefix: null }),
];
const kinds = [
  kindOf(),
  kindOf({ status: 404 }),
  kindOf({ endpoint: 'POST /v1/messages', method: 'POST' }),
  kindOf({ endpoint: 'GET /v2/messages', outcome: 'passed' }),
];
/** Calls to v2 are loads of their keys, and nothing else. */
const v1Calls = (facts: readonly Fact[]): readonly Fact[] => facts.filter(({ row }) => row.kind.outcome !== 'passed');
const days = 4;
/** Short enough that some days lose their minutes, and some their hours. */
const retention = { minutes: 5 * hourInMs, hours: dayInMs, days: 400 * dayInMs };

interface Fact {
  readonly writer: string;
  readonly row: UsageRow;
}

const fact = fc
  .record({
    writer: fc.constantFrom('one', 'two'),
    // Few hours, so that many calls come late for an hour that is rolled up, or for one whose minutes are gone.
    minute: fc
      .tuple(fc.constantFrom(0, 23, 24, 40, 71, 95, 330), fc.constantFrom(0, 1, 30, 59, 60))
      .map(([hour, minute]) => hour * 60 + minute),
    caller: fc.constantFrom(...callers),
    kind: fc.constantFrom(...kinds),
    calls: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ writer, minute, caller, kind, calls }): Fact => ({
    writer,
    row: rowOf(start / minuteInMs + minute, { calls, v2Calls: calls * 2, duration: calls * 1.5 }, caller, kind),
  }));

const cellOf = ({ writer, row }: Fact): string => JSON.stringify([writer, row.minute, row.caller.id, row.kind]);
const instant = fc
  .tuple(fc.constantFrom(-300, 0, 23, 24, 40, 71, 95, 96, 480), fc.integer({ min: -minuteInMs, max: hourInMs }))
  .map(([hour, time]) => start + hour * hourInMs + time);
/** Some facts, and the hour from the start at which the store is rolled up after them. */
const chapter = fc.record({
  size: fc.integer({ min: 5, max: 15 }),
  rollUpAt: fc.oneof(fc.integer({ min: 24, max: days * 24 + 24 }), fc.integer({ min: 331, max: 700 })),
});
const history = fc.record({
  facts: fc.uniqueArray(fact, { selector: cellOf, minLength: 20, maxLength: 50 }),
  chapters: fc.array(chapter, { minLength: 2, maxLength: 4 }),
  cuts: fc.array(fc.tuple(instant, instant), { minLength: 3, maxLength: 3 }),
});

/** Tells the facts twice, and once only in part: in whatever order, the whole counts. */
async function tell(writer: UsageWriter, facts: readonly Fact[]): Promise<void> {
  const half = facts.map(({ writer, row }) => ({ writer, row: { ...row, counts: { ...row.counts, calls: 1, v2Calls: 1, duration: 1 } } }));
  const told = [...half, ...facts, ...half.toReversed(), ...facts.toReversed()];
  for (let at = 0; at < told.length; at += 20) {
    const slice = told.slice(at, at + 20);
    for (const id of ['one', 'two'])
      await writer.write(
        batchOf(
          slice.flatMap(({ writer, row }) => (writer === id ? [row] : [])),
          { writer: id },
        ),
      );
  }
}

const within = ({ since, until }: Range, minute: number): boolean => minute * minuteInMs >= since && minute * minuteInMs < until;

function sums(facts: readonly Fact[], name: (row: UsageRow) => unknown): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const { row } of facts) {
    const key = JSON.stringify(name(row));
    const { calls, v2Calls, duration, first, last } = row.counts;
    const [c = 0, v = 0, d = 0, f = Infinity, l = 0] = all.get(key) ?? [];
    all.set(key, [c + calls, v + v2Calls, d + duration, Math.min(f, first), Math.max(l, last)]);
  }
  return all;
}

async function checkTotals(reader: UsageReader, facts: readonly Fact[], range: Range): Promise<void> {
  const effective = await reader.widen(range);
  const seen = v1Calls(facts).filter(({ row }) => within(effective, row.minute));
  const totals = (await collect(reader.totals(range))).map(({ caller, kind, counts }) => [
    JSON.stringify([caller, kind]),
    [counts.calls, counts.v2Calls, counts.duration, counts.first, counts.last],
  ]);
  expect(new Map(totals as [string, number[]][])).toEqual(sums(seen, ({ caller, kind }) => [caller.id, kind]));
  for (const size of ['hour', 'day'] as const) {
    const points = (await collect(reader.series(range, size))).flat();
    const calls = points.reduce((sum, point) => sum + point.calls, 0);
    expect(calls).toBe(seen.reduce((sum, { row }) => sum + row.counts.calls, 0));
    expect(new Set(points.map(({ caller, start }) => `${caller} ${start}`)).size).toBe(points.length);
  }
}

async function checkDays(reader: UsageReader, facts: readonly Fact[]): Promise<void> {
  const points = (await collect(reader.series(everything, 'day')))
    .flat()
    .map(({ caller, start, calls }) => [JSON.stringify([caller, start]), calls]);
  const expected = [...sums(v1Calls(facts), ({ caller, minute }) => [caller.id, Math.floor(minute / 1440) * dayInMs])].map(
    ([key, [calls]]) => [key, calls],
  );
  expect(Object.fromEntries(points)).toEqual(Object.fromEntries(expected));
}

async function checkCallers(reader: UsageReader, facts: readonly Fact[]): Promise<void> {
  for (const { endpoint, status } of kinds) {
    const such = v1Calls(facts).filter(({ row: { kind } }) => kind.endpoint === endpoint && kind.status === status);
    const found = await reader.callersOf((kind) => kind.endpoint === endpoint && kind.status === status);
    expect(found).toEqual(new Set(such.map(({ row }) => row.caller.id)));
  }
  expect(await reader.callersOf(() => false)).toEqual(new Set());
}

/** Load and peaks, counted plainly. */
async function checkLoad(reader: UsageReader, facts: readonly Fact[], range: Range): Promise<void> {
  const loadOf = (keys: readonly (string | null)[]): Map<number, number> => {
    const load = new Map<number, number>();
    for (const { row } of facts)
      if (keys.includes(row.caller.keyHash)) load.set(row.minute, (load.get(row.minute) ?? 0) + row.counts.v2Calls);
    return load;
  };
  const hashes = ['a'.repeat(16), 'b'.repeat(16)];
  const expected = [...loadOf(hashes)].filter(([minute]) => within(range, minute)).toSorted(([a], [b]) => a - b);
  expect((await collect(reader.load(range, hashes))).map(({ minute, v2Calls }) => [minute, v2Calls])).toEqual(expected);

  const peaks = (await collect(reader.peaks(everything))).flat();
  expect(peaks.map(({ day }) => day)).toEqual(peaks.map(({ day }) => day).toSorted((a, b) => a - b));
  for (const hash of hashes) {
    const load = loadOf([hash]);
    for (const day of new Set([...load.keys()].map((minute) => Math.floor(minute / 1440)))) {
      const ofDay = [...load].filter(([minute]) => Math.floor(minute / 1440) === day);
      const byHour = Object.values(Object.groupBy(ofDay, ([minute]) => String(Math.floor(minute / 60)))).map((list = []) => sum(list));
      const windows = ofDay.map(([end]) => sum([...load].filter(([minute]) => minute > end - 61 && minute <= end)));
      const peak = peaks.find((found) => found.keyHash === hash && found.day === day);
      expect(peak).toMatchObject({ hourCalls: Math.max(...byHour) });
      // Its first minutes may hold only calls of the day before, which count more than any of this one.
      expect(peak?.windowCalls).toBeGreaterThanOrEqual(Math.max(...windows));
      const inWindow = [...load].filter(([minute]) => peak !== undefined && minute >= peak.window && minute < peak.window + 61);
      expect(sum(inWindow)).toBe(peak?.windowCalls);
    }
  }
}

const sum = (entries: readonly (readonly [number, number])[]): number => entries.reduce((total, [, calls]) => total + calls, 0);

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  // oxlint-disable-next-line vitest/expect-expect -- in the functions above
  it('gives plain sums, whatever was written in whatever order, rolled up whenever and cut wherever', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ facts, chapters, cuts }) => {
        const path = await kind.address();
        const writer = await openPlainWriter(path);
        try {
          let told = 0;
          for (const { size, rollUpAt } of [...chapters, { size: Infinity, rollUpAt: days * 24 }]) {
            await tell(writer, facts.slice(told, told + size));
            told = Math.min(facts.length, told + size);
            const check = async (): Promise<void> => {
              const reader = await openReader(path);
              for (const [a, b] of cuts) {
                await checkTotals(reader, facts.slice(0, told), { since: Math.min(a, b), until: Math.max(a, b) + 1 });
                await checkLoad(reader, facts.slice(0, told), { since: Math.min(a, b), until: Math.max(a, b) + 1 });
              }
              await checkTotals(reader, facts.slice(0, told), everything);
              await checkDays(reader, facts.slice(0, told));
              await checkCallers(reader, facts.slice(0, told));
              await reader.close();
            };
            await check();
            await writer.maintain(start + rollUpAt * hourInMs, retention);
            await check();
          }
        } finally {
          await writer.close();
        }
      }),
      { numRuns: kind.histories, endOnFailure: true },
    );
  });
});
