/** Proxies that share the hour of a workspace through their record. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { skew } from '../../../src/budget/hour.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import { openWriter } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { startRecordingUpstream, startTestProxy } from '../../helpers/proxy.ts';
import { storeKinds } from '../../usage/store/stores.ts';

const key = 'ak_acme_0123456789';
/** The store's clock is the real one, and an hour that turned meanwhile would have all its places again. */
async function awayFromTheTurn(): Promise<void> {
  const left = hourInMs - (Date.now() % hourInMs);
  if (left < 20_000) await sleep(left + 2 * skew);
}

const count = (statuses: readonly number[], status: number): number => statuses.filter((each) => each === status).length;

test.each(storeKinds(useDatabases()))(
  'two proxies over $name send no more than one hour together, and a third goes on with it',
  async ({ address }) => {
    await awayFromTheTurn();
    const store = await address();
    const v2 = await startRecordingUpstream();
    onTestFinished(() => v2[Symbol.asyncDispose]());
    const start = async () => {
      const ledgerStore = await openWriter(store);
      const proxy = await startTestProxy(v2.url, { ledgerStore, workspaces: [{ name: 'Acme', plan: 'Free', keys: ['ak_acme_'] }] });
      return { url: proxy.url, end: () => proxy.drain().then(() => ledgerStore.close()) };
    };
    const call = async (url: string): Promise<number> => {
      const body = '{"name":"A","phone":"+15550001","email":"a@example.com"}';
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/contacts`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    };
    const [one, two] = [await start(), await start()];
    const statuses = await Promise.all(Array.from({ length: 60 }, async (_, index) => call(index % 3 === 0 ? one.url : two.url)));
    expect(count(statuses, 429)).toBe(0);
    await Promise.all([one.end(), two.end()]);
    const three = await start();
    const more: number[] = [];
    for (let calls = 0; calls < 45; calls++) more.push(await call(three.url));
    await three.end();
    expect(count(more, 429)).toBe(5);
    expect(v2.seen).toHaveLength(100);
  },
);
