/** What the log and the metrics say of calls that pass untranslated, and what becomes of those that never become one. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { failures } from '../../proxy/failures.ts';
import { inTime } from '../helpers/in-time.ts';
import type { RawConnection } from '../helpers/raw.ts';
import { type TestProxy, head, startPassThrough, startRawV2, startV2 } from './passthrough-proxy.ts';

const key = 'sk_live_0123456789abcdef';
const keyHash = createHmac('sha256', 'test').update(key).digest('hex').slice(0, 16);
const get = head('GET /v2/contacts/c_1?token=secret HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'User-Agent: curl/8.5.0');

/** The value of a series in /metrics; the labels as they stand there. */
async function metric({ adminUrl }: TestProxy, series: string): Promise<number> {
  const lines = (await (await fetch(`${adminUrl}/metrics`)).text()).split('\n');
  return Number(
    lines
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );
}

function passedCalls(endpoint: string, status: number, outcome: string): string {
  return `migrate_v2_passed_calls_total{endpoint="${endpoint}",status="${status}",outcome="${outcome}"}`;
}

/** A refusal, and that its connection ends after it. */
async function refusal(client: RawConnection): Promise<[status: number, code: string]> {
  const { status, body } = await client.readAnswer();
  await client.ending();
  return [status, JSON.parse(body.toString()).code];
}

describe('a call that passes', () => {
  test('is one line without its path or key, counted and timed, and no use of v1', async () => {
    const proxy = await startPassThrough(await startV2((_req, res) => void res.writeHead(404).end('{}')));
    const client = await proxy.connect();
    client.write(get);
    expect((await client.readAnswer()).status).toBe(404);
    const [line] = await proxy.log.waitFor('passed_through');
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      event: 'passed_through',
      endpoint: 'GET /v2/contacts/:id',
      method: 'GET',
      status: 404,
      outcome: 'passed',
      duration: expect.any(Number),
      key: key.slice(0, 8),
      keyHash,
      client: 'curl/8.5.0',
      requestId: expect.any(String),
    });
    expect(await metric(proxy, passedCalls('GET /v2/contacts/:id', 404, 'passed'))).toBe(1);
    expect(await metric(proxy, 'migrate_v2_passed_call_duration_seconds_count')).toBe(1);
    expect(await metric(proxy, 'migrate_v2_last_deprecated_call_timestamp_seconds')).toBe(0);
    expect(proxy.log.of('deprecated_use')).toEqual([]);
    expect(JSON.stringify(proxy.log.lines)).not.toMatch(/secret|c_1|0123456789/);
  });

  test('and fails says why in a line of its own and in its own', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write('nonsense');
    });
    const proxy = await startPassThrough(v2.base);
    const client = await proxy.connect();
    client.write(head('OPTIONS /v2/other HTTP/1.1', 'Host: a'));
    expect((await client.readAnswer()).status).toBe(502);
    const { code } = failures.invalidAnswer;
    expect(await proxy.log.waitFor('passed_through')).toMatchObject([{ endpoint: 'unlisted', method: 'OPTIONS', outcome: 'failed', code }]);
    expect(proxy.log.of('call_failed')).toMatchObject([{ code }]);
    expect(await metric(proxy, passedCalls('unlisted', 502, 'failed'))).toBe(1);
  });

  test.each([
    ['a chunk that is none', 'x\r\n', failures.badRequest],
    ['a chunk longer than its size', '1\r\nabc\r\n', failures.badRequest],
    ['a body that drips', '1\r\na\r\n', failures.requestTimeout],
  ])('with %s is answered, logged and counted', (_name, rest, { status, code }) =>
    inTime(200, async (limit) => {
      const v2 = await startRawV2(() => undefined);
      const proxy = await startPassThrough(v2.base, { headTimeout: limit, requestTimeout: limit });
      const client = await proxy.connect();
      client.write(head('POST /v2/messages/send HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked') + rest);
      expect(await refusal(client)).toEqual([status, code]);
      expect(await proxy.log.waitFor('passed_through')).toMatchObject([{ endpoint: 'POST /v2/messages/send', status, code }]);
      expect(await metric(proxy, passedCalls('POST /v2/messages/send', status, 'local'))).toBe(1);
    }),
  );
});

const websocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];

describe('a handshake', () => {
  const { badRequest, versionNotSupported, expectation } = failures;
  test.each([
    ['without a Host', 'GET /v2/e HTTP/1.1', [], badRequest],
    ['with two Hosts', 'GET /v2/e HTTP/1.1', ['Host: a', 'Host: a'], badRequest],
    ['with a bad Host', 'GET /v2/e HTTP/1.1', ['Host: a/b'], badRequest],
    ['of HTTP/2.0', 'GET /v2/e HTTP/2.0', ['Host: a'], versionNotSupported],
    ['with a fragment', 'GET /v2/e#f HTTP/1.1', ['Host: a'], badRequest],
    ['for another host than its Host', 'GET http://b/v2/e HTTP/1.1', ['Host: a'], badRequest],
    ['with an expectation', 'GET /v2/e HTTP/1.1', ['Host: a', 'Expect: a-miracle'], expectation],
    ['with a length', 'GET /v2/e HTTP/1.1', ['Host: a', 'Content-Length: 5'], badRequest],
    ['with chunks', 'GET /v2/e HTTP/1.1', ['Host: a', 'Transfer-Encoding: chunked'], badRequest],
    ['with chunks and a length', 'GET /v2/e HTTP/1.1', ['Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked'], badRequest],
  ])(
    '%s is refused like any other request, and what follows it is carried out by nobody',
    async (_name, line, fields, { status, code }) => {
      const v2 = await startRawV2(() => undefined);
      const proxy = await startPassThrough(v2.base);
      const client = await proxy.connect();
      client.write(head(line, ...fields, ...websocket) + head('POST /v2/messages/send HTTP/1.1', 'Host: a', 'Content-Length: 0'));
      expect(await refusal(client)).toEqual([status, code]);
      expect(v2.connections).toEqual([]);
    },
  );

  test('behind a refused request is carried out by nobody', async () => {
    const v2 = await startRawV2(() => undefined);
    const client = await (await startPassThrough(v2.base)).connect();
    client.write(head('GET /v2/a HTTP/1.1') + head('GET /v2/e HTTP/1.1', 'Host: a', ...websocket));
    expect(await refusal(client)).toEqual([400, badRequest.code]);
    expect(v2.connections).toEqual([]);
  });

  test('that v2 grants is one line, and counted', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'));
    });
    const proxy = await startPassThrough(v2.base);
    const client = await proxy.connect();
    client.write(head('GET /v2/events HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, ...websocket));
    await client.readUntil('\r\n\r\n');
    expect(await proxy.log.waitFor('passed_through')).toMatchObject([{ method: 'GET', status: 101, outcome: 'passed', keyHash }]);
    expect(await metric(proxy, passedCalls('unlisted', 101, 'passed'))).toBe(1);
  });
});

describe('v2 that never begins its final answer', () => {
  const drip = (connection: RawConnection): NodeJS.Timeout => setInterval(() => connection.write('X'), 20);
  const interim = (connection: RawConnection): NodeJS.Timeout => setInterval(() => connection.write(head('HTTP/1.1 102 Processing')), 20);
  const requests = { 'a GET': get, 'a handshake': head('GET /v2/e HTTP/1.1', 'Host: a', ...websocket) };
  const ways = [
    ['says nothing', ''],
    ['drips its head', 'HTTP/1.1 200 OK\r\nX-A: '],
    ['goes on with interim answers', head('HTTP/1.1 102 Processing')],
  ] as const;
  const cases = ways.flatMap(([way, first]) => Object.entries(requests).map(([what, request]) => [way, what, first, request] as const));

  test.each(cases)('but %s costs %s --headers-timeout, and no more', async (way, _what, first, request) => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(first);
      const going = way === 'drips its head' ? drip(connection) : way === 'says nothing' ? undefined : interim(connection);
      await connection.ending();
      clearInterval(going);
    });
    const proxy = await startPassThrough(v2.base, { headersTimeout: 200 });
    const client = await proxy.connect();
    client.write(request);
    let answer = await client.readAnswer();
    while (answer.status === 102) answer = await client.readAnswer();
    expect(answer.status).toBe(504);
    // On a busy machine the time may be over before there is one.
    await Promise.all(v2.connections.map((connection) => connection.ending()));
    expect(proxy.failures).toEqual(['timeout']);
  });
});

