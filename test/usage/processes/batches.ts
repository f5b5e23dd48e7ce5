/**
 * Writes batches until it is killed: `batches.ts <store> <name> [how many]`. Says before each which number it has, and when it was taken;
 * each has one call more for the client of this name, and one for a client of all. Rolls up between them.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { openWriter } from '../../../src/usage/store/open.ts';
import type { UsageBatch, UsageWriter } from '../../../src/usage/store/store.ts';
import { batchOf, callerOf, kindOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';

const [address = '', name = '', most = 'Infinity'] = process.argv.slice(2);
const minutes = [0, 59, 60, 1439, 1440];
const retention = { minutes: 400 * dayInMs, hours: 400 * dayInMs, days: 400 * dayInMs };

/** In another order each time: what is written at once must not depend on it. */
function batchNumber(number: number): UsageBatch {
  const callers = [callerOf({ name }), callerOf({ name: 'all' })];
  const kinds = [kindOf(), kindOf({ status: 404 })];
  const rows = minutes.flatMap((minute) =>
    callers.flatMap((caller) => kinds.map((kind) => rowOf(start / minuteInMs + minute, { calls: number, v2Calls: number }, caller, kind))),
  );
  const networks = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].toSorted(() => Math.random() - 0.5);
  const sources = callers.flatMap(({ id }) => networks.map((network) => ({ caller: id, network, first: start, last: start + number })));
  return batchOf(
    rows.toSorted(() => Math.random() - 0.5),
    { writer: name, sources, session: { since: start, seen: start + number, ended: false } },
  );
}

/** Whether a batch that failed was taken is not known: it is written again until it is. */
async function insist(work: (writer: UsageWriter) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      writer ??= await openWriter(address);
      await work(writer);
      return;
    } catch {
      await sleep(20);
    }
  }
}

let writer: UsageWriter | undefined;
for (let number = 1; number <= Number(most); number++) {
  const batch = batchNumber(number);
  // At once, not over a stream: what is said must have been said when the process is gone.
  writeSync(1, `tries ${number}\n`);
  await insist((store) => store.write(batch));
  writeSync(1, `wrote ${number}\n`);
  if (number % 3 === 0) await insist((store) => store.write(batch));
  if (number % 5 === 0) await insist((store) => store.maintain(start + 3 * dayInMs, retention));
  if (number === 1) process.send?.('begun');
}
await writer?.close();
