/** What both stores do for replicas that share an hour. */
import { describe, expect, it } from 'vitest';
import type { Terms } from '../../../src/budget/account.ts';
import type { LedgerBatch } from '../../../src/budget/ledger-store.ts';
import { type Message, noPlaces } from '../../../src/budget/leases.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import { StoreError } from '../../../src/usage/store/error.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { leaveBehind, storeKinds, writing } from './stores.ts';

const terms: Terms = { limit: 100, reserve: 0, window: { kind: 'fixed', phase: 0 } };
const clock = Date.now();

const messageOf = (message: Partial<Message>): Message => ({
  number: 1,
  hour: 0,
  used: [],
  places: noPlaces,
  share: noPlaces,
  next: noPlaces,
  wants: [],
  writes: 0,
  ...message,
});

const batchOf = (replica: string, accounts: readonly string[], message: Partial<Message>): LedgerBatch => ({
  replica,
  clock,
  beats: true,
  messages: accounts.map((account) => ({ account, terms, message: messageOf(message) })),
});
/** Whoever is not answered in time, as on a busy machine, asks again by the same number: what was refused gave nothing out. */
async function exchanged(writer: Awaited<ReturnType<typeof writing>>, batch: LedgerBatch): ReturnType<typeof writer.exchange> {
  for (;;) {
    try {
      return await writer.exchange(batch);
    } catch (error) {
      if (!(error instanceof StoreError) || !/^STORE_(?:LOCKED|UNAVAILABLE)$/.test(error.code)) throw error;
    }
  }
}

const wanting = (places: number): Partial<Message> => ({ wants: [{ weight: 0, places }] });

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('gives no place to two replicas', async () => {
    const address = await kind.address();
    const [one, two] = [await writing(address), await writing(address)];
    const [first] = (await one.exchange(batchOf('one', ['Acme'], wanting(70)))).answers;
    const { answers, replicas } = await two.exchange(batchOf('two', ['Acme'], wanting(70)));
    expect([first?.granted[0], replicas]).toEqual([70, 2]);
    expect(answers[0]?.granted[0]).toBeLessThanOrEqual(30);
  });

  it('goes on with the hour after a restart, with what was given back', async () => {
    const address = await kind.address();
    const before = await writing(address);
    const [answer] = (await before.exchange(batchOf('one', ['Acme'], wanting(70)))).answers;
    const used = [{ hour: answer?.hour ?? 0, calls: 60, sends: 0 }];
    await before.exchange(batchOf('one', ['Acme'], { number: 2, hour: answer?.hour ?? 0, used, leaves: true }));
    await before.close();
    const { answers } = await (await writing(address)).exchange(batchOf('two', ['Acme'], wanting(70)));
    expect(answers).toMatchObject([{ granted: [40], standing: { used: 100 } }]);
  });

  it('tells whoever says that it is there of which accounts somebody wants more', async () => {
    const address = await kind.address();
    const [one, two] = [await writing(address), await writing(address)];
    await one.exchange(batchOf('one', ['Acme', 'Globex'], wanting(90)));
    expect((await two.exchange(batchOf('two', ['Acme'], wanting(90)))).answers).toMatchObject([{ more: true }]);
    expect((await one.exchange(batchOf('one', [], {}))).wanted).toEqual(['Acme']);
    expect((await one.exchange({ ...batchOf('one', [], {}), beats: false })).wanted).toEqual([]);
  });

  it('gives out each place once, where many ask at once, in whatever order of accounts', async () => {
    const address = await kind.address();
    const accounts = Array.from({ length: 6 }, (_, index) => `Workspace ${index}`);
    const granted = new Map<string, number>();
    const ask = async (number: number): Promise<void> => {
      const writer = await writing(address);
      for (let turn = 1; turn <= 8; turn++) {
        const mine = accounts.filter((_, index) => (index + turn) % 3 !== number % 3).toSorted(() => ((number + turn) % 2 === 0 ? 1 : -1));
        const { answers } = await exchanged(writer, batchOf(`replica ${number} ${turn}`, mine, { number: turn, ...wanting(9) }));
        for (const [index, account] of mine.entries())
          granted.set(account, (granted.get(account) ?? 0) + (answers[index]?.granted[0] ?? 0));
      }
    };
    await Promise.all(Array.from({ length: 5 }, (_, number) => ask(number)));
    expect([...granted.keys()].toSorted()).toEqual(accounts);
    for (const places of granted.values()) {
      // Each of them has a share besides.
      expect(places).toBeGreaterThan(20);
      expect(places).toBeLessThanOrEqual(100);
    }
  });

  it('is begun for a store of the version before', async () => {
    const address = await leaveBehind(await kind.address());
    await kind.run(address, kind.name.includes('PostgreSQL') ? older.postgres : older.sqlite);
    const { answers } = await (await writing(address)).exchange(batchOf('one', ['Acme'], wanting(1)));
    expect(answers).toMatchObject([{ granted: [1] }]);
    expect(await kind.rows(address)).toMatchObject({ ledger: 1, fleet: 1 });
  });

  it('forgets accounts that nobody has called for long', async () => {
    const address = await kind.address();
    await (await writing(address)).exchange(batchOf('one', ['Acme', 'Globex'], wanting(1)));
    await kind.run(
      address,
      `UPDATE ${kind.name.includes('PostgreSQL') ? 'migrate_v2.' : ''}ledger SET touched = ${clock - 27 * hourInMs} WHERE account = 'Acme'`,
    );
    await (await writing(address)).exchange(batchOf('two', ['Globex'], wanting(1)));
    expect(await kind.rows(address)).toMatchObject({ ledger: 1 });
  });
});

const older = {
  sqlite: 'DROP TABLE mark; DROP TABLE ledger; DROP TABLE fleet; PRAGMA user_version = 4',
  postgres: `DROP TABLE migrate_v2.mark, migrate_v2.ledger, migrate_v2.fleet; UPDATE migrate_v2.meta SET value = '4' WHERE name = 'version'`,
};
