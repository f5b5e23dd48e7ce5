import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { openEraser, openReader, openWriter } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, callerOf, kindOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { callsIn, leaveBehind, reading, storeKinds, writing } from './stores.ts';

const minute = start / minuteInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };
const opening = { reading: openReader, erasing: openEraser };

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it.each(['reading', 'erasing'] as const)('says for %s that nothing is there, and makes nothing', async (what) => {
    const address = await kind.address();
    await expect(opening[what](address)).rejects.toMatchObject({ code: 'STORE_MISSING' });
    await expect(opening[what](address)).rejects.toMatchObject({ code: 'STORE_MISSING' });
  });

  it('takes a batch that says the same minute twice, and texts with any characters', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const caller = callerOf({ client: 'a\0b\u{1f600}"\\{},NULL', name: 'NULL', workspace: '' });
    await writer.write(batchOf([rowOf(minute, { calls: 2 }, caller), rowOf(minute, { calls: 3 }, caller)]));
    expect(await callsIn(address)).toBe(3);
    const callers = await reading(address, (reader) => reader.callers());
    expect(callers).toMatchObject([{ client: expect.stringMatching(/^a(?:\0|\ufffd)b.*,NULL$/u), name: 'NULL', workspace: '' }]);
  });

  it('counts a batch once that is written again, or after a newer one', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const [older, newer] = [
      { calls: 2, duration: 1.5 },
      { calls: 5, duration: 4.25 },
    ].map((counts) => batchOf([rowOf(minute, counts)]));
    for (const batch of [older, newer, older, newer]) if (batch !== undefined) await writer.write(batch);
    await writer.write(batchOf([rowOf(minute, { calls: 10 })], { writer: 'two' }));
    expect(await reading(address, (reader) => collect(reader.totals(everything)))).toMatchObject([
      { counts: { calls: 15, duration: 14.25 } },
    ]);
  });

  it('keeps a caller that only calls v2 as long as its load, and of an erased one nothing', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute, { v2Calls: 9 }, callerOf(), kindOf({ outcome: 'passed' }))]));
    const later = minute + 300 * 1440;
    await writer.write(batchOf([rowOf(later, { v2Calls: 5 }, callerOf(), kindOf({ outcome: 'passed' }))]));
    const loads = async (days: number): Promise<readonly number[]> => {
      await writer.maintain(start + days * dayInMs, retention);
      const load = await reading(address, (reader) => collect(reader.load(everything, [callerOf().keyHash ?? ''])));
      expect(await reading(address, (reader) => reader.callers())).toHaveLength(Math.min(1, load.length));
      return load.map(({ v2Calls }) => v2Calls);
    };
    expect([await loads(301), await loads(390), await loads(450), await loads(750)]).toEqual([[9, 5], [9, 5], [5], []]);

    const again = await kind.address();
    const other = await writing(again);
    await other.write(batchOf([rowOf(minute, { v2Calls: 9 }, callerOf(), kindOf({ outcome: 'passed' }))]));
    const eraser = await openEraser(again);
    expect(await eraser.erase(callerOf().keyHash ?? '')).toEqual({ callers: 1, calls: 0 });
    await eraser.close();
    expect(await reading(again, (reader) => reader.erased())).toEqual([]);
  });

  it('leaves out callers and endpoints that are not asked for', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const other = callerOf({ client: 'curl/8.9.1' });
    const sent = kindOf({ endpoint: 'POST /v1/messages', method: 'POST' });
    const rows = [rowOf(minute, { calls: 1 }), rowOf(minute, { calls: 2 }, callerOf(), sent), rowOf(minute, { calls: 4 }, other)];
    await writer.write(batchOf([...rows, rowOf(minute + 1440, { calls: 8 })]));
    for (const days of [0, 5, 40]) {
      await writer.maintain(start + days * dayInMs, retention);
      for (const size of ['hour', 'day'] as const)
        expect(
          (await reading(address, (reader) => collect(reader.seriesWithout(everything, size, [callerOf().id], ['POST /v1/messages']))))
            .flat()
            .map(({ calls }) => calls),
        ).toEqual([1, 8]);
    }
  });

  it('gives every caller once, and its days in order, where there are many', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const callers = Array.from({ length: 100 }, (_, number) => callerOf({ keyHash: String(number).padStart(16, '0') }));
    const daysOf = (caller: number) => [0, 1].map((day) => [caller, start + day * dayInMs, 3]);
    const rows = [0, 1].flatMap((day) =>
      [0, 1].flatMap((hour) => callers.map((caller) => rowOf(minute + day * 1440 + hour * 60, { calls: 1 + hour }, caller))),
    );
    await writer.write(batchOf(rows));
    // By the minute; with one day of both rolled up; and by the day.
    for (const now of [0, hourInMs + dayInMs, 5 * dayInMs]) {
      await writer.maintain(start + now, retention);
      const [totals, points, peaks] = await reading(address, async (reader) => [
        await collect(reader.totals(everything)),
        (await collect(reader.series(everything, 'day'))).flat(),
        (await collect(reader.peaks(everything))).flat(),
      ]);
      expect(totals.map(({ caller, counts }) => [caller, counts.calls]).toSorted()).toEqual(callers.map(({ id }) => [id, 6]).toSorted());
      expect(points.map(({ caller, start: day, calls }) => [caller, day, calls])).toEqual(
        [...new Set(points.map(({ caller }) => caller))].flatMap(daysOf),
      );
      expect([points.length, peaks.length]).toEqual([200, 200]);
    }
  });

  it('keeps the secret of its hashes', async () => {
    const address = await leaveBehind(await kind.address());
    const secrets = [await reading(address, async ({ hashSecret }) => hashSecret), (await writing(address)).hashSecret];
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets[1]).toBe(secrets[0]);
  });

  it('makes one store where several start at once', async () => {
    const address = await kind.address();
    const writers = await Promise.all([1, 2, 3, 4].map(() => writing(address)));
    expect(new Set(writers.map(({ hashSecret }) => hashSecret)).size).toBe(1);
    await Promise.all(writers.map((writer, index) => writer.write(batchOf([rowOf(minute)], { writer: String(index) }))));
    expect(await callsIn(address)).toBe(4);
  });

  it('keeps sessions and gaps as far as they go', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const [long, short] = [
      { session: { since: start, seen: start + 9, ended: true }, gaps: [{ since: start, until: start + 5, calls: 7 }] },
      { session: { since: start, seen: start + 3, ended: false }, gaps: [{ since: start, until: start + 2, calls: 1 }] },
    ];
    for (const batch of [short, long, short]) await writer.write(batchOf([], batch));
    await reading(address, async (reader) => {
      expect(await reader.sessions(everything)).toEqual([
        { writer: 'one', replica: 'one', since: start, seen: start + 9, ended: true, behind: 0 },
      ]);
      expect(await reader.gaps(everything)).toEqual([{ writer: 'one', since: start, until: start + 5, calls: 7 }]);
    });
  });

  it('knows which proxy recorded when, and by how much its clock was behind those before', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const write = (name: string, clock: number, seen: number) =>
      writer.write(batchOf([], { writer: name, replica: name, clock, session: { since: clock, seen, ended: true } }));
    await write('right', start, start + 1_000);
    await write('behind', start - 9_000, start - 8_000);
    await write('ahead', start + 5_000, start + 6_000);
    await reading(address, async (reader) => {
      const sessions = await reader.sessions(everything);
      expect(Object.fromEntries(sessions.map(({ replica, behind }) => [replica, behind]))).toEqual({ right: 0, behind: 10_000, ahead: 0 });
    });
  });

  it('remembers who was said to be gone, and when it was last said', async () => {
    const address = await leaveBehind(await kind.address());
    const eraser = await openEraser(address);
    for (const at of [start + 1, start + 9, start + 5]) await eraser.retire({ replica: 'one', at });
    await eraser.close();
    expect(await reading(address, (reader) => reader.retirements())).toEqual([{ replica: 'one', at: start + 9 }]);
  });

  it('says after its end that it is closed', async () => {
    const writer = await openWriter(await kind.address());
    await writer.close();
    await expect(writer.write(batchOf([]))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await writer.close();
  });
  it('sees one state of it, whatever is written meanwhile', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute)]));
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    await writer.write(batchOf([rowOf(minute + 1), rowOf(minute, { calls: 9 })]));
    await writer.maintain(start + 3 * dayInMs, retention);
    expect((await collect(reader.totals(everything))).map(({ counts }) => counts.calls)).toEqual([1]);
    expect(await callsIn(address)).toBe(10);
  });

  it('works while nobody writes, and after', async () => {
    const address = await leaveBehind(await kind.address());
    expect(await callsIn(address)).toBe(5);
  });

  it('deletes minutes, hours and days in their turn, and the calls stay counted', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute, { calls: 5 })], { session: { since: start, seen: start, ended: true } }));
    await writer.maintain(start + 3 * dayInMs, retention);
    expect(await kind.rows(address)).toMatchObject({ minute: 0, hour: 1, day: 1 });
    expect(await callsIn(address)).toBe(5);
    await writer.maintain(start + 40 * dayInMs, retention);
    expect(await kind.rows(address)).toMatchObject({ minute: 0, hour: 0, day: 1 });
    expect(await callsIn(address)).toBe(5);
    // Days go in blocks of sixteen.
    await writer.maintain(start + 418 * dayInMs, retention);
    // What is no record: how replicas share an hour.
    const { meta: _, kind: __, fleet: ___, ...rows } = await kind.rows(address);
    expect(new Set(Object.values(rows))).toEqual(new Set([0]));
  });

  it('takes one who comes back after having been forgotten for nobody else', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const [later, newcomer] = [minute + 500 * 1440, callerOf({ client: 'curl/8.9.1' })];
    await writer.write(batchOf([rowOf(minute)]));
    await writer.maintain(start + 3 * dayInMs, retention);
    await writer.maintain(start + 500 * dayInMs, retention);
    await writer.write(batchOf([rowOf(later, { calls: 2 }, newcomer)]));
    await writer.write(batchOf([rowOf(later, { calls: 5 })]));
    const totals = await reading(address, (reader) => collect(reader.totals(everything)));
    expect(new Map(totals.map(({ caller, counts }) => [caller, counts.calls]))).toEqual(
      new Map([
        [newcomer.id, 2],
        [callerOf().id, 5],
      ]),
    );
  });

  it('deletes nothing for a clock that is far ahead of the last sign of life', async () => {
    const address = await leaveBehind(await kind.address());
    const calls = await callsIn(address);
    const writer = await writing(address);
    await writer.maintain(start + 500 * dayInMs, retention);
    expect(await callsIn(address)).toBe(calls);
    await writer.write(batchOf([], { session: { since: start, seen: start + 500 * dayInMs, ended: true } }));
    await (await writing(address)).maintain(start + 500 * dayInMs, retention);
    expect(await callsIn(address)).toBe(0);
  });

  it('has the secret that it is made with, and keeps it', async () => {
    const address = await kind.address();
    for (const secret of ['a secret of a process', 'another']) await (await openWriter(address, secret)).close();
    expect(await reading(address, async ({ hashSecret }) => hashSecret)).toBe('a secret of a process');
  });

  it('keeps a client that comes back when all else of it is forgotten', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute, { calls: 5 })]));
    await writer.maintain(start + 3 * dayInMs, retention);
    await writer.write(batchOf([rowOf(minute + 418 * 1440, { calls: 7 })]));
    await writer.maintain(start + 418 * dayInMs, retention);
    expect(await reading(address, (reader) => collect(reader.totals(everything)))).toMatchObject([
      { caller: callerOf().id, counts: { calls: 7 } },
    ]);
  });

  it('keeps the longest pause of a client of which one call is forgotten', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const pauseOf = async () => (await reading(address, (reader) => reader.callers()))[0]?.longestPause;
    for (const day of [0, 1, 50, 60, 300]) {
      await writer.write(batchOf([rowOf(minute + day * 1440)]));
      await writer.maintain(start + (day + 1) * dayInMs, retention);
    }
    expect(await pauseOf()).toBeNull();
    // Of these days, all but the last two are forgotten.
    await writer.maintain(start + 457 * dayInMs, retention);
    expect(await pauseOf()).toBe(49 * dayInMs - 1);
    await writer.maintain(start + 600 * dayInMs, retention);
    expect(await pauseOf()).toBe(240 * dayInMs - 1);
  });

  it('does not lose what comes when the minutes of its hour are gone', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    for (const late of [0, 1, 2]) {
      await writer.write(batchOf([rowOf(minute + late, { calls: 10 ** late, v2Calls: 10 ** late })]));
      await writer.maintain(start + (3 + 40 * late) * dayInMs, retention);
      await writer.maintain(start + (3 + 40 * late) * dayInMs + 1, retention);
    }
    expect(await callsIn(address)).toBe(111);
    const load = await reading(address, (reader) => collect(reader.load(everything, ['a'.repeat(16)])));
    expect(load.map(({ v2Calls }) => v2Calls)).toEqual([1, 10, 100]);
  });

  it('keeps hours as long as the minutes that they are made of, so that what comes late counts once', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    for (const late of [0, 1]) {
      await writer.write(batchOf([rowOf(minute + late)]));
      await writer.maintain(start + 9 * dayInMs, { ...retention, minutes: 20 * dayInMs, hours: 3 * dayInMs });
    }
    expect(await callsIn(address)).toBe(2);
  });

  it('counts everything once where several processes write and roll up at once', async () => {
    const address = await kind.address();
    const writers = await Promise.all([1, 2, 3].map(() => writing(address)));
    const days = [0, 1, 2, 5, 40];
    await Promise.all(
      writers.map(async (writer, index) => {
        for (const day of days)
          for (let step = 0; step < 4; step++) {
            const rows = Array.from({ length: 20 }, (_, name) =>
              rowOf(minute + day * 1440 + step * 20, {}, callerOf({ name: String(name) })),
            );
            await writer.write(batchOf(rows, { writer: String(index) }));
            await writer.maintain(start + (day + step) * dayInMs, { ...retention, hours: 3 * dayInMs });
          }
      }),
    );
    for (const writer of writers) await writer.maintain(start + 50 * dayInMs, { ...retention, hours: 3 * dayInMs });
    expect(await callsIn(address)).toBe(writers.length * days.length * 4 * 20);
    expect(await kind.rows(address)).toMatchObject({ minute: 0 });
  });

  it('widens a range to what is kept', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute)]));
    const now = start + 40 * dayInMs;
    await writer.maintain(now, retention);
    const at = (time: number) => ({ since: time - 1, until: time + 1 });
    const noon = 12 * hourInMs;
    const widened = await reading(address, (reader) =>
      Promise.all([start + noon, now - 10 * dayInMs, now].map((time) => reader.widen(at(time)))),
    );
    expect(widened.map(({ since, until }) => until - since)).toEqual([dayInMs, 2 * hourInMs, 2 * minuteInMs]);
  });

  it('keeps the eight networks of a caller that were seen last', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const sources = Array.from({ length: 12 }, (_, index) => ({
      caller: callerOf().id,
      network: `192.0.${index}.0/24`,
      first: start,
      last: start + index,
    }));
    await writer.write(batchOf([rowOf(minute)], { sources }));
    await writer.maintain(start, retention);
    const left = await reading(address, (reader) => collect(reader.sources()));
    expect(left.map(({ last }) => last - start).toSorted((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  const other = callerOf({ keyHash: 'b'.repeat(16), keyPrefix: 'other' });

  it('leaves nothing of a key that is erased, and all of the others', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    const rows = [0, 1, 2, 50].map((day) => minute + day * 1440).flatMap((at) => [rowOf(at, { calls: 3 }), rowOf(at, { calls: 4 }, other)]);
    await writer.write(batchOf(rows, { sources: [{ caller: callerOf().id, network: '192.0.2.0/24', first: start, last: start }] }));
    await writer.maintain(start + 50 * dayInMs, retention);
    const before = await kind.rows(address);
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    expect(await eraser.erase('a'.repeat(16))).toEqual({ callers: 1, calls: 12 });
    expect(await callsIn(address)).toBe(16);
    const after = await kind.rows(address);
    expect(after['source']).toBe(0);
    for (const table of ['minute', 'hour', 'day', 'block', 'caller_day', 'load', 'peak', 'caller'])
      expect([table, after[table]]).toEqual([table, (before[table] ?? 0) / 2]);
    expect((await reading(address, (reader) => collect(reader.peaks(everything)))).flat().map(({ keyHash }) => keyHash)).not.toContain(
      'a'.repeat(16),
    );
  });

  it('leaves of an erased client that somebody called, until when and with which pauses, as long as days are kept', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([0, 1, 21, 22].map((day) => rowOf(minute + day * 1440))));
    await writer.maintain(start + 3 * dayInMs, retention);
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    await eraser.erase('a'.repeat(16));
    const erasedOf = () => reading(address, (reader) => reader.erased());
    const last = (Math.floor(start / dayInMs) + 23) * dayInMs;
    expect(await erasedOf()).toEqual([{ last, longestPause: 20 * dayInMs - 1 }]);
    await writer.write(batchOf([rowOf(minute + 30 * 1440)], { writer: 'two' }));
    await writer.maintain(start + 32 * dayInMs, retention);
    await eraser.erase('a'.repeat(16));
    expect(await erasedOf()).toContainEqual({ last: last + 8 * dayInMs, longestPause: null });
    await writer.maintain(start + 600 * dayInMs, retention);
    expect(await erasedOf()).toEqual([]);
  });

  it('forgets nothing where it knows nothing', async () => {
    const eraser = await openEraser(await leaveBehind(await kind.address()));
    onTestFinished(() => eraser.close());
    expect(await eraser.erase('f'.repeat(16))).toEqual({ callers: 0, calls: 0 });
  });

  it('lets a proxy that runs record the key anew', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute), rowOf(minute, {}, other)]));
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    await eraser.erase('a'.repeat(16));
    await writer.write(batchOf([rowOf(minute + 1, { calls: 2 }), rowOf(minute + 1, {}, other)]));
    const totals = await reading(address, (reader) => collect(reader.totals(everything)));
    expect(Object.fromEntries(totals.map(({ caller, counts }) => [caller, counts.calls]))).toEqual({ [callerOf().id]: 2, [other.id]: 2 });
  });
});
