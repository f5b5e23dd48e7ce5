import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, hourInMs } from '../../../src/contract/times.ts';
import { type LogBatch, type LogCaller, type LogKind, mostLogCallers } from '../../../src/usage/logs/model.ts';
import { stagedName } from '../../../src/usage/store/logs.ts';
import { openEraser, openLogWriter } from '../../../src/usage/store/open.ts';
import type { LogWriter } from '../../../src/usage/store/store.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { everything } from '../record.ts';
import { start } from '../uses.ts';
import { reading, storeKinds, writingPlainly } from './stores.ts';

const hour = start / hourInMs;
const keyHash = 'c'.repeat(16);
const caller: LogCaller = { client: 'axios/1.7.0', network: '192.0.2.0/24', keyHash, keyPrefix: 'key_' };
const nobody: LogCaller = { client: 'curl/8.9.1', network: '', keyHash: null, keyPrefix: null };
const kind: LogKind = { endpoint: 'GET /v1/messages', method: 'GET', status: 200 };
const refused: LogKind = { ...kind, status: 401 };

/** Lines as pairs of a mark and the place of a caller, one millisecond after another. */
const hourOf = (lines: readonly (readonly [mark: number, caller: number])[], at = hour): LogBatch['hours'][number] => ({
  hour: at,
  marks: Float64Array.from(lines, ([mark]) => mark),
  times: Float64Array.from(lines.keys(), (index) => at * hourInMs + index),
  callers: Int32Array.from(lines, ([, place]) => place),
  kinds: new Int32Array(lines.length),
});

const batchOf = (hours: LogBatch['hours'], changes: Partial<LogBatch> = {}): LogBatch => ({
  source: 'edge',
  format: 'combined',
  at: start,
  file: { id: 1, stretches: [{ since: start, until: start + 10 }], lines: 100, unread: 1 },
  callers: [caller, nobody],
  kinds: [kind, refused],
  hours,
  ...changes,
});

async function logging(address: string): Promise<LogWriter> {
  const writer = await openLogWriter(address);
  onTestFinished(() => writer.close());
  return writer;
}

const usesIn = (address: string, range = everything) =>
  reading(address, async (reader) =>
    (await reader.logUses(range)).map(({ source, caller: { client }, calls }) => `${source} ${client} ${calls}`).toSorted(),
  );
const withoutStretches = {
  sqlite: 'DROP TABLE log_stretch; PRAGMA user_version = 7',
  postgres: `DROP TABLE migrate_v2.log_stretch; UPDATE migrate_v2.meta SET value = '7' WHERE name = 'version'`,
};
const sourcesIn = (address: string) => reading(address, (reader) => reader.logSources());

