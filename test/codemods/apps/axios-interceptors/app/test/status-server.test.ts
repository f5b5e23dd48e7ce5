import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createStatusServer } from '../src/webhooks/server.ts';

const server = createStatusServer(new Set(['page']), async (id) => (id === 'm1' ? 'SENT' : undefined));
let base: string;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

test('tells the page', async () => {
  const answer = await fetch(`${base}/v1/messages/m1`, { headers: { 'x-api-key': 'page' } });
  assert.deepEqual(await answer.json(), { status: 'SENT' });
});

test('wants a key of ours', async () => {
  assert.equal((await fetch(`${base}/v1/messages/m1`)).status, 401);
});
