/** A proxy's own ledger: what it gives back, and what it forgets. */
import { expect, test } from 'vitest';
import { type Account, MemoryLedger } from '../../src/budget/ledger.ts';

const account: Account = { id: 'workspace Acme', terms: { limit: 1, reserve: 0, window: { kind: 'fixed', phase: 0 } } };

test('a place that was given back is there for the next call', async () => {
  const ledger = new MemoryLedger(() => Date.parse('2026-10-01T12:20:00Z'));
  expect([await ledger.take(account, 1), await ledger.take(account, 1)]).toMatchObject([{ places: 1 }, { places: 0 }]);
  ledger.giveBack(account, 1);
  expect(await ledger.take(account, 1)).toMatchObject({ places: 1 });
});

test('a call that waited for a connection beyond the hour of its place counts in the next one', async () => {
  let now = Date.parse('2026-10-01T12:59:50Z');
  const ledger = new MemoryLedger(() => now);
  await ledger.take(account, 1);
  const takenAt = now;
  now += 15_000;
  ledger.goesOut(account, takenAt);
  expect(await ledger.take(account, 1)).toMatchObject({ places: 0 });
});

test('an account without a call for two days is forgotten', async () => {
  let now = Date.parse('2026-10-01T12:20:00Z');
  const ledger = new MemoryLedger(() => now);
  await ledger.take(account, 1);
  expect(ledger.standing(account)).toMatchObject({ used: 1 });
  for (const id of ['one', 'two']) {
    now += 27 * 3_600_000;
    await ledger.take({ ...account, id }, 1);
  }
  expect(ledger.standing(account)).toBeUndefined();
});
