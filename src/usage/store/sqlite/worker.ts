/** The thread of a writer: takes one request after another, and writes between the steps of rolling up. */
import { parentPort, workerData } from 'node:worker_threads';
import { ageingClock } from '../ageing-clock.ts';
import { guarded, openToWrite, stillThere, storeError } from './connection.ts';
import { maintenance } from './maintain.ts';
import { SqliteLedger } from './ledger.ts';
import { takeLosses } from './losses.ts';
import type { Failed, Maintain, Reply, Request, WriterData } from './messages.ts';
import { noteStep, readSteps } from './road.ts';
import { lastSeen, metaOf } from './schema.ts';
import { BatchWriter } from './write.ts';

const { path, hashSecret } = workerData as WriterData;
const reply = (message: Reply): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(message);
};
const failed = (error: unknown): Failed => {
  const { code, message } = storeError(error, path);
  return { code, message };
};

function serve(): void {
  const db = openToWrite(path, hashSecret);
  const clock = ageingClock(lastSeen(db));
  const check = stillThere(path);
  takeLosses(db, path);
  const batches = new BatchWriter(db);
  const ledger = new SqliteLedger(db);
  let closing = false;

  const maintain = async ({ now, retention }: Maintain): Promise<void> => {
    for (const step of maintenance(db, clock(now), retention)) {
      step();
      batches.forget();
      // Writes that came meanwhile go first.
      await new Promise((resolve) => setImmediate(resolve));
      if (closing) return;
    }
  };

  const answer = async (request: Request): Promise<void> => {
    try {
      if ('write' in request) {
        guarded(path, () => batches.write(request.write));
        // Afterwards, so that what was taken in between is written again elsewhere.
        check();
      } else if ('maintain' in request) await maintain(request.maintain);
      else if ('note' in request) {
        guarded(path, () => noteStep(db, request.note));
        check();
      } else if ('exchange' in request) {
        check();
        return reply({ id: request.id, answers: guarded(path, () => ledger.exchange(request.exchange)) });
      } else if ('steps' in request) {
        check();
        return reply({ id: request.id, steps: guarded(path, () => readSteps(db)) });
      } else {
        closing = true;
        guarded(path, () => db.close());
      }
      reply({ id: request.id });
    } catch (error) {
      reply({ id: request.id, failed: failed(error) });
    }
    if ('close' in request) parentPort?.close();
  };

  parentPort?.on('message', (request: Request) => void answer(request));
  reply({ opened: metaOf(db, 'hash_secret') ?? '' });
}

try {
  serve();
} catch (error) {
  reply({ notOpened: failed(error) });
}
