/** What both stores keep of the road from v1 to v2. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { outcomes } from '../../../src/usage/deprecated-use.ts';
import { type ComparisonRow, comparisonKinds, stepKinds } from '../../../src/usage/model.ts';
import { openEraser } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, callerOf, comparisonOf, kindOf, rowOf, stepOf } from '../rows.ts';
import { start } from '../uses.ts';
import { openPlainWriter, reading, storeKinds, writingPlainly } from './stores.ts';

const minute = start / minuteInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };

const stepsIn = (address: string) => reading(address, (reader) => reader.steps());
const comparisonsIn = (address: string, range = everything) => reading(address, (reader) => reader.comparisons(range));

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('gives how calls were answered as it was recorded', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    await writer.write(batchOf(outcomes.map((outcome, index) => rowOf(minute, { calls: index + 1 }, callerOf(), kindOf({ outcome })))));
    const totals = await reading(address, (reader) => collect(reader.totals(everything)));
    expect(new Map(totals.map((row) => [row.kind.outcome, row.counts.calls]))).toEqual(
      new Map(outcomes.map((outcome, index) => [outcome, index + 1])),
    );
  });

  it('gives all steps to all who write and read, in the order in which they were noted', async () => {
    const address = await kind.address();
    const [one, two] = [await writingPlainly(address), await writingPlainly(address)];
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    expect([await one.steps(), await stepsIn(address)]).toEqual([[], []]);
    // The clock of whoever noted the first one is ahead.
    const steps = stepKinds.map((each, index) =>
      stepOf({ id: `id-${9 - index}`, kind: each, at: start - index, detail: `a "b" \\ ${index}` }),
    );
    for (const [index, step] of steps.entries()) await [one, two, eraser][index % 3]?.note(step);
    expect([await one.steps(), await two.steps(), await stepsIn(address)]).toEqual([steps, steps, steps]);
  });

  it('takes the first of those who note the same step, and notes it once', async () => {
    const address = await kind.address();
    const [one, two] = [await writingPlainly(address), await writingPlainly(address)];
    await one.note(stepOf());
    await two.note(stepOf({ replica: 'two', at: start + 1 }));
    await one.note(stepOf());
    expect(await two.steps()).toEqual([stepOf()]);
    const same = Array.from({ length: 10 }, (_, index) => [one, two][index % 2]?.note(stepOf({ id: 'other', detail: 'at once' })));
    await Promise.all(same);
    expect(await one.steps()).toEqual([stepOf(), stepOf({ id: 'other', detail: 'at once' })]);
  });

  it('takes steps while it writes and is rolled up', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    await Promise.all([
      writer.write(batchOf([rowOf(minute)])),
      writer.maintain(start + 2 * dayInMs, retention),
      writer.note(stepOf()),
      writer.write(batchOf([rowOf(minute + 1)])),
    ]);
    expect(await writer.steps()).toEqual([stepOf()]);
  });

  it('counts a comparison once that is written again, or after a newer one', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const older = comparisonOf({ count: 1, noise: 1, v1: 'text', last: start + 1 });
    const newer = comparisonOf({ count: 5, noise: 2, last: start + 9 });
    for (const row of [older, newer, older, newer]) await writer.write(batchOf([], { comparisons: [row] }));
    expect(await comparisonsIn(address)).toEqual([newer]);
    await writer.write(batchOf([], { comparisons: [older, newer, older] }));
    expect(await comparisonsIn(address)).toEqual([newer]);
  });

  it('adds comparisons up over writers, and tells what is none the same apart', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const others = [
      comparisonOf({ setup: 'setup-2' }),
      comparisonOf({ workspace: null }),
      comparisonOf({ endpoint: 'GET /v1/contacts' }),
      comparisonOf({ kind: 'type' }),
      comparisonOf({ path: 'data.tax' }),
    ];
    await writer.write(batchOf([], { comparisons: [comparisonOf(), ...others] }));
    await writer.write(batchOf([], { writer: 'two', comparisons: [comparisonOf({ count: 4, first: start - 7, last: start - 2 })] }));
    const found = await comparisonsIn(address);
    expect(found).toHaveLength(6);
    expect(found).toEqual(expect.arrayContaining([...others, comparisonOf({ count: 7, noise: 2, first: start - 7 })]));
  });

  it('shows shapes of a difference that is no noise, and both of the same one', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const shown = { v1: 'text', v2: 'null', count: 2, noise: 0 };
    const noise = [
      { v1: 'array', v2: 'text', count: 3, noise: 3 },
      { v1: 'text', v2: 'array', count: 1, noise: 1 },
    ];
    for (const [index, row] of [shown, ...noise].entries())
      await writer.write(batchOf([], { writer: `${index}`, comparisons: [comparisonOf(row)] }));
    expect(await comparisonsIn(address)).toEqual([comparisonOf({ ...shown, count: 6, noise: 4 })]);
  });

  it('gives comparisons of writers that saw them in a range at last', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    for (const [index, last] of [0, 10, 20].entries())
      await writer.write(batchOf([], { writer: `${index}`, comparisons: [comparisonOf({ count: 1, noise: 0, last: start + last })] }));
    const counts = async (since: number, until: number) =>
      (await comparisonsIn(address, { since: start + since, until: start + until })).map(({ count }) => count);
    expect([await counts(0, 20), await counts(10, 21), await counts(11, 20), await counts(21, 99)]).toEqual([[2], [2], [], []]);
  });

  it('takes every kind of comparison, and texts with any characters', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const rows = comparisonKinds.map((each) => comparisonOf({ kind: each, path: `{NULL},"\\ü\u{1f600}'${each}`, v1: '', v2: ',' }));
    await writer.write(batchOf([], { comparisons: rows }));
    expect(await comparisonsIn(address)).toEqual(rows.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)));
    await writer.write(batchOf([], { comparisons: [comparisonOf({ path: 'a\0b' }), comparisonOf({ path: 'a\u{fffd}b' })] }));
    await writer.note(stepOf({ id: 'a\0b', rule: '\0', detail: '\0' }));
    expect(await writer.steps()).toHaveLength(1);
  });

  it('forgets comparisons and steps with the days, but the newest step of each kind and rule', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const late = start + 100 * dayInMs;
    const [tripped, again, released, stopped] = [
      stepOf(),
      stepOf({ id: '2', at: start + 1 }),
      stepOf({ id: '3', kind: 'released', at: late }),
      stepOf({ id: '4', kind: 'stopped', rule: '' }),
    ];
    for (const step of [tripped, again, released, stopped]) await writer.note(step);
    const session = { since: start, seen: start, ended: true };
    const comparisons = [comparisonOf(), comparisonOf({ path: 'data.tax', last: late })];
    await writer.write(batchOf([rowOf(minute)], { session, comparisons }));
    await writer.maintain(start + 399 * dayInMs, retention);
    expect([(await writer.steps()).length, (await comparisonsIn(address)).length]).toEqual([4, 2]);
    await writer.maintain(start + 450 * dayInMs, retention);
    expect(await writer.steps()).toEqual([again, released, stopped]);
    expect((await comparisonsIn(address)).map(({ path }) => path)).toEqual(['data.tax']);
    // What the session of that one counts later is of no other session.
    await writer.write(batchOf([], { writer: 'two', comparisons: [comparisonOf({ path: 'data.tax', count: 1, noise: 0, last: late })] }));
    expect((await comparisonsIn(address)).map(({ count }) => count)).toEqual([4]);
  });

  it('leaves steps and comparisons where a key is erased: they hold none', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    await writer.note(stepOf());
    await writer.write(batchOf([rowOf(minute)], { comparisons: [comparisonOf()] }));
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    expect(await eraser.erase('a'.repeat(16))).toEqual({ callers: 1, calls: 1 });
    expect([await stepsIn(address), await comparisonsIn(address)]).toEqual([[stepOf()], [comparisonOf()]]);
  });

  it('gives plain sums of what two writers compared, in whatever order they tell of it and however often', async () => {
    const cell = fc.record({
      writer: fc.constantFrom('one', 'two'),
      workspace: fc.constantFrom(null, 'Acme'),
      kind: fc.constantFrom('calls', 'missing', 'value' as const),
      path: fc.constantFrom('', 'a', 'a.b'),
    });
    /** A row as it grows: each state has more than the one before. */
    const growing = fc.record({ cell, states: fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 3 }) });
    const rowsOf = fc.uniqueArray(growing, { selector: ({ cell }) => JSON.stringify(cell), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.infiniteStream(fc.nat()), async (all, chance) => {
        const address = await kind.address();
        const told = all.flatMap(({ cell: { writer, ...changes }, states }) => {
          let [count, noise] = [0, 0];
          return states.map(([more, moreNoise], index) => {
            [count, noise] = [count + more + moreNoise + 1, noise + moreNoise];
            const last = index === states.length - 1;
            return { writer, last, row: comparisonOf({ ...changes, count, noise, first: start - index, last: start + index }) };
          });
        });
        const order = [...told, ...told].map((each) => ({ each, at: chance.next().value })).toSorted((a, b) => a.at - b.at);
        const both = [await openPlainWriter(address), await openPlainWriter(address)];
        for (const [index, { each }] of order.entries())
          await both[index % 2]?.write(batchOf([], { writer: each.writer, comparisons: [each.row] }));
        await Promise.all(both.map((writer) => writer.close()));
        const expected = new Map<string, readonly number[]>();
        for (const { row } of told.filter(({ last }) => last)) {
          const [count = 0, noise = 0, first = Infinity, end = 0] = expected.get(cellOf(row)) ?? [];
          expected.set(cellOf(row), [count + row.count, noise + row.noise, Math.min(first, row.first), Math.max(end, row.last)]);
        }
        const found = await comparisonsIn(address);
        expect(new Map(found.map((row) => [cellOf(row), [row.count, row.noise, row.first, row.last]]))).toEqual(expected);
        expect(found).toHaveLength(expected.size);
      }),
      { numRuns: kind.histories, endOnFailure: true },
    );
  });
});

const cellOf = ({ workspace, kind, path }: ComparisonRow): string => JSON.stringify([workspace, kind, path]);
