import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { openToWrite } from '../../../src/usage/store/sqlite/connection.ts';
import { maintenance } from '../../../src/usage/store/sqlite/maintain.ts';
import { pack } from '../../../src/usage/store/sqlite/messages.ts';
import { BatchWriter } from '../../../src/usage/store/sqlite/write.ts';
import { collect, everything, storePath } from '../record.ts';
import { batchOf, callerOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { callsIn, reading } from './stores.ts';

const retention = { minutes: dayInMs, hours: 3 * dayInMs, days: 400 * dayInMs };

/** Either writes a call of this minute, or does up to so many steps of an upkeep that is under way or begins on this day. */
type Turn =
  | { readonly minute: number; readonly calls: number }
  | { readonly steps: number; readonly process: number; readonly day: number };

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.oneof(
    fc.record({ minute: fc.constantFrom(0, 1, 60, 61, 1440), calls: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ steps: fc.integer({ min: 1, max: 12 }), process: fc.nat({ max: 1 }), day: fc.integer({ min: 1, max: 6 }) }),
  ),
  { maxLength: 30, size: 'max' },
);

/** A day is deleted in its hours while one of these has still its minutes: of 1,000 random histories none does that. */
const dayBeforeItsHours: Turn[] = [
  { minute: 0, calls: 1 },
  { steps: 9, process: 1, day: 4 },
  { steps: 2, process: 1, day: 1 },
  { minute: 0, calls: 1 },
  { steps: 9, process: 0, day: 2 },
  { steps: 1, process: 1, day: 1 },
  { minute: 0, calls: 1 },
];

/** Lets two processes take turns in keeping one store up, with what is written in between; in the end all is rolled up. */
function play(path: string, history: readonly Turn[]): void {
  const processes = [0, 1].map(() => {
    const db = openToWrite(path, 'secret');
    return { db, batches: new BatchWriter(db), upkeep: maintenance(db, start, retention) };
  });
  const step = (process: (typeof processes)[number]): boolean => {
    const next = process.upkeep.next();
    if (next.done !== true) next.value();
    process.batches.forget();
    return next.done !== true;
  };
  for (const [index, turn] of history.entries()) {
    const process = processes['steps' in turn ? turn.process : 0];
    if (process === undefined) continue;
    if ('minute' in turn) {
      const counts = { calls: turn.calls, v2Calls: turn.calls };
      process.batches.write(pack(batchOf([rowOf(start / minuteInMs + turn.minute, counts)], { writer: String(index) })));
    } else
      for (let left = turn.steps; left > 0; left--)
        if (!step(process)) process.upkeep = maintenance(process.db, start + turn.day * dayInMs, retention);
  }
  for (const process of processes) {
    while (step(process));
    process.upkeep = maintenance(process.db, start + 20 * dayInMs, retention);
    while (step(process));
  }
  for (const { db } of processes) db.close();
}

describe('two processes that keep one file up at once', () => {
  it('count every call once, whatever comes between any two of their steps', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (history) => {
        const path = storePath();
        play(path, history);
        const written = history.reduce((sum, turn) => sum + ('minute' in turn ? turn.calls : 0), 0);
        expect(await callsIn(path)).toBe(written);
        const load = await reading(path, (reader) => collect(reader.load(everything, [callerOf().keyHash ?? ''])));
        expect(load.reduce((sum, { v2Calls }) => sum + v2Calls, 0)).toBe(written);
      }),
      { numRuns: Number(process.env['HISTORIES'] ?? 60), examples: [[dayBeforeItsHours]] },
    );
  });
});
