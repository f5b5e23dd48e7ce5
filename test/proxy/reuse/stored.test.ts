import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, type TestReuse, json, start, startReuse } from './senders.ts';

const policy = { reuse: { getMessage: 5_000 } };
const date = (seconds: number): string => new Date(start + seconds * 1_000).toUTCString();

/** Asks, and has v2 answer. */
async function answered(
  reuse: TestReuse,
  fields: Readonly<Record<string, string>> = {},
  body = '{"status":"SENT"}',
  status = 200,
): Promise<Client> {
  const client = reuse.ask();
  (await reuse.arrival()).res.writeHead(status, { ...json, Date: date(0), ...fields }).end(body);
  await client.answer;
  return client;
}

/** Whether the next read is answered without v2. */
async function isReused(reuse: TestReuse, ...asking: Parameters<TestReuse['ask']>): Promise<boolean> {
  const client = reuse.ask(...asking);
  await reuse.seenBy(client, 'new');
  return client.how === 'stored' && client.sent === 0;
}

describe('an answer is used again', () => {
  it('as it came, with its age and how it was found', async () => {
    await using reuse = await startReuse(policy);
    const first = await answered(reuse, { 'X-Own': 'a' });
    reuse.pass(3_999);
    const second = reuse.ask();
    const { status, body, fields } = (await second.answer) as Answer;
    expect({ status, body }).toEqual({ status: 200, body: '{"status":"SENT"}' });
    expect(Object.fromEntries(fields)).toEqual({ ...Object.fromEntries(first.fields), age: '3', 'x-migrate-v2-reused': 'stored' });
    expect([second.sent, reuse.spared]).toEqual([0, ['getMessage stored']]);
  });

  it('for as long as its setting says', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse);
    reuse.pass(5_000);
    expect(await isReused(reuse)).toBe(true);
    reuse.pass(1);
    expect(await isReused(reuse)).toBe(false);
  });

  it('by a slow client at its own pace', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse);
    const slow = reuse.ask(undefined, { isSlow: true });
    expect(await Promise.race([slow.answer, once(slow, 'data').then(() => setImmediate('paused'))])).toBe('paused');
    slow.handle?.resume();
    expect(await slow.answer).toMatchObject({ body: '{"status":"SENT"}' });
  });

  it('though reads are not asked together', async () => {
    await using reuse = await startReuse({ ...policy, coalesce: false });
    await answered(reuse);
    expect(await isReused(reuse)).toBe(true);
  });

  it('with the age that v2 and caches before it give it', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, { Age: '2', Date: date(-4) });
    reuse.pass(1_000);
    const client = reuse.ask();
    await client.answer;
    expect(client.fields.get('age')).toBe('5');
    reuse.pass(2_001);
    expect(await isReused(reuse)).toBe(false);
  });
});

describe('an answer is not used again', () => {
  it('where nothing says so', async () => {
    await using reuse = await startReuse();
    await answered(reuse);
    expect(await isReused(reuse)).toBe(false);
  });

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['no-store', { 'Cache-Control': 'no-store' }, 200],
    ['no-cache', { 'Cache-Control': 'no-cache' }, 200],
    ['max-age=0', { 'Cache-Control': 'max-age=0' }, 200],
    ['a cookie', { 'Set-Cookie': 'a=b' }, 200],
    ['Vary: *', { Vary: '*' }, 200],
    ['404', {}, 404],
    ['206', {}, 206],
    ['201', {}, 201],
    ['500', {}, 500],
  ])('where v2 says %s', async (_what, fields, status) => {
    await using reuse = await startReuse(policy);
    await answered(reuse, fields, '{}', status);
    expect(await isReused(reuse)).toBe(false);
  });

  it('where it did not come whole', async () => {
    await using reuse = await startReuse(policy);
    const client = reuse.ask();
    const { res } = await reuse.arrival();
    res.writeHead(200, { 'Content-Length': 4 }).write('ab');
    client.once('data', () => res.destroy());
    expect(await client.answer).toBe('reset');
    expect(await isReused(reuse)).toBe(false);
  });

  it('where it is too long', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, {}, 'x'.repeat(200_000));
    expect(await isReused(reuse)).toBe(false);
  });

  it.each<[string, Parameters<TestReuse['ask']>]>([
    ['with another key', [undefined, { key: 'sk_2' }]],
    ['with another query', ['/v2/messages/msg_1?a']],
    ['with another field', [undefined, { fields: ['Accept-Language', 'de'] }]],
    ['with a condition', [undefined, { fields: ['If-None-Match', '"a"'] }]],
    ['for a part', [undefined, { fields: ['Range', 'bytes=0-1'] }]],
    ['with no-cache', [undefined, { fields: ['Cache-Control', 'no-cache'] }]],
    ['with no-store', [undefined, { fields: ['Cache-Control', 'no-store'] }]],
    ['with Pragma: no-cache', [undefined, { fields: ['Pragma', 'no-cache'] }]],
    ['with a smaller max-age', [undefined, { fields: ['Cache-Control', 'max-age=1'] }]],
    ['with a min-fresh that it has not', [undefined, { fields: ['Cache-Control', 'min-fresh=4'] }]],
  ])('for a read %s', async (_what, asking) => {
    await using reuse = await startReuse(policy);
    await answered(reuse);
    reuse.pass(2_000);
    expect(await isReused(reuse, ...asking)).toBe(false);
    expect(await isReused(reuse, undefined, { fields: ['Cache-Control', 'max-age=2, min-fresh=3'] })).toBe(true);
  });

  it('where the one who asked said no-store', async () => {
    await using reuse = await startReuse(policy);
    const client = reuse.ask(undefined, { fields: ['Cache-Control', 'no-store'] });
    (await reuse.arrival()).res.end('{}');
    await client.answer;
    expect(await isReused(reuse)).toBe(false);
  });

  it('and what no-cache brought is used again from then on', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse);
    reuse.pass(4_000);
    expect(await isReused(reuse, undefined, { fields: ['Cache-Control', 'no-cache'] })).toBe(false);
    reuse.pass(4_000);
    expect(await isReused(reuse)).toBe(true);
  });
});

describe('a final state', () => {
  const final = { final: { states: ['DELIVERED'], for: 60_000 } };
  const delivered = '{"data":{"status":"DELIVERED"}}';
  it('is used again for its own time', async () => {
    await using reuse = await startReuse({ ...policy, ...final });
    await answered(reuse, {}, delivered);
    // Its state is read after it was given on.
    await setImmediate();
    reuse.pass(60_000);
    expect(await isReused(reuse)).toBe(true);
    reuse.pass(1);
    expect(await isReused(reuse)).toBe(false);
  });

  it('leaves another state to the setting of its endpoint', async () => {
    await using reuse = await startReuse({ ...policy, ...final });
    await answered(reuse);
    // Its state is read after it was given on.
    await setImmediate();
    reuse.pass(5_001);
    expect(await isReused(reuse)).toBe(false);
  });

  it('outlives a send, which makes another message', async () => {
    await using reuse = await startReuse(final);
    await answered(reuse, {}, delivered);
    // Its state is read after it was given on.
    await setImmediate();
    const sending = reuse.ask('/v2/messages/send', { method: 'POST', endpoint: 'sendMessage' });
    (await reuse.arrival()).res.end('{}');
    await sending.answer;
    expect(await isReused(reuse)).toBe(true);
  });
});
