/** JSON numbers come back as they were written: JavaScript would round them, or write them in another way. */
import { describe, expect, test } from 'vitest';
import { startSandbox, type TestSandbox, versions } from '../helpers/sandbox.ts';
import { startReceiver } from './webhooks/service.ts';

const numbers = [
  '12345678901234567890',
  '-12345678901234567890',
  '9007199254740993',
  '1.0',
  '0.10',
  '-0',
  '-0.0',
  '1e400',
  '-1E+400',
  '1e2',
  '1E-7',
  '0.1234567890123456789',
  // These are the same in JavaScript.
  '0',
  '7',
  '-1.5',
] as const;
const list = `[${numbers.join(',')}]`;

const json = ['Content-Type', 'application/json'];

/** What a campaign or contact was given, as every operation that shows it does. */
async function shown({ call }: TestSandbox, version: string): Promise<string[]> {
  const contact = await call(`POST ${version}/contacts`, { raw: `{"phone":"+1","customFields":{"n":${list}}}`, headers: json });
  const campaign = await call(`POST ${version}/campaigns`, { raw: `{"budget":${list},"deep":[{"n":${list}}]}`, headers: json });
  const ids = [contact, campaign].map(({ body }) => (body as { data: { id: string } }).data.id);
  const again = await Promise.all([
    call(`GET ${version}/contacts/${ids[0]}`),
    call(`GET ${version}/contacts`),
    call(`GET /v2/contacts?search=1&phone=%2B1`),
    call(`PUT ${version}/contacts/${ids[0]}`, { json: { name: 'Ann' } }),
    call(`POST ${version}/contacts`, { json: { phone: '+1' } }),
    call(`GET ${version}/campaigns/${ids[1]}`),
    call(`PUT /v2/campaigns/${ids[1]}`, { json: { name: 'x' } }),
  ]);
  return [contact, campaign, ...again].map(({ text }) => text);
}

test.each(versions)('%s gives numbers back as they came, wherever they are shown', async (version) => {
  await using sandbox = await startSandbox();
  expect((await shown(sandbox, version)).map((text) => text.includes(list))).toEqual(Array.from({ length: 9 }, () => true));
});

test('no number takes the place of a text or an object', async () => {
  await using sandbox = await startSandbox();
  const calls = [
    ['POST /v1/contacts', '{"phone":1.0}'],
    ['POST /v1/messages/send', '{"channel":"SMS","to":1e400,"content":"x"}'],
    ['POST /v1/campaigns', '{"name":12345678901234567890}'],
    ['POST /v1/campaigns', '12345678901234567890'],
    ['POST /v2/webhooks', '{"url":1.0}'],
  ] as const;
  for (const [endpoint, raw] of calls) expect(await sandbox.call(endpoint, { raw, headers: json })).toMatchObject({ status: 400 });
});

test('a body that nests too deep is told so, whatever its numbers', async () => {
  await using sandbox = await startSandbox();
  const nested = (depth: number): string => `{"a":${'['.repeat(depth)}1.0${']'.repeat(depth)}}`;
  const send = (depth: number) => sandbox.call('POST /v1/campaigns', { raw: nested(depth), headers: json });
  expect(await send(199)).toMatchObject({ status: 201 });
  expect((await send(200)).body).toMatchObject({ error: 'Bad request' });
  expect((await send(500_000)).body).toMatchObject({ error: 'Bad request' });
  // The deepest one that is taken is in a snapshot that is taken, too.
  sandbox.restore(sandbox.snapshot());
  expect((await sandbox.call('GET /v1/campaigns/x')).status).toBe(404);
});

describe('a snapshot', () => {
  test('keeps them, over HTTP and through JSON that somebody else reads and writes', async () => {
    await using sandbox = await startSandbox();
    const before = await shown(sandbox, '/v1');
    const { id } = (JSON.parse(before[0] ?? '') as { data: { id: string } }).data;
    const { text } = await sandbox.call('GET /v1/contacts');
    const taken = await fetch(`${sandbox.adminUrl}/snapshot`);
    const content = JSON.stringify(await taken.json());
    for (const restore of [
      () => fetch(`${sandbox.adminUrl}/snapshot`, { method: 'PUT', body: content, headers: { 'Content-Type': 'application/json' } }),
      () => sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot()))),
      () => sandbox.restore(structuredClone(sandbox.snapshot())),
    ]) {
      sandbox.reset();
      await fetch(`${sandbox.adminUrl}/snapshot`, { method: 'PUT', body: content, headers: { 'Content-Type': 'application/json' } });
      await restore();
      expect((await sandbox.call('GET /v1/contacts')).text).toBe(text);
      expect((await sandbox.call(`GET /v2/contacts/${id}`)).text).toContain(list);
    }
  });
  test('shows fields as they are where nothing could change them', async () => {
    await using sandbox = await startSandbox();
    await sandbox.call('POST /v1/campaigns', { json: { n: 1.5 } });
    expect(sandbox.snapshot().store.records[0]).toMatchObject({ record: { fields: { n: 1.5 } } });
  });
  test.for(['[1.0]', '{"a":', `{"a":${'['.repeat(200)}1.0${']'.repeat(200)}}`, '1.0'])(
    'fields that are no text of an object are refused: %s',
    async (fields) => {
      await using sandbox = await startSandbox();
      await sandbox.call('POST /v1/campaigns', { json: {} });
      const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()));
      snapshot.store.records[0].record.fields = fields;
      expect(() => sandbox.restore(snapshot)).toThrow(/snapshot\.store\.records\.0\.record/);
    },
  );
});

test('an event carries its data as it came to the control surface', async () => {
  await using sandbox = await startSandbox({ allowPrivateWebhooks: true });
  const receiver = await startReceiver();
  await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
  const body = `{"event":"lead.created","data":{"n":${list}}}`;
  const headers = { 'Content-Type': 'application/json' };
  expect(await fetch(`${sandbox.adminUrl}/workspaces/demo/events`, { method: 'POST', body, headers })).toMatchObject({ status: 202 });
  await sandbox.clock.idle();
  expect(receiver.received[0]?.body.toString()).toContain(list);
  const noObject = { method: 'POST', body: '{"event":"lead.created","data":1.0}', headers };
  expect(await fetch(`${sandbox.adminUrl}/workspaces/demo/events`, noObject)).toMatchObject({ status: 400 });
});

test('the control surface counts with numbers, however they are written', async () => {
  await using sandbox = await startSandbox();
  const before = sandbox.clock.now();
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${sandbox.adminUrl}/clock/advance`, { method: 'POST', body: '{"by":6.0e4}', headers });
  expect(sandbox.clock.now()).toBe(before + 60_000);
});
