/** What a replica asks of its store, and what it takes from what it has. */
import { expect, test } from 'vitest';
import { LeasingLedger } from '../../proxy/budget/leasing.ts';
import { isDenied } from '../../src/budget/account.ts';
import { newFleet } from '../../src/budget/fleet.ts';
import { type LedgerBatch, answerAll } from '../../src/budget/ledger-store.ts';
import { type Shared, newShared } from '../../src/budget/leases.ts';

const began = Date.UTC(2026, 10, 22, 9, 10);

/** A replica whose timers the test lets run, beside a store that answers at once. */
function replica(away = false) {
  const store = { isAway: away };
  const fleet = newFleet();
  const accounts = new Map<string, Shared>();
  const batches: LedgerBatch[] = [];
  const timers: { readonly at: number; readonly work: () => void }[] = [];
  const state = { passed: 0 };
  const ledger = new LeasingLedger({
    store: {
      exchange: async (batch) => {
        batches.push(batch);
        if (store.isAway) throw new Error('away');
        const shared = batch.messages.map(({ account }) => accounts.get(account) ?? newShared());
        for (const [index, { account }] of batch.messages.entries()) accounts.set(account, shared[index] ?? newShared());
        return { ...answerAll(batch, fleet, shared, began + state.passed, true), wanted: [] };
      },
    },
    replica: 'one',
    replicas: 4,
    logger: { info: () => undefined, warn: () => undefined },
    now: () => began + state.passed,
    clock: () => state.passed,
    later: (work, after) => void timers.push({ at: state.passed + after, work }),
  });
  const pass = async (ms: number): Promise<void> => {
    const end = state.passed + ms;
    for (;;) {
      timers.sort((a, b) => a.at - b.at);
      if ((timers[0]?.at ?? Infinity) > end) break;
      const next = timers.shift();
      state.passed = next?.at ?? end;
      next?.work();
      for (let turn = 0; turn < 10; turn++) await undefined;
    }
    state.passed = end;
  };
  return { ledger, batches, accounts, pass, store };
}

const accountOf = (limit: number | undefined, id = 'Acme') =>
  ({ id, terms: { limit, reserve: 0, window: { kind: 'fixed', phase: 0 } } }) as const;

test('a limit of 10,000 is not asked for call by call', async () => {
  const { ledger, batches, pass } = replica();
  let waited = 0;
  for (let call = 0; call < 400; call++) {
    const granted = ledger.take(accountOf(10_000), 0);
    if (granted instanceof Promise) waited++;
    await granted;
    await pass(25);
  }
  expect(waited).toBeLessThan(10);
  // Two signs of life a second, and what was sent with them; one more for every few calls.
  expect(batches.length).toBeLessThan(100);
});

test('what has no limit waits for nothing, and is told now and then', async () => {
  const { ledger, batches, pass } = replica();
  await pass(100);
  for (let call = 0; call < 400; call++) {
    expect(ledger.take(accountOf(undefined), 0)).toMatchObject({ places: 1, limit: undefined });
    await pass(25);
  }
  expect(batches.filter(({ messages }) => messages.length > 0).length).toBeLessThan(3);
});

test('places that no call comes for go back after some seconds, and everything at the end', async () => {
  const { ledger, accounts, pass } = replica();
  for (let call = 0; call < 50; call++) await ledger.take(accountOf(10_000), 1);
  await pass(600);
  const held = () => Object.values(accounts.get('Acme')?.held ?? {});
  expect(held()[0]?.places.calls).toBeGreaterThan(0);
  await pass(4_000);
  expect(held()).toMatchObject([{ places: { calls: 0 }, share: { calls: expect.any(Number) } }]);
  await ledger.close();
  expect(held()).toEqual([]);
  expect(accounts.get('Acme')?.account.slots).toMatchObject([{ calls: 50 }]);
});

test('a call that was given a place and is not sent leaves it for the next', async () => {
  const { ledger, accounts, pass } = replica();
  for (let call = 0; call < 3; call++) {
    await ledger.take(accountOf(100), 0);
    ledger.giveBack(accountOf(100), 0);
  }
  await ledger.close();
  await pass(0);
  expect(accounts.get('Acme')?.account.slots.every(({ calls }) => calls === 0)).toBe(true);
});

test('without a store that was ever there, a part of the limit is taken, and no more', async () => {
  const { ledger, pass } = replica(true);
  await pass(6_000);
  let sent = 0;
  for (let call = 0; call < 60; call++) if (!isDenied(await ledger.take(accountOf(100), 1))) sent++;
  expect(sent).toBe(25);
});

test.each([
  ['an hour', 61, 10],
  ['less than an hour', 20, 0],
])(
  'a replica that was the only one for %s goes on with accounts that it had no call of, while the store is away: %i minutes, %i calls',
  async (_, minutes, expected) => {
    const { ledger, pass, store } = replica();
    for (let minute = 0; minute < minutes; minute++) {
      await ledger.take(accountOf(100, 'Bolt'), 1);
      await pass(60_000);
    }
    store.isAway = true;
    await pass(5_000);
    const granted: number[] = [];
    for (let call = 0; call < 12; call++) granted.push((await ledger.take(accountOf(10), 1)).places);
    expect(granted.reduce((sum, places) => sum + places, 0)).toBe(expected);
  },
);
