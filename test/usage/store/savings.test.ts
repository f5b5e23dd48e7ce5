/** What both stores keep of what savers would save. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { SavingRow } from '../../../src/usage/model.ts';
import { openEraser } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { batchOf, callerOf, rowOf, savingOf } from '../rows.ts';
import { start } from '../uses.ts';
import { savingsIn, storeKinds, writingPlainly } from './stores.ts';

const minute = start / minuteInMs;
const hour = start / hourInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };
const keyHash = 'a'.repeat(16);

/** Two clients with one key, and one with another. */
const callers = [callerOf(), callerOf({ client: 'curl/8.9.1' }), callerOf({ keyHash: 'b'.repeat(16) })];
const known = callers.map((caller) => rowOf(minute, {}, caller));

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('gives savings by key and hour, added up over clients and sessions, in the order of hours', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const savings = [
      savingOf({}, hour + 1),
      ...callers.map((caller) => savingOf({}, hour, caller)),
      savingOf({ asked: 1, untranslated: 0, saved: [0, 0, 0, 0, 1] }, hour - 1),
    ];
    await writer.write(batchOf([rowOf(minute - 60), ...known, rowOf(minute + 60)], { savings }));
    await writer.write(batchOf([], { writer: 'two', savings: [savingOf({ asked: 5, untranslated: 0, saved: [1, 1, 1, 1, 1] })] }));
    expect(await savingsIn(address)).toEqual([
      { keyHash, hour: hour - 1, asked: 1, untranslated: 0, saved: [0, 0, 0, 0, 1] },
      { keyHash, hour, asked: 25, untranslated: 4, saved: [1, 7, 9, 11, 13] },
      { keyHash: 'b'.repeat(16), hour, ...savingOf().counts },
      { keyHash, hour: hour + 1, ...savingOf().counts },
    ]);
    const hours = async (since: number, until: number) =>
      (await savingsIn(address, { since: start + since, until: start + until })).map((saving) => saving.hour - hour);
    expect([await hours(0, 1), await hours(-1, hourInMs), await hours(1, hourInMs + 1)]).toEqual([[0, 0], [0, 0], [1]]);
  });

  it('counts savings once that are written again, or after newer ones', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const older = savingOf({ asked: 3, untranslated: 1, saved: [0, 0, 1, 1, 1] });
    for (const savings of [[older], [savingOf()], [older], [savingOf(), older], [older, savingOf()]])
      await writer.write(batchOf(known, { savings }));
    expect(await savingsIn(address)).toEqual([{ keyHash, hour, ...savingOf().counts }]);
  });

  it('takes no savings of callers that it does not know, or that have no key', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const nobody = callerOf({ keyHash: null, keyPrefix: null });
    await writer.write(batchOf([rowOf(minute, {}, nobody)], { savings: [savingOf(), savingOf({}, hour, nobody)] }));
    expect(await savingsIn(address)).toEqual([]);
  });

  it('forgets savings with the hours', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    await writer.write(batchOf([...known, rowOf(minute + 1440)], { savings: [savingOf(), savingOf({}, hour + 24)] }));
    await writer.maintain(start + 35 * dayInMs, retention);
    expect(await savingsIn(address)).toHaveLength(2);
    await writer.maintain(start + 36 * dayInMs, retention);
    expect((await savingsIn(address)).map((saving) => saving.hour)).toEqual([hour + 24]);
    expect((await kind.rows(address))['saving']).toBe(1);
  });

  it('forgets savings with the days, where these are kept for less', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    await writer.write(batchOf(known, { savings: [savingOf()], session: { since: start, seen: start, ended: true } }));
    await writer.maintain(start + 33 * dayInMs, { ...retention, days: 10 * dayInMs });
    expect((await kind.rows(address))['saving']).toBe(0);
  });

  it('erases savings with their key, and takes none that come later', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const savings = callers.map((caller) => savingOf({}, hour, caller));
    await writer.write(batchOf(known, { savings }));
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    await eraser.erase(keyHash);
    await writer.write(batchOf([], { savings }));
    expect(await savingsIn(address)).toEqual([{ keyHash: 'b'.repeat(16), hour, ...savingOf().counts }]);
    expect((await kind.rows(address))['saving']).toBe(1);
  });

  it('gives plain sums, in whatever order writers tell of savings and however often', async () => {
    const growth = fc.record({
      writer: fc.constantFrom('one', 'two'),
      caller: fc.nat(2),
      hours: fc.nat(2),
      more: fc.array(fc.nat(9), { minLength: 7, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(growth, { maxLength: 12 }), fc.infiniteStream(fc.nat()), async (growths, chance) => {
        const cells = new Map<string, number[]>();
        const told = growths.map(({ writer, caller, hours, more }) => {
          const cell = `${writer} ${caller} ${hours}`;
          const counts = more.map((count, index) => count + (cells.get(cell)?.[index] ?? 0));
          cells.set(cell, counts);
          const [asked = 0, untranslated = 0, ...saved] = counts;
          const row: SavingRow = savingOf({ asked, untranslated, saved }, hour + hours, callers[caller]);
          return { writer, row };
        });
        const address = await kind.address();
        const writer = await writingPlainly(address);
        await writer.write(batchOf(known));
        for (const { each } of [...told, ...told].map((each) => ({ each, at: chance.next().value })).toSorted((a, b) => a.at - b.at))
          await writer.write(batchOf([], { writer: each.writer, savings: [each.row] }));
        const sums = new Map<string, number[]>();
        for (const [cell, counts] of cells) {
          const [, caller, hours] = cell.split(' ').map(Number);
          const key = `${callers[caller ?? 0]?.keyHash} ${hour + (hours ?? 0)}`;
          sums.set(
            key,
            counts.map((count, index) => count + (sums.get(key)?.[index] ?? 0)),
          );
        }
        const found = await savingsIn(address);
        expect(
          new Map(found.map(({ keyHash, hour, asked, untranslated, saved }) => [`${keyHash} ${hour}`, [asked, untranslated, ...saved]])),
        ).toEqual(sums);
      }),
      { numRuns: kind.histories, endOnFailure: true },
    );
  });
});
