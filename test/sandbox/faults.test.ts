import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test as base } from 'vitest';
import { transmit } from '../../src/sandbox/http/transmit.ts';
import type { Fault } from '../../src/sandbox/faults/rule.ts';
import { startUpstream } from '../helpers/proxy.ts';
import { type RawConnection, connectRaw, resetsAfterBytes } from '../helpers/raw.ts';
import { sandboxFixtures, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+15550100', content: 'Hello' };
const hour = 3_600_000;
const never = new AbortController().signal;

/** A connection of its own, and the bytes of one request on it. */
async function connectTo({ url }: { readonly url: string }): Promise<RawConnection> {
  return connectRaw(Number(new URL(url).port));
}

function post(key: string, body: object = message, path = '/v2/messages/send'): string {
  const text = JSON.stringify(body);
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json', `Content-Length: ${text.length}`];
  return `POST ${path} HTTP/1.1\r\nHost: a\r\n${fields.join('\r\n')}\r\n\r\n${text}`;
}

function get(key: string, path: string, method = 'GET'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** What was sent in the demo workspace. */
function messages({ store, demo }: TestSandbox): number {
  return store.workspace(demo.workspaceId)?.messages.size ?? NaN;
}

interface Published {
  readonly api: string;
  readonly status: number;
  readonly fault?: Fault['kind'];
}

/** Waits for the sandbox to decide its next answer, which may go out much later. */
function decided(): Promise<Published> {
  const name = 'migrate-v2:sandbox:answer';
  return new Promise((resolve) => {
    const hear = (answer: unknown): void => {
      unsubscribe(name, hear);
      resolve(answer as Published);
    };
    subscribe(name, hear);
  });
}

describe('an error', () => {
  const unavailable: Fault = { kind: 'error', status: 503, retryAfter: 7 };

  test('comes in v1’s shape on v1, with Retry-After, and nothing was done', async ({ sandbox }) => {
    sandbox.faults.add({ route: '/v1/*', fault: unavailable });
    const { status, headers, body } = await sandbox.call('POST /v1/messages/send', { json: message });
    expect({ status, body, after: headers['retry-after'] }).toEqual({
      status: 503,
      body: { success: false, error: 'Service Unavailable' },
      after: '7',
    });
    expect(messages(sandbox)).toBe(0);
  });

  test('comes before the key is looked at', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: unavailable, times: 1 });
    expect((await sandbox.call('GET /v2/messages', { key: null })).status).toBe(503);
    expect((await sandbox.call('GET /v2/messages', { key: null })).status).toBe(401);
  });

  test('counts towards no limit', async () => {
    await using sandbox = await startSandbox({ assumptions: { v1RequestsPerMinuteEnterprise: 1 } });
    sandbox.faults.add({ route: '*', fault: unavailable, times: 1 });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await sandbox.call('GET /v1/messages')).status);
    expect(statuses).toEqual([503, 200, 429]);
  });

  test.for([
    ['/v1/messages', { success: false, error: 'Rate limit exceeded', code: 'API_KEY_RATE_LIMITED' }],
    ['/v2/messages', { success: false, error: 'Hourly rate limit exceeded' }],
  ] as const)('429 on %s is that of its limit', async ([path, body], { sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'error', status: 429, retryAfter: 30 } });
    expect(await sandbox.call(`GET ${path}`)).toMatchObject({ status: 429, headers: { 'retry-after': '30' }, body });
  });

  test('500 has the text of a fault of the server, and without retryAfter there is no Retry-After', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'error', status: 500 } });
    const { body, headers } = await sandbox.call('GET /v1/messages');
    expect([body, headers['retry-after']]).toEqual([{ success: false, error: 'Internal server error' }, undefined]);
  });

  test('comes in the dialect of v2', async () => {
    await using sandbox = await startSandbox({ dialect: 'problem' });
    sandbox.faults.add({ route: '*', fault: { kind: 'error', status: 502 } });
    expect(await sandbox.call('GET /v2/messages')).toMatchObject({
      headers: { 'content-type': 'application/problem+json' },
      body: { title: 'Bad Gateway', status: 502, detail: 'Bad Gateway' },
    });
  });

  test('comes on v1 after its end, too', async ({ sandbox }) => {
    await sandbox.clock.set(Date.parse('2027-01-01T00:00:00Z'));
    sandbox.faults.add({ route: 'GET /v1/messages', fault: unavailable, times: 1 });
    expect((await sandbox.call('GET /v1/messages')).status).toBe(503);
    expect((await sandbox.call('GET /v1/messages')).status).toBe(410);
  });
});