describe('a connection to v2 that is closed at the instant of its reuse', () => {
  /** A v2 that answers one request of its first connection, and closes that as soon as a byte of the next one comes. */
  async function startStaleV2() {
    const seen: string[] = [];
    const v2 = await startRawV2(async (connection, index) => {
      for (let i = 0; ; i++) {
        const received = await connection.readUntil('\r\n\r\n');
        await connection.read(Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0));
        seen.push(received.slice(0, received.indexOf(' ')));
        if (index === 0 && i > 0) return connection.reset();
        connection.write(head('HTTP/1.1 204 No Content'));
      }
    });
    return { base: v2.base, seen };
  }

  test.each(['GET', 'HEAD'])('costs a %s nothing: it is sent once more', async (method) => {
    const v2 = await startStaleV2();
    const client = await (await startPassThrough(v2.base)).connect();
    for (let i = 0; i < 2; i++) {
      client.write(head(`${i === 0 ? 'GET' : method} /v2/a HTTP/1.1`, 'Host: a'));
      expect((await client.readAnswer(method)).status).toBe(204);
    }
    expect(v2.seen).toEqual(['GET', method, method]);
  });

  test.each([
    ['POST', '{}'],
    ['POST', ''],
    ['PUT', '{}'],
    ['DELETE', ''],
    ['GET', '{}'],
  ])('costs a %s with the body %j a 502: it is sent once', async (method, body) => {
    const v2 = await startStaleV2();
    const client = await (await startPassThrough(v2.base)).connect();
    client.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
    await client.readAnswer();
    client.write(head(`${method} /v2/a HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`) + body);
    expect((await client.readAnswer()).status).toBe(502);
    expect(v2.seen).toEqual(['GET', method]);
  });

  test('which v2 does at random moments: no GET fails, and no POST comes twice', async () => {
    const seen = new Map<string, number>();
    const v2 = await startRawV2(async (connection, index) => {
      for (;;) {
        const [, id = ''] = /\/v2\/(\S+)/.exec(await connection.readUntil('\r\n\r\n')) ?? [];
        seen.set(id, (seen.get(id) ?? 0) + 1);
        connection.write(head('HTTP/1.1 204 No Content'));
        // Before, with and after the next request of this connection.
        if (index % 4 !== 0) setTimeout(() => connection.reset(), index % 4);
      }
    });
    const proxy = await startPassThrough(v2.base);
    const statuses = new Set<string>();
    const one = async (worker: number): Promise<void> => {
      const client = await proxy.connect();
      for (let i = 0; i < 100; i++) {
        const method = i % 2 === 0 ? 'GET' : 'POST';
        client.write(
          head(`${method} /v2/${method}-${worker}-${i} HTTP/1.1`, 'Host: a', ...(method === 'GET' ? [] : ['Content-Length: 0'])),
        );
        statuses.add(`${method} ${(await client.readAnswer()).status}`);
      }
    };
    await Promise.all([0, 1, 2, 3].map(one));
    expect([...statuses]).not.toContain('GET 502');
    expect([...seen].filter(([id, times]) => times > (id.startsWith('GET') ? 2 : 1))).toEqual([]);
  });
});
