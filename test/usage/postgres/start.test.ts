import { expect, it } from 'vitest';
import { openWriter } from '../../../src/usage/store/open.ts';
import { Database } from '../../../src/usage/store/postgres/database.ts';
import { expectStore } from '../../../src/usage/store/postgres/schema.ts';
import { useCluster } from '../../helpers/postgres.ts';

const cluster = useCluster();
const proxies = 24;
/** One start in forty came in between another's tables and their rows, before each question had a snapshot of its own: 144 starts find it 97 times in a hundred. */
const rounds = 6;

it('proxies that start while another makes the tables wait for them, and use them', async () => {
  for (let round = 0; round < rounds; round++) {
    const address = await cluster.address();
    const secrets = new Set<string>();
    await Promise.all(
      Array.from({ length: proxies }, async () => {
        const writer = await openWriter(address);
        secrets.add(writer.hashSecret);
        await writer.close();
      }),
    );
    expect(secrets.size).toBe(1);
  }
});

it('a reader that begins while another makes the tables sees none of them, and not a part of them', async () => {
  const address = await cluster.address();
  const database = new Database(address);
  const seen = database.transaction('read', async (transaction) => {
    // From now on this transaction sees this state of the database only.
    await transaction.rows('SELECT 1');
    await (await openWriter(address)).close();
    await expectStore(transaction);
  });
  await expect(seen).rejects.toMatchObject({ code: 'STORE_MISSING' });
  await database.close();
});
