import { describe, expect, it } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { Range } from '../../../src/usage/model.ts';
import type { Point } from '../../../src/usage/store/store.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, callerOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { reading, storeKinds, writingPlainly } from './stores.ts';

const minute = start / minuteInMs;
/** More than SQLite reads conditions deep. */
const hours = 1_200;
const years = { minutes: 1_000 * dayInMs, hours: 1_000 * dayInMs, days: 1_000 * dayInMs };

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('is read where thousands of hours are not rolled up, or no longer, whatever lies between them', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    // Every other hour, with two minutes: no range holds them.
    const rows = Array.from({ length: hours }, (_, index) => [0, 30].map((at) => rowOf(minute + index * 120 + at, { calls: 1 + at })));
    await writer.write(batchOf(rows.flat()));
    expect(await answers(address)).toEqual(of(32));
    await writer.maintain(start + 300 * dayInMs, years);
    expect(await answers(address)).toEqual(of(32));
    await writer.write(batchOf(rows.flat(), { writer: 'two' }));
    expect(await answers(address)).toEqual(of(64));
  });
});

/** What a store of a few calls in every other hour says, where each of these hours has so many. */
function of(calls: number): Readonly<Record<string, unknown>> {
  const byHour = [hours, [calls]];
  const byDay = [hours / 12, [12 * calls]];
  return {
    callers: [callerOf().id],
    total: [hours * calls],
    // Without the first hour, and with the first minute of the last but one.
    between: [(hours - 3) * calls + calls / 32],
    points: [byHour, byHour, byDay, byDay],
    loads: hours * 2,
    peaks: hours / 12,
  };
}

function answers(address: string): Promise<Readonly<Record<string, unknown>>> {
  const range = { since: start + 31 * minuteInMs, until: start + (hours - 2) * 120 * minuteInMs + 10 * minuteInMs };
  return reading(address, async (reader) => {
    const totals = async (of: Range) => (await collect(reader.totals(of))).map(({ counts }) => counts.calls);
    const points = async (of: AsyncIterable<readonly Point[]>) => {
      const calls = (await collect(of)).flat().map((point) => point.calls);
      return [calls.length, [...new Set(calls)]];
    };
    return {
      callers: [...(await reader.callersOf(() => true))],
      total: await totals(everything),
      between: await totals(range),
      points: [
        await points(reader.series(everything, 'hour')),
        await points(reader.seriesWithout(everything, 'hour', [callerOf().id], [])),
        await points(reader.series(everything, 'day')),
        await points(reader.seriesWithout(everything, 'day', [callerOf().id], [])),
      ],
      loads: (await collect(reader.load(everything, [callerOf().keyHash ?? '']))).length,
      peaks: (await collect(reader.peaks(everything))).flat().length,
    };
  });
}
