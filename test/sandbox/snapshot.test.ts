import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { connectRaw } from '../helpers/raw.ts';
import { type CallOptions, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';
import { startReceiver } from './webhooks/service.ts';

const message = { channel: 'SMS', to: '+1', content: 'x' };
const minute = 60_000;

/** A snapshot as it may be written to a file and changed there. */
type Json = ReturnType<typeof JSON.parse>;
const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value));

async function use(sandbox: TestSandbox): Promise<void> {
  await sandbox.call('POST /v1/messages/send', { json: message });
  await sandbox.call('POST /v2/contacts', { json: { phone: '+1', name: 'Ann' } });
  await sandbox.call('POST /v2/contacts', { json: { phone: '+2' } });
  await sandbox.call('POST /v1/campaigns', { raw: '{"name":"a","__proto__":{"b":1}}', headers: ['Content-Type', 'application/json'] });
  sandbox.faults.add({ route: 'GET /v2/messages', fault: { kind: 'error', status: 503 }, times: 2 });
  sandbox.faults.add({ route: 'GET /v1/campaigns/:id', fault: { kind: 'error', status: 503 }, probability: 0.5 });
  await sandbox.call('GET /v2/messages');
}

/** What a sandbox answers from now on. */
async function answers(sandbox: TestSandbox): Promise<readonly string[]> {
  const calls: readonly [string, CallOptions?][] = [
    ['GET /v1/messages'],
    ['GET /v2/messages'],
    ['GET /v2/messages'],
    ['GET /v2/contacts?search=1'],
    ['POST /v1/contacts', { json: { phone: '+1' } }],
    ['POST /v1/contacts', { json: { phone: '+3' } }],
    ['POST /v2/messages/send', { json: message }],
    ['POST /v1/campaigns', { json: { name: 'b' } }],
    ['POST /v2/webhooks', { json: { url: 'http://127.0.0.1:9/hook' } }],
    ...Array.from({ length: 12 }, (): [string] => ['GET /v1/campaigns/none']),
    ['GET /v1/contacts', { key: sandbox.demo.expiredKey }],
    ['GET /v1/contacts', { key: sandbox.demo.deletedKey }],
  ];
  const texts: string[] = [];
  for (const [endpoint, options] of calls) {
    const { status, text } = await sandbox.call(endpoint, options);
    texts.push(`${endpoint} ${status} ${text}`);
  }
  return texts;
}

const options: SandboxOptions = { allowPrivateWebhooks: true };

describe('a snapshot', () => {
  test('is plain JSON', async () => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    sandbox.dashboard.raise('demo', 'lead.created');
    const snapshot = sandbox.snapshot();
    expect(snapshot).toStrictEqual(copy(snapshot));
  });
  test('does not change with the sandbox', async () => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    const snapshot = sandbox.snapshot();
    const before = JSON.stringify(snapshot);
    await use(sandbox);
    const [workspace] = sandbox.store.workspaces();
    for (const each of workspace?.messages.all() ?? []) each.status = 'changed';
    expect(JSON.stringify(snapshot)).toBe(before);
  });
  test('restored in a sandbox with another seed, gives the same answers and goes on with the same ids', async () => {
    await using one = await startSandbox(options);
    await use(one);
    const snapshot = copy(one.snapshot());
    await using other = await startSandbox({ ...options, seed: 'other', clock: '2026-02-01T00:00:00Z' });
    await use(other);
    other.restore(snapshot);
    expect(other.demo).toEqual(one.demo);
    expect(await answers(other)).toEqual(await answers(one));
    expect(other.snapshot()).toEqual(one.snapshot());
  });
  test('can be gone back to again and again', async () => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    const snapshot = sandbox.snapshot();
    const first = await answers(sandbox);
    sandbox.restore(snapshot);
    expect(await answers(sandbox)).toEqual(first);
    sandbox.restore(snapshot);
    expect(sandbox.snapshot()).toEqual(snapshot);
  });
  test('holds the calls that were counted', async () => {
    await using one = await startSandbox({ assumptions: { v1RequestsPerMinuteEnterprise: 2 } });
    await one.call('GET /v1/messages');
    await one.call('GET /v1/messages');
    await using other = await startSandbox({ assumptions: { v1RequestsPerMinuteEnterprise: 2 } });
    other.restore(one.snapshot());
    expect(await other.call('GET /v1/messages')).toMatchObject({ status: 429 });
    await other.clock.advance(minute);
    expect(await other.call('GET /v1/messages')).toMatchObject({ status: 200 });
  });
  test('holds the deliveries that are still to be made, and they are made at their time', async () => {
    const receiver = await startReceiver(500, 200);
    await using one = await startSandbox(options);
    const { id, secret } = await one.dashboard.registerWebhook('demo', { url: receiver.url });
    one.dashboard.raise('demo', 'lead.created');
    await one.clock.idle();
    const snapshot = copy(one.snapshot());
    await one.close();
    await using other = await startSandbox({ ...options, seed: 'other' });
    other.restore(snapshot);
    await other.clock.advance('4999ms');
    expect(receiver.received).toHaveLength(1);
    await other.clock.advance(1);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    expect(receiver.received[1]?.headers['x-service-signature']).toBe(receiver.received[0]?.headers['x-service-signature']);
    expect(secret).toMatch(/^whsec_/);
    expect(other.dashboard.deliveries('demo')).toMatchObject([
      { webhookId: id, attempt: 2, delivered: true },
      { webhookId: id, attempt: 1, delivered: false },
    ]);
  });
  test('ends what the sandbox was about to deliver', async () => {
    const receiver = await startReceiver(500);
    await using sandbox = await startSandbox(options);
    const empty = sandbox.snapshot();
    await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
    sandbox.dashboard.raise('demo', 'lead.created');
    await sandbox.clock.idle();
    sandbox.restore(empty);
    await sandbox.clock.advance('1d');
    expect(receiver.received).toHaveLength(1);
  });
  test.for([true, false])('holds the clock, frozen: %s', async (frozen) => {
    await using one = await startSandbox();
    await one.clock.advance('90d');
    if (!frozen) one.clock.resume();
    const snapshot = one.snapshot();
    await using other = await startSandbox();
    other.restore(snapshot);
    expect(other.clock.frozen).toBe(frozen);
    expect(other.clock.now()).toBeGreaterThanOrEqual(snapshot.clock.now);
    expect(other.clock.now()).toBeLessThan(snapshot.clock.now + minute);
  });
  test('larger than the sandbox keeps, loses its oldest records', async () => {
    await using one = await startSandbox();
    for (const content of ['a', 'b', 'c']) await one.call('POST /v1/messages/send', { json: { ...message, content } });
    const told: number[] = [];
    await using other = await startSandbox({ maxRecords: 2, onEvict: (count) => void told.push(count) });
    other.restore(one.snapshot());
    expect((await other.call('GET /v1/messages')).body).toMatchObject({ total: 2, data: [{ content: 'c' }, { content: 'b' }] });
    expect(told).toEqual([1]);
  });
  test('keeps the order in which records go, across workspaces', async () => {
    await using one = await startSandbox();
    const [demo, neighbour] = one.store.workspaces();
    if (demo === undefined || neighbour === undefined) throw new Error('There are two workspaces');
    for (const workspace of [neighbour, demo]) one.store.addMessage(workspace, { channel: 'SMS', to: '1', content: 'x' });
    await using other = await startSandbox({ maxRecords: 1 });
    other.restore(one.snapshot());
    expect(other.store.workspaces().map(({ messages }) => messages.size)).toEqual([1, 0]);
  });
});

