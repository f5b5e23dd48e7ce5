/** The writer of an embedded store without its thread: starting one takes twenty times as long as what most tests write. */
import { randomBytes } from 'node:crypto';
import { ageingClock } from '../../src/usage/store/ageing-clock.ts';
import { openToWrite } from '../../src/usage/store/sqlite/connection.ts';
import { leaveLoss } from '../../src/usage/store/sqlite/losses.ts';
import { maintenance } from '../../src/usage/store/sqlite/maintain.ts';
import { pack } from '../../src/usage/store/sqlite/messages.ts';
import { noteStep, readSteps } from '../../src/usage/store/sqlite/road.ts';
import { lastSeen, metaOf } from '../../src/usage/store/sqlite/schema.ts';
import { BatchWriter } from '../../src/usage/store/sqlite/write.ts';
import type { UsageWriter } from '../../src/usage/store/store.ts';

/** Opens a store to fill it; makes it where there is none. */
export function openWriterHere(path: string): UsageWriter {
  const db = openToWrite(path, randomBytes(32).toString('hex'));
  const clock = ageingClock(lastSeen(db));
  const batches = new BatchWriter(db);
  return {
    hashSecret: metaOf(db, 'hash_secret') ?? '',
    write: async (batch) => batches.write(pack(batch)),
    async maintain(now, retention) {
      for (const step of maintenance(db, clock(now), retention)) {
        step();
        batches.forget();
      }
    },
    note: async (step) => noteStep(db, step),
    steps: async () => readSteps(db),
    async close(losses = []) {
      for (const loss of losses) leaveLoss(path, loss);
      db.close();
    },
  };
}
