/** Two proxies over one PostgreSQL that use answers again: what one writes, the other shows. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { usualBudget } from '../../../src/budget/policy.ts';
import { openNotes, openWriter } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { startRecordingUpstream, startTestProxy } from '../../helpers/proxy.ts';

const databases = useDatabases();
const headers = { 'x-api-key': 'ak_acme_0123456789', 'content-type': 'application/json' };

test('an answer that one proxy keeps is not used once another one has written', async () => {
  const address = await databases.address();
  const v2 = await startRecordingUpstream();
  onTestFinished(() => v2[Symbol.asyncDispose]());
  const start = async () => {
    const ledgerStore = await openWriter(address);
    const notes = await openNotes(address);
    const proxy = await startTestProxy(v2.url, {
      ledgerStore,
      notes,
      budget: { ...usualBudget, reuse: { getMessage: 60_000 } },
      workspaces: [{ name: 'Acme', plan: 'Agency', keys: ['ak_acme_'] }],
    });
    onTestFinished(async () => {
      await proxy.drain();
      await notes?.close();
      await ledgerStore.close();
    });
    const read = async (): Promise<string | null> => {
      const answer = await fetch(`${proxy.url}/v1/messages/msg_1`, { headers });
      await answer.arrayBuffer();
      return answer.headers.get('x-migrate-v2-reused');
    };
    return { url: proxy.url, notes, read };
  };
  const [one, two] = [await start(), await start()];
  // Once both hear each other, and know it.
  await vi.waitFor(async () => {
    expect([one.notes?.hears, two.notes?.hears]).toEqual([true, true]);
    await one.read();
    expect(await one.read()).toBe('stored');
  }, 10_000);
  const asked = v2.seen.length;
  const body = '{"name":"A","phone":"+15550001","email":"a@example.com"}';
  expect((await fetch(`${two.url}/v1/contacts`, { method: 'POST', headers, body })).status).toBe(200);
  await vi.waitFor(async () => expect(await one.read()).toBeNull(), { timeout: 10_000, interval: 5 });
  expect(v2.seen.length).toBeGreaterThanOrEqual(asked + 2);
});