describe('a reset', () => {
  test('at the request: the connection is reset, and nothing was done', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'reset', at: 'request' } });
    const client = await connectTo(sandbox);
    client.write(post(sandbox.demo.readWriteKey));
    expect(await client.readToEnd()).toEqual({ bytes: Buffer.alloc(0), ending: 'reset' });
    expect(messages(sandbox)).toBe(0);
  });

  test('at the head: the connection is reset before any byte, and the call was carried out', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'reset', at: 'head' } });
    const client = await connectTo(sandbox);
    client.write(post(sandbox.demo.readWriteKey));
    expect(await client.readToEnd()).toEqual({ bytes: Buffer.alloc(0), ending: 'reset' });
    expect(messages(sandbox)).toBe(1);
  });

  test('in the body: the head and half of the body come, then the reset; the call was carried out', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'reset', at: 'body' } });
    const client = await connectTo(sandbox);
    client.write(post(sandbox.demo.readWriteKey));
    const { bytes, ending } = await client.readToEnd();
    const [head = '', body = ''] = bytes.toString().split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(body).toMatch(/^\{"success":true,/);
    expect(body.length).toBe(Math.floor(length / 2));
    expect(resetsAfterBytes).toContain(ending);
    expect(messages(sandbox)).toBe(1);
  });

  test('leaves the answers alone that are due before it on the connection', async ({ sandbox }) => {
    sandbox.faults.add({ route: 'GET /v2/messages', fault: { kind: 'reset', at: 'request' } });
    const client = await connectTo(sandbox);
    const { readWriteKey } = sandbox.demo;
    client.write(get(readWriteKey, '/v2/contacts') + get(readWriteKey, '/v2/messages'));
    expect((await client.readAnswer()).status).toBe(200);
    expect(resetsAfterBytes).toContain(await client.ending());
  });

  test('of an answer to HEAD comes after its head', async ({ sandbox }) => {
    sandbox.faults.add({ route: 'GET /v1/contacts', fault: { kind: 'reset', at: 'body' } });
    const client = await connectTo(sandbox);
    client.write(get(sandbox.demo.readWriteKey, '/v1/contacts', 'HEAD'));
    const { bytes, ending } = await client.readToEnd();
    expect(bytes.toString()).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\n$/);
    expect(resetsAfterBytes).toContain(ending);
  });
});

test('a truncated answer announces more than comes, and ends in good order', async ({ sandbox }) => {
  sandbox.faults.add({ route: '*', fault: { kind: 'truncated' } });
  const client = await connectTo(sandbox);
  client.write(post(sandbox.demo.readWriteKey));
  const { bytes, ending } = await client.readToEnd();
  const [head = '', body = ''] = bytes.toString().split('\r\n\r\n');
  expect(Number(/^content-length: (\d+)$/im.exec(head)?.[1])).toBeGreaterThan(body.length);
  expect(body).toMatch(/^\{"success":true,/);
  expect(ending).toBe('end');
  expect(messages(sandbox)).toBe(1);
});

test('invalid JSON comes as a whole success, and the connection stays good', async ({ sandbox }) => {
  sandbox.faults.add({ route: '*', fault: { kind: 'invalidJson' }, times: 1 });
  const client = await connectTo(sandbox);
  client.write(post(sandbox.demo.readWriteKey));
  const answer = await client.readAnswer();
  expect([answer.status, answer.values('content-type')]).toEqual([200, ['application/json; charset=utf-8']]);
  expect(answer.body.toString()).toMatch(/^\{"success":true,/);
  expect(() => JSON.parse(answer.body.toString())).toThrow(SyntaxError);
  expect(messages(sandbox)).toBe(1);
  client.write(get(sandbox.demo.readWriteKey, '/v2/messages'));
  expect((await client.readAnswer()).status).toBe(200);
});

describe('a latency', () => {
  test('lets the same answer come later', async ({ sandbox }) => {
    const undelayed = await sandbox.call('GET /v1/messages');
    sandbox.faults.add({ route: '*', fault: { kind: 'latency', ms: 20 } });
    expect(await sandbox.call('GET /v1/messages')).toEqual(undelayed);
  });

  test('acts at once, and answers only when it is over', async ({ sandbox }) => {
    sandbox.faults.add({ route: 'POST *', fault: { kind: 'latency', ms: hour } });
    const acted = decided();
    let answered = false;
    const reply = sandbox.call('POST /v2/messages/send', { json: message }).finally(() => (answered = true));
    await acted;
    expect((await sandbox.call('GET /v2/messages')).body).toMatchObject({ total: 1 });
    expect(answered).toBe(false);
    sandbox.faults.stop();
    expect((await reply).status).toBe(200);
  });

  test('comes with refusals, too', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'latency', ms: 1 } });
    expect((await sandbox.call('GET /v1/messages', { key: null })).status).toBe(401);
    expect(sandbox.faults.list()).toMatchObject([{ fired: 1 }]);
  });
});

