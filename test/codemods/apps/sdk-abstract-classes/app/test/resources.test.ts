import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { MessagingClient } from '../src/index.js';

describe('resources', () => {
  let server: Server;
  let client: MessagingClient;
  const asked: string[] = [];

  before(async () => {
    server = createServer((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ id: 'c1' }));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    client = new MessagingClient({ apiKey: 'test-key', baseUrl: `http://localhost:${port}/` });
  });

  after(() => server.close());

  test('makes a contact', async () => {
    assert.deepEqual(await client.contacts.upsert({ phone: '+15550100001' }), { id: 'c1' });
  });

  test('launches a campaign', async () => {
    await client.campaigns.launch('spring sale');
    assert.ok(asked.at(-1)!.endsWith('/campaigns/spring%20sale/send'));
  });

  test('asks for one page', async () => {
    await client.contacts.list({ page: 2, limit: 50 });
    const [, url = ''] = asked.at(-1)!.split(' ');
    assert.equal(new URL(url, 'http://localhost').searchParams.get('page'), '2');
  });
});