describe.each(storeKinds(useDatabases()))('logs in $name', (store) => {
  it('counts each line of a source once, whatever it comes with and however often', async () => {
    const address = await store.address();
    const writer = await logging(address);
    const far = 2 ** 40 - 1;
    expect(
      await writer.add(
        batchOf([
          hourOf([
            [far, 0],
            [7, 0],
            [300, 1],
          ]),
        ]),
      ),
    ).toBe(3);
    expect(
      await writer.add(
        batchOf([
          hourOf([
            [300, 1],
            [7, 0],
            [8, 0],
            [0, 0],
            [0, 0],
          ]),
        ]),
      ),
    ).toBe(2);
    expect(
      await writer.add(
        batchOf(
          [
            hourOf([
              [7, 0],
              [far, 0],
            ]),
          ],
          { source: 'origin' },
        ),
      ),
    ).toBe(2);
    expect(await writer.add(batchOf([hourOf([[7, 0]], hour + 1)]))).toBe(1);
    expect(await usesIn(address)).toEqual(['edge axios/1.7.0 5', 'edge curl/8.9.1 1', 'origin axios/1.7.0 2']);
  });

  it('counts each line once where two import at the same time', async () => {
    const address = await store.address();
    const lines = (from: number) => Array.from({ length: 500 }, (_, index): [number, number] => [(from + index) * 1_000_003, index % 2]);
    const all = async (writer: LogWriter, starts: readonly number[]): Promise<number> => {
      let added = 0;
      for (const from of starts) added += await writer.add(batchOf([hourOf(lines(from))]));
      return added;
    };
    const [one, two] = [await logging(address), await logging(address)];
    const added = await Promise.all([all(one, [0, 250, 400]), all(two, [0, 250, 400])]);
    expect(added[0] + added[1]).toBe(900);
    expect(await usesIn(address)).toEqual(['edge axios/1.7.0 450', 'edge curl/8.9.1 450']);
  });

  it('knows a file that has grown, and how far a source reaches', async () => {
    const address = await store.address();
    const writer = await logging(address);
    expect(await sourcesIn(address)).toEqual([]);
    await writer.add(batchOf([]));
    const grown = { id: 1, stretches: [{ since: start, until: start + 90 }], lines: 250, unread: 2 };
    await writer.add(batchOf([], { at: start + 5, file: grown }));
    const other = { id: 2 ** 52 + 1, stretches: [{ since: start - 60, until: start + 9 }], lines: 10, unread: 0 };
    await writer.add(batchOf([], { at: start + 3, file: other }));
    const stretches = [{ since: start - 60, until: start + 90 }];
    expect(await sourcesIn(address)).toEqual([
      { name: 'edge', format: 'combined', imported: start + 5, files: 2, stretches, lines: 260, unread: 2 },
    ]);
  });

  it('knows between which lines of a source a day or more is missing, whichever file they stand in', async () => {
    const address = await store.address();
    const writer = await logging(address);
    const stretch = (from: number, to: number) => ({ since: start + from * hourInMs, until: start + to * hourInMs });
    const read = (id: number, ...stretches: readonly ReturnType<typeof stretch>[]) =>
      writer.add(batchOf([], { file: { id, stretches, lines: 1, unread: 0 } }));
    await read(1, stretch(0, 10), stretch(60, 70));
    await read(2, stretch(94, 100));
    await writer.add(batchOf([], { source: 'origin' }));
    const found = async () => (await sourcesIn(address))[0]?.stretches;
    expect(await found()).toEqual([stretch(0, 10), stretch(60, 100)]);
    await read(3, stretch(30, 40));
    expect(await found()).toEqual([stretch(0, 100)]);
  });

  it('takes what it knew of files for stretches, where it is of the version before', async () => {
    const address = await store.address();
    const writer = await openLogWriter(address);
    await writer.add(batchOf([]));
    await writer.close();
    await store.run(address, store.name.includes('PostgreSQL') ? withoutStretches.postgres : withoutStretches.sqlite);
    await (await openLogWriter(address)).close();
    expect((await sourcesIn(address))[0]?.stretches).toEqual([{ since: start, until: start + 10 }]);
  });

  it('tells of a time the calls of its days, and of each kind when it was called first and last', async () => {
    const address = await store.address();
    const writer = await logging(address);
    await writer.add(batchOf([hourOf([[1, 0]]), hourOf([[2, 0]], hour + 48), hourOf([[3, 0]], hour + 72)]));
    const day = Math.floor(start / dayInMs) * dayInMs;
    const uses = await reading(address, (reader) => reader.logUses({ since: day + dayInMs, until: day + 3 * dayInMs }));
    expect(uses).toEqual([{ source: 'edge', caller, kind, calls: 1, first: start, last: start + 72 * hourInMs }]);
  });

  it('tells a bounded number of callers of a source apart', async () => {
    const address = await store.address();
    const writer = await logging(address);
    const many = Array.from({ length: mostLogCallers + 50 }, (_, index) => ({ ...nobody, client: `other-${index}` }));
    const lines = many.map((_, index): [number, number] => [index * 7, index]);
    await writer.add(batchOf([hourOf(lines)], { callers: many }));
    await writer.add(batchOf([hourOf([[1, 0]])], { callers: [{ ...nobody, client: 'late' }] }));
    const uses = await usesIn(address);
    expect(uses).toHaveLength(mostLogCallers + 1);
    expect(uses).toContain('edge _other 51');
  }, 30_000);

  it('forgets a key in them with all else of it, and leaves until when somebody called', async () => {
    const address = await store.address();
    const writer = await logging(address);
    await writer.add(
      batchOf([
        hourOf([
          [1, 0],
          [2, 1],
          [3, 0],
        ]),
      ]),
    );
    const eraser = await openEraser(address);
    onTestFinished(() => eraser.close());
    expect(await eraser.erase(keyHash)).toEqual({ callers: 1, calls: 2 });
    expect(await usesIn(address)).toEqual(['edge curl/8.9.1 1']);
    expect(await reading(address, (reader) => reader.erased())).toEqual([
      { last: (Math.floor(start / dayInMs) + 1) * dayInMs, longestPause: null },
    ]);
    // What was erased does not come back with the file.
    expect(
      await writer.add(
        batchOf([
          hourOf([
            [1, 0],
            [2, 1],
            [3, 0],
          ]),
        ]),
      ),
    ).toBe(0);
  });

  it('forgets a source, which can be imported anew', async () => {
    const address = await store.address();
    const writer = await logging(address);
    await writer.add(batchOf([hourOf([[1, 0]])]));
    await writer.add(batchOf([hourOf([[1, 0]])], { source: 'origin' }));
    expect([await writer.forget('edge'), await writer.forget('edge')]).toEqual([1, undefined]);
    expect((await sourcesIn(address)).map(({ name }) => name)).toEqual(['origin']);
    expect(await writer.add(batchOf([hourOf([[1, 0]])]))).toBe(1);
  });

  it('shows a source that is to take the place of another only when it does', async () => {
    const address = await store.address();
    const writer = await logging(address);
    const [staged, none] = [stagedName('edge'), stagedName('edge')];
    await writer.add(batchOf([hourOf([[1, 0]])]));
    await writer.add(
      batchOf(
        [
          hourOf([
            [1, 0],
            [2, 1],
          ]),
        ],
        { source: staged },
      ),
    );
    expect(await usesIn(address)).toEqual(['edge axios/1.7.0 1']);
    expect(await writer.replace('edge', none)).toBe('nothing');
    expect(await usesIn(address)).toEqual(['edge axios/1.7.0 1']);
    expect(await writer.replace('edge', staged)).toBe(1);
    expect(await usesIn(address)).toEqual(['edge axios/1.7.0 1', 'edge curl/8.9.1 1']);
    expect((await sourcesIn(address)).map(({ name }) => name)).toEqual(['edge']);
    expect(await writer.replace('edge', staged)).toBe('nothing');
  });

  it('keeps them as long as days are kept', async () => {
    const address = await store.address();
    const writer = await logging(address);
    const late = 390 * 24;
    await writer.add(batchOf([hourOf([[1, 0]])]));
    const file = { id: 1, stretches: [{ since: start, until: start + late * hourInMs }], lines: 100, unread: 1 };
    await writer.add(batchOf([hourOf([[2, 1]], hour + late)], { file }));
    const proxy = await writingPlainly(address);
    const maintain = (days: number) =>
      proxy.maintain(start + days * dayInMs, { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs });
    await maintain(399);
    expect(await usesIn(address)).toHaveLength(2);
    await maintain(450);
    expect(await usesIn(address)).toEqual(['edge curl/8.9.1 1']);
    const [stretch, ...others] = (await sourcesIn(address))[0]?.stretches ?? [];
    expect(stretch?.since).toBeGreaterThan(start);
    expect([stretch?.until, others]).toEqual([start + late * hourInMs, []]);
    expect(await store.rows(address)).toMatchObject({ log_line: 1, log_caller: 1 });
    await maintain(900);
    expect(await store.rows(address)).toMatchObject({ log_source: 0, log_file: 0, log_stretch: 0, log_line: 0, log_caller: 0, log_use: 0 });
  });
});
