/**
 * Takes places of one account until it is killed: `spend.ts <store> <limit> <when its hour begins>`. Says before each call that it sends it, so that no
 * call is missed which v2 could have seen.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeasingLedger } from '../../../proxy/budget/leasing.ts';
import { isDenied } from '../../../src/budget/account.ts';
import { PostgresLedger } from '../../../src/usage/store/postgres/ledger.ts';
import { openWriter } from '../../../src/usage/store/open.ts';

const [address = '', limit = '', phase = ''] = process.argv.slice(2);
const account = { id: 'Acme', terms: { limit: Number(limit), reserve: 0.5, window: { kind: 'fixed', phase: Number(phase) } } } as const;
const ledger = new LeasingLedger({
  store: address.startsWith('postgres') ? new PostgresLedger(address) : await openWriter(address),
  replica: String(process.pid),
  // It takes nothing before the store has said something, however long that lasts on a busy machine.
  replicas: Infinity,
  logger: { info: () => undefined, warn: () => undefined },
  now: Date.now,
  clock: () => performance.now(),
  later: (work, after) => void setTimeout(work, after),
});

for (let call = 0; ; call++) {
  const granted = await ledger.take(account, call % 2);
  // At once, not over a stream: what is said must have been said when the process is gone.
  if (!isDenied(granted)) writeSync(1, 'sent\n');
  if (call === 0) process.send?.('begun');
  await sleep(isDenied(granted) ? 50 : 2);
}