describe('reset', () => {
  test('gives the same keys, ids and answers as at first', async () => {
    await using sandbox = await startSandbox(options);
    const { demo } = sandbox;
    const begin = sandbox.snapshot();
    await use(sandbox);
    const first = sandbox.snapshot();
    sandbox.reset();
    expect(sandbox.demo).toEqual(demo);
    expect(sandbox.snapshot()).toEqual(begin);
    await use(sandbox);
    expect(sandbox.snapshot()).toEqual(first);
  });
  test('gives those of its own seed also after a snapshot of another one was restored', async () => {
    await using one = await startSandbox();
    await using other = await startSandbox({ seed: 'other' });
    const { demo } = other;
    other.restore(one.snapshot());
    other.reset();
    expect(other.demo).toEqual(demo);
  });
  test('turns the clock back to where it stood', async () => {
    await using sandbox = await startSandbox();
    const begin = sandbox.clock.state();
    await sandbox.clock.advance('200d');
    sandbox.clock.resume();
    sandbox.reset();
    expect(sandbox.clock.state()).toEqual(begin);
  });
  test('lets a clock run on that began with the machine’s', async () => {
    await using sandbox = await startSandbox({ clock: undefined });
    await sandbox.clock.set('2020-01-01T00:00:00Z');
    sandbox.clock.freeze();
    const before = Date.now();
    sandbox.reset();
    expect(sandbox.clock.frozen).toBe(false);
    expect(sandbox.clock.now()).toBeGreaterThanOrEqual(before);
  });
  test('ends deliveries, and a turn of the clock that waits for one', async () => {
    const receiver = await startReceiver(() => undefined);
    await using sandbox = await startSandbox(options);
    const begin = sandbox.clock.state();
    await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
    sandbox.dashboard.raise('demo', 'lead.created');
    const turned = sandbox.clock.advance('1d');
    await receiver.count(1);
    sandbox.reset();
    await turned;
    await sandbox.clock.idle();
    expect(sandbox.clock.state()).toEqual(begin);
    expect(sandbox.dashboard.deliveries('demo')).toEqual([]);
    await sandbox.clock.advance('1d');
    expect(receiver.received).toHaveLength(1);
  });
  test('lets a call that is under way end in the life in which it began', async () => {
    await using sandbox = await startSandbox();
    const before = sandbox.snapshot();
    const upload = await startUpload(sandbox);
    sandbox.reset();
    expect(await upload.finish()).toMatch(/^HTTP\/1\.1 200 .*"messageId":"msg_/s);
    expect(sandbox.snapshot()).toEqual(before);
  });
  test('takes faults away', async () => {
    await using sandbox = await startSandbox();
    sandbox.faults.add({ route: '*', fault: { kind: 'error', status: 503 } });
    sandbox.reset();
    expect(await sandbox.call('GET /v1/messages')).toMatchObject({ status: 200 });
  });
});

describe.each(['reset', 'restore'] as const)('%s', (way) => {
  test('takes off the agenda what users have put there', async () => {
    await using sandbox = await startSandbox();
    const begin = sandbox.snapshot();
    let ran = false;
    sandbox.clock.at(sandbox.clock.now() + minute, () => {
      ran = true;
    });
    if (way === 'reset') sandbox.reset();
    else sandbox.restore(begin);
    await sandbox.clock.advance('1d');
    expect(ran).toBe(false);
  });
});

/** A send over v1 whose body has not come yet: its key is checked already. */
async function startUpload({ url, demo }: TestSandbox): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify(message);
  const client = await connectRaw(Number(new URL(url).port));
  client.write(
    `POST /v1/messages/send HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nx-api-key: ${demo.readWriteKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await client.readUntil('100 Continue\r\n\r\n');
  return {
    async finish() {
      client.write(body);
      return (await client.readToEnd()).bytes.toString();
    },
  };
}
