import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { openReader, openWriter } from '../../../src/usage/store/open.ts';
import { guarded, openToWrite } from '../../../src/usage/store/sqlite/connection.ts';
import { pack } from '../../../src/usage/store/sqlite/messages.ts';
import { BatchWriter } from '../../../src/usage/store/sqlite/write.ts';
import type { UsageWriter } from '../../../src/usage/store/store.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { collect, everything, storePath } from '../record.ts';
import { batchOf, rowOf } from '../rows.ts';
import { start, useOf } from '../uses.ts';

/** The embedded store without its thread, so that the size it may have can be set. */
function unthreaded(path: string, db: DatabaseSync): UsageWriter {
  const batches = new BatchWriter(db);
  return {
    hashSecret: '',
    write: async (batch) => guarded(path, () => batches.write(pack(batch))),
    maintain: async () => undefined,
    note: async () => undefined,
    steps: async () => [],
    close: async () => db.close(),
  };
}

describe('a store in trouble', () => {
  afterEach(() => void vi.useRealTimers());

  it('gets what a proxy could not tell it before its end from the next one that opens it', async () => {
    const path = storePath();
    const loss = { writer: 'one', since: start + 5, until: start + 9, calls: 7 };
    const first = await openWriter(path);
    await first.write(batchOf([], { session: { since: start, seen: start + 5, ended: false } }));
    await first.close([loss]);
    const foreign = `${path}.lost-notes.txt`;
    writeFileSync(foreign, 'somebody’s own');
    await (await openWriter(path)).close();
    const reader = await openReader(path);
    onTestFinished(() => reader.close());
    expect(await reader.gaps(everything)).toEqual([loss]);
    expect(await reader.sessions(everything)).toMatchObject([{ writer: 'one', since: start, seen: start + 9, ended: true }]);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.lost-'))).toEqual([basename(foreign)]);
  });

  it('keeps a bounded backlog while its disk is full, and tells what is missing as a gap', async () => {
    vi.useFakeTimers({ now: start });
    const path = storePath();
    const db = openToWrite(path, 'secret');
    const recorder = new UsageRecorder({ writer: unthreaded(path, db), replica: 'proxy', keepDays: dayInMs, bounds: { rows: 50 } });
    const call = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        recorder.add(useOf({ at: Date.now() }));
        await vi.advanceTimersByTimeAsync(minuteInMs);
      }
    };
    await call(2);
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    db.exec(`PRAGMA max_page_count = ${pages}`);
    // Takes what is left of the pages.
    const filler = db.prepare('INSERT INTO kind (endpoint, method, status, outcome) VALUES (?, ?, ?, ?)');
    expect(() => {
      for (let index = 0; ; index++) filler.run(`filler ${index} ${'x'.repeat(500)}`, '', 0, '');
    }).toThrow('full');
    for (let name = 0; name < 200; name++) recorder.add(useOf({ at: Date.now(), name: `${name} ${'x'.repeat(500)}` }));
    await vi.advanceTimersByTimeAsync(5 * minuteInMs);
    expect(recorder.state).toMatchObject({ backlog: 50, lost: 150, failing: { code: 'STORE_FULL' } });

    db.exec('PRAGMA max_page_count = 1000000');
    await vi.advanceTimersByTimeAsync(minuteInMs);
    await call(2);
    expect(recorder.state).toMatchObject({ backlog: 0, lost: 150, failing: undefined });
    await recorder.close();
    const reader = await openReader(path);
    onTestFinished(() => reader.close());
    const calls = (await collect(reader.totals(everything))).reduce((sum, { counts }) => sum + counts.calls, 0);
    expect(calls).toBe(54);
    expect(await reader.gaps(everything)).toMatchObject([{ since: start + 2 * minuteInMs, calls: 150 }]);
  });

  it('does not write on into a file that was moved away', async () => {
    const path = storePath();
    const writer = await openWriter(path);
    onTestFinished(() => writer.close());
    await writer.write(batchOf([rowOf(1)]));
    renameSync(path, `${path}.old`);
    await expect(writer.write(batchOf([rowOf(2)]))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