describe('slow bytes', () => {
  test('are all of the answer', async ({ sandbox }) => {
    const whole = await sandbox.call('GET /v1/messages');
    sandbox.faults.add({ route: '*', fault: { kind: 'slow', bytesPerSecond: 1_000 } });
    expect((await sandbox.call('GET /v1/messages')).text).toBe(whole.text);
  });

  test('come after the head, one by one', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'slow', bytesPerSecond: 100 } });
    const client = await connectTo(sandbox);
    client.write(post(sandbox.demo.readWriteKey));
    await client.readUntil('\r\n\r\n');
    const [first] = await Promise.all([once(client.socket, 'data'), client.read(1)]);
    expect(String(first).length).toBeLessThan(20);
    sandbox.faults.stop();
    await client.readUntil('}}');
  });

  test('do not make an answer to HEAD wait for a body that never comes', async ({ sandbox }) => {
    sandbox.faults.add({ route: '*', fault: { kind: 'slow', bytesPerSecond: 1 } });
    const client = await connectTo(sandbox);
    for (const path of ['/v1/contacts', '/v2/contacts']) {
      client.write(get(sandbox.demo.readWriteKey, path, 'HEAD'));
      expect((await client.readAnswer('HEAD')).status).toBe(200);
    }
  });
});

describe('delays', () => {
  const delays: readonly [Fault][] = [[{ kind: 'latency', ms: hour }], [{ kind: 'slow', bytesPerSecond: 1 }]];

  test.for(delays)('are over when the client leaves: %j', async ([fault]) => {
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    await using server = await startUpstream((_req, res) => {
      begun.resolve();
      void transmit(res, { status: 200, headers: { 'Content-Length': 100 }, content: 'x'.repeat(100) }, fault, never).then(over.resolve);
    });
    const client = await connectTo(server);
    client.write(get('', '/'));
    await begun.promise;
    client.reset();
    await over.promise;
  });

  test.for(delays)('of pipelined calls do not burden their socket: %j', async ([fault]) => {
    const warnings: Error[] = [];
    const warn = (warning: Error): number => warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const calls = 20;
    const all = Promise.withResolvers<Promise<void>[]>();
    const under: Promise<void>[] = [];
    await using server = await startUpstream((_req, res) => {
      under.push(transmit(res, { status: 200, headers: { 'Content-Length': 100 }, content: 'x'.repeat(100) }, fault, never));
      if (under.length === calls) all.resolve(under);
    });
    const client = await connectTo(server);
    client.write(get('', '/').repeat(calls));
    const delayed = await all.promise;
    client.reset();
    // The client has left, so every delay is over; a warning comes before that.
    await Promise.all(delayed);
    expect(warnings).toEqual([]);
  });

  test.for(delays)('do not begin where the client has left: %j', async ([fault]) => {
    const over = Promise.withResolvers<void>();
    await using server = await startUpstream((_req, res) => {
      res.on('close', () => {
        void transmit(res, { status: 200, headers: { 'Content-Length': 100 }, content: 'x'.repeat(100) }, fault, never).then(over.resolve);
      });
      client.reset();
    });
    const client = await connectTo(server);
    client.write(get('', '/'));
    await over.promise;
  });

  test.for(delays)('do not begin once they were stopped: %j', async ([fault], { sandbox }) => {
    sandbox.faults.add({ route: '*', fault });
    sandbox.faults.stop();
    expect((await sandbox.call('GET /v1/messages')).body).toMatchObject({ success: true, total: 0 });
  });

  test.for(delays)('are over when the sandbox starts over, and the answer is in full: %j', async ([fault], { sandbox }) => {
    sandbox.faults.add({ route: '*', fault });
    const begun = decided();
    const reply = sandbox.call('GET /v1/messages');
    await begun;
    sandbox.reset();
    expect((await reply).body).toMatchObject({ success: true, total: 0 });
    expect(sandbox.faults.list()).toEqual([]);
  });

  test.for(delays)('are over when the sandbox closes, which answers in full: %j', async ([fault]) => {
    const sandbox = await startSandbox();
    let closed: Promise<void> | undefined;
    onTestFinished(() => closed ?? sandbox[Symbol.asyncDispose]());
    sandbox.faults.add({ route: '*', fault });
    const begun = decided();
    const reply = sandbox.call('GET /v1/messages');
    await begun;
    closed = Promise.resolve(sandbox[Symbol.asyncDispose]());
    expect((await reply).body).toMatchObject({ success: true, total: 0 });
    await closed;
  });
});

test('observers are told by which fault an answer was befallen', async ({ sandbox }) => {
  sandbox.faults.add({ route: '/v2/*', fault: { kind: 'error', status: 503 } });
  for (const [path, expected] of [
    ['/v2/messages', { api: 'v2', status: 503, fault: 'error' }],
    ['/v1/messages', { api: 'v1', status: 200, fault: undefined }],
  ] as const) {
    const heard = decided();
    await sandbox.call(`GET ${path}`);
    expect(await heard).toMatchObject(expected);
  }
});
