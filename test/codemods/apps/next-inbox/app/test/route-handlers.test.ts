import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { sendMessage, startCampaign } from '../app/actions.ts';
import { GET, POST } from '../app/api/contacts/route.ts';
import { GET as getMessage } from '../app/api/messages/[id]/route.ts';
import { POST as postLead } from '../app/api/v1/leads/route.ts';

const answers = (status: number, body: unknown) =>
  mock.method(globalThis, 'fetch', async (_url: string, _init: RequestInit) => Response.json(body, { status }));

beforeEach(() => {
  process.env.MESSAGING_API_KEY = 'test-key';
  process.env.LEADS_KEY = 'lead-key';
});
afterEach(() => mock.restoreAll());

test('GET /api/contacts passes the page on', async () => {
  const fetch = answers(200, { data: [] });
  const res = await GET(new Request('http://localhost:3000/api/contacts?page=3'));

  assert.equal(res.status, 200);
  const [url, init] = fetch.mock.calls[0].arguments;
  assert.equal(url, 'https://api.example.com/v1/contacts?page=3&limit=20');
  assert.equal(init.headers['x-api-key'], 'test-key');
});

test('POST /api/contacts tells of those we know', async () => {
  answers(409, { error: 'exists', existed: true });
  const body = JSON.stringify({ phone: '+15550100001', name: 'Ada' });
  const res = await POST(new Request('http://localhost:3000/api/contacts', { method: 'POST', body }));
  assert.equal(res.status, 409);
});

test('GET /api/messages/:id', async () => {
  const fetch = answers(200, { status: 'delivered' });
  await getMessage(new Request('http://localhost:3000/api/messages/m1'), { params: Promise.resolve({ id: 'm1' }) });
  assert.equal(fetch.mock.calls[0].arguments[0], 'https://api.example.com/v1/messages/m1');
});

test('an action sends what the form holds', async () => {
  const fetch = answers(200, { messageId: 'm1' });
  const form = new FormData();
  form.set('to', '+15550100001');
  form.set('content', 'Hello');

  assert.equal(await sendMessage(form), 'm1');
  assert.deepEqual(JSON.parse(String(fetch.mock.calls[0].arguments[1].body)), {
    channel: 'WHATSAPP',
    to: '+15550100001',
    content: 'Hello',
  });
  await startCampaign('k1');
  assert.match(fetch.mock.calls[1].arguments[0], /campaigns\/k1\/send$/);
});

test('leads need the key of the landing pages', async () => {
  const lead = (key: string) =>
    postLead(new Request('http://localhost:3000/api/v1/leads', { method: 'POST', headers: { 'x-api-key': key } }));
  assert.equal((await lead('wrong')).status, 401);
  assert.equal((await lead('lead-key')).status, 202);
});
