/** Delivers to the example: what a receiver may meet, also what the sandbox would not send. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw } from '../helpers/raw.ts';
import { type Receiver, emptyFolder, runReceiver, startReceiver } from './receiver.ts';

const secret = 'whsec_0123456789abcdef';

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function sign(body: string, key = secret): Delivery {
  const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  return { body, headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signature } };
}

const event = (kind: string, data: object, timestamp = '2026-08-01T12:00:00.001Z'): Delivery =>
  sign(JSON.stringify({ event: kind, data, timestamp }));

const data = {
  messageId: 'msg_1',
  conversationId: 'cnv_1',
  from: '15550100',
  text: 'Grüße 👋',
  contactId: 'con_1',
  contactName: 'Ann',
  contactPhone: '+15550100',
  receivedAt: '2026-08-01T12:00:00.000Z',
};
const received = event('message.received', data);
const inbox = [{ sender: '+15550100', text: 'Grüße 👋' }];

const deliver = (url: string, delivery: Delivery): Promise<number> =>
  fetch(url, { method: 'POST', ...delivery }).then((response) => response.status);

describe('a receiver', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver(secret);
  });
  afterAll(() => receiver[Symbol.asyncDispose]());

  it('listens on this machine only', () => {
    expect(receiver.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/);
  });

  it.each<[string, number, Delivery]>([
    ['signed with another secret', 401, sign(received.body, 'whsec_other')],
    ['not signed', 401, { ...received, headers: {} }],
    ['altered', 401, { ...received, body: received.body.replace('Ann', 'Bob') }],
    ['signed but no delivery', 400, sign('[]')],
    ['larger than 1 MiB', 413, sign(' '.repeat(1024 * 1024 + 1))],
    ['of 1 MiB exactly but no delivery', 400, sign(' '.repeat(1024 * 1024))],
    ['impossible to handle', 500, event('message.received', { ...data, text: null })],
  ])('refuses what is %s with %i, and handles nothing', async (_, status, delivery) => {
    expect(await deliver(receiver.url, delivery)).toBe(status);
    expect(receiver.inbox()).toEqual([]);
  });

  it('says on stderr why a signature is refused', async () => {
    await deliver(receiver.url, sign(received.body, 'whsec_other'));
    expect(await receiver.running.line(/^WEBHOOK_SIGNATURE_MISMATCH: /, 'stderr')).not.toContain(secret);
  });

  it('answers 404 on other paths', async () => {
    expect(await deliver(`${receiver.url}/other`, received)).toBe(404);
  });

  it('answers 405 to other methods, and names the one to use', async () => {
    const answer = await fetch(receiver.url);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('goes on when a sender breaks off', async () => {
    (await begin(receiver.url)).on('error', () => undefined).destroy();
    await receiver.running.line(/aborted/, 'stderr');
    expect(receiver.inbox()).toEqual([]);
  });

  // After the one that failed above: of what cannot be handled, nothing is kept, and the next delivery is as new.
  it('handles a message once, whatever comes again: the same bytes, another timestamp, other bytes', async () => {
    const reordered = sign(JSON.stringify({ timestamp: '2026-08-01T12:00:00.001Z', data, event: 'message.received' }));
    for (const delivery of [received, received, event('message.received', data, '2026-08-01T12:00:05.001Z'), reordered]) {
      expect(await deliver(receiver.url, delivery)).toBe(204);
    }
    expect(receiver.inbox()).toEqual(inbox);
  });

  it('takes two events of another kind for one where their data is equal, whatever their timestamps', async () => {
    const events = [
      ['handled', 'lead.created', 'Ann', '2026-08-01T12:00:11.000Z'],
      ['repeated', 'lead.created', 'Ann', '2026-08-01T12:00:12.000Z'],
      ['handled', 'booking.created', 'Ann', '2026-08-01T12:00:13.000Z'],
      ['handled', 'lead.created', 'Bob', '2026-08-01T12:00:14.000Z'],
    ] as const;
    for (const [, kind, name, timestamp] of events) expect(await deliver(receiver.url, event(kind, { name }, timestamp))).toBe(204);
    const lines = await receiver.linesTo(/:14/);
    expect(lines.slice(-4)).toEqual(events.map(([outcome, kind, , timestamp]) => `${outcome} ${kind} of ${timestamp}`));
  });

  it('shows every ping, as all of them may look alike', async () => {
    for (const timestamp of ['2026-08-01T12:00:21.000Z', '2026-08-01T12:00:22.000Z']) {
      expect(await deliver(receiver.url, event('test.ping', {}, timestamp))).toBe(204);
      await receiver.running.line(new RegExp(`^handled test.ping of ${timestamp}$`));
    }
  });

  it('accepts kinds that it does not know', async () => {
    expect(await deliver(receiver.url, event('invoice.paid', { id: 1 }))).toBe(204);
  });
});

describe('receivers that come and go', () => {
  it('handle a message once when it comes many times at once, to two of them with one database', async () => {
    await using receiver = await startReceiver(secret);
    await using other = await startReceiver(secret, receiver.folder);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => deliver(index % 2 === 0 ? receiver.url : other.url, received)),
    );
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(receiver.inbox()).toEqual(inbox);
  });

  it('remember what was handled before a restart', async () => {
    await using before = await startReceiver(secret);
    await deliver(before.url, received);
    await before.running.stop('SIGKILL');
    await using after = await startReceiver(secret, before.folder);
    expect(await deliver(after.url, received)).toBe(204);
    expect(after.inbox()).toEqual(inbox);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('answer what they are receiving after a %s, and end with 0', async (signal) => {
    await using receiver = await startReceiver(secret);
    const sender = await begin(receiver.url);
    const idle = await connectRaw(Number(new URL(receiver.url).port));
    idle.write('GET / HTTP/1.1\r\nHost: receiver\r\n\r\n');
    await idle.readAnswer();
    const ended = receiver.running.stop(signal);
    // The end of a connection that is idle shows that the signal has come.
    await idle.ending();
    sender.end(received.body);
    const [answer] = (await once(sender, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(204);
    expect(await ended).toBe(0);
    expect(receiver.inbox()).toEqual(inbox);
  });

  it('do not start without a secret, and say which variable to set', async () => {
    await using running = runReceiver(emptyFolder(), {});
    const exited = once(running.child, 'exit');
    expect(await running.line(/WEBHOOK_SECRET/, 'stderr')).toContain('whsec_');
    expect(await exited).toEqual([1, null]);
  });
});

/** A delivery whose body is still to be written, and whose head the receiver has: it said 100 Continue. */
async function begin(url: string): Promise<ClientRequest> {
  const headers = { ...received.headers, Expect: '100-continue', 'Content-Length': Buffer.byteLength(received.body), Connection: 'close' };
  const sender = request(url, { method: 'POST', headers });
  sender.flushHeaders();
  await once(sender, 'continue');
  return sender;
}
