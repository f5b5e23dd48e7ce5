import { expect, it } from 'vitest';
import { openWriter } from '../../../src/usage/store/open.ts';
import { useCluster } from '../../helpers/postgres.ts';

const cluster = useCluster();
const proxies = 24;
/** One start in forty came in between another's tables and their rows, before each question had a snapshot of its own. */
const rounds = 10;

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
