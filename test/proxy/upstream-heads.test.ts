import { describe, expect, it } from 'vitest';
import type { RawAnswer, RawConnection } from '../helpers/raw.ts';
import { type ProxyUnderTest, expectDeprecated, expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const whole = `${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`;
const postEmpty = post('/v1/campaigns', 'Content-Length: 0');

interface Behind extends ProxyUnderTest {
  readonly requests: string[];
  readonly connections: readonly RawConnection[];
}

/** A proxy in front of a v2 that answers every request with the same bytes. */
async function startAnswering(bytes: string, overrides: Parameters<typeof startProxy>[1] = {}): Promise<Behind> {
  const requests: string[] = [];
  const { base, connections } = await startRawV2(async (connection) => {
    for (;;) {
      requests.push((await connection.readUntil('\r\n\r\n')).split(' ')[0] ?? '');
      connection.write(bytes);
    }
  });
  return { ...(await startProxy(base, overrides)), requests, connections };
}

/** Names and values without those that every answer of the proxy has. */
function own({ rawFields }: RawAnswer): string[] {
  const always = /^(?:deprecation|sunset|via|connection|keep-alive)$|^link$/i;
  return rawFields.flatMap((value, i) => (i % 2 === 1 && !always.test(rawFields[i - 1] ?? '') ? [`${rawFields[i - 1]}: ${value}`] : []));
}

describe('an interim answer of v2', () => {
  it.each([
    ['102', head('HTTP/1.1 102 Processing'), []],
    [
      '103',
      head('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload, </b>; rel=preload', 'Link: </c>; rel=preload'),
      ['</a>; rel=preload, </b>; rel=preload', '</c>; rel=preload'],
    ],
    ['103 with a Link that Node would not write', head('HTTP/1.1 103 Early Hints', 'Link: nonsense'), ['nonsense']],
    ['a 1xx that nobody knows', head('HTTP/1.1 150 Later'), []],
  ])('%s reaches the client before the final one', async (name, interim, links) => {
    for (const request of [get(), postEmpty]) {
      const proxy = await startAnswering(interim + interim + whole);
      const client = await proxy.connect();
      client.write(request);
      for (let i = 0; i < 2; i++) {
        const first = await client.readAnswer();
        expect([String(first.status), ...first.values('link')]).toEqual([interim.slice(9, 12), ...links]);
      }
      const last = await client.readAnswer();
      expect([last.status, last.body.toString()]).toEqual([200, '{}']);
      expectDeprecated(last);
      expect(proxy.requests, name).toHaveLength(1);
    }
  });

  it.each(['/v1/messages', '/v2/messages'])(
    'cannot go on for ever, for a client of %s that reads and for one that does not',
    async (path) => {
      const interim = head('HTTP/1.1 103 Early Hints', `Link: </${'a'.repeat(1_000)}>; rel=preload`);
      let sent = 0;
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        for (; connection.socket.writable; sent++) {
          connection.write(interim);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const proxy = await startProxy(v2.base);
      const reader = await proxy.connect();
      reader.write(get(path));
      let answer = await reader.readAnswer();
      for (; answer.status === 103; answer = await reader.readAnswer());
      expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([502, 'PROXY_UPSTREAM_INVALID']);
      const deaf = await proxy.connect();
      deaf.socket.pause();
      deaf.write(get(path));
      await (await v2.connection(1)).ending();
      expect(sent).toBeLessThan(2_000);
    },
  );

  it('does not reach a client of HTTP/1.0, which knows none (RFC 9110 §15.2)', async () => {
    const proxy = await startAnswering(head('HTTP/1.1 103 Early Hints', 'Link: </a>') + head('HTTP/1.1 102 Processing') + whole);
    expect((await proxy.ask(get().replace('HTTP/1.1', 'HTTP/1.0'))).status).toBe(200);
  });

  it.each([
    ['101, which nobody asked for,', head('HTTP/1.1 101 Switching Protocols', 'Connection: upgrade', 'Upgrade: h2c')],
    ['101 that does not say to what', head('HTTP/1.1 101 Switching Protocols') + whole],
    ['099', head('HTTP/1.1 099 Odd') + whole],
    ['000', head('HTTP/1.1 000 Odd') + whole],
  ])('%s ends in 502 and not in a second request', async (_name, bytes) => {
    for (const request of [get(), get().replace('GET', 'HEAD'), postEmpty]) {
      const proxy = await startAnswering(bytes);
      const method = request.slice(0, request.indexOf(' '));
      const answer = await proxy.ask(request, method);
      expectDeprecated(answer);
      expect(answer.status).toBe(502);
      expect((await proxy.log.waitFor('call_failed'))[0]).toMatchObject({ code: 'PROXY_UPSTREAM_INVALID' });
      await proxy.connections[0]?.ending();
      expect(proxy.requests).toHaveLength(1);
      expect(await proxy.inFlight()).toBe(0);
    }
  });
});

describe('the fields of an answer', () => {
  it('keep their names, order, duplicates and dates', async () => {
    const fields = [
      'X-CaSe: a',
      'Set-Cookie: a=1; Path=/',
      'set-cookie: b=2',
      'X-CaSe: b',
      'Date: Sun, 01 Nov 2026 00:00:00 GMT',
      'Server: v2',
      json,
      'Content-Length: 2',
      'X-Empty: ',
    ];
    const proxy = await startAnswering(`${head('HTTP/1.1 200 OK', ...fields)}{}`);
    expect(own(await proxy.ask(get()))).toEqual(fields);
  });

  it('keep their cookies and their trace on an error as well, without what described the body of v2', async () => {
    const described = ['Content-Encoding: identity', 'ETag: "1"', 'Content-Language: de', 'WWW-Authenticate: Bearer', 'Location: /x'];
    const proxy = await startAnswering(
      head('HTTP/1.1 404 Not Found', 'Set-Cookie: a=1', 'X-Request-Id: 7', ...described, 'Set-Cookie: b=2', 'Content-Length: 0'),
    );
    const answer = await proxy.ask(get());
    expectError(answer, 404);
    expect(own(answer).slice(0, 3)).toEqual(['Set-Cookie: a=1', 'X-Request-Id: 7', 'Set-Cookie: b=2']);
    for (const field of described) expect(answer.rawFields).not.toContain(field.split(':', 1)[0]);
  });

  it("say nothing of v2's own deprecation, of other ways to reach v2, or of the connection to v2", async () => {
    const gone = [
      'Deprecation: @1',
      'Sunset: Thu, 01 Jan 2099 00:00:00 GMT',
      'Alt-Svc: h2=":443"',
      'Keep-Alive: timeout=5',
      'Trailer: X',
      'Proxy-Authenticate: Basic',
      'Upgrade: h2c',
      'X-Hop: 1',
    ];
    for (const line of ['HTTP/1.1 200 OK', 'HTTP/1.1 500 Oops']) {
      const proxy = await startAnswering(`${head(line, ...gone, 'Connection: X-Hop', 'X-Kept: 1', json, 'Content-Length: 2')}{}`);
      const answer = await proxy.ask(get());
      expectDeprecated(answer);
      expect(own(answer)).toContain('X-Kept: 1');
      for (const field of gone) expect(own(answer)).not.toContain(field);
    }
  });

  it('keep the Link and the Via of v2 beside those of the proxy', async () => {
    const proxy = await startAnswering(
      `${head('HTTP/1.1 200 OK', 'Link: </v2/messages?page=2>; rel="next"', 'Via: 1.1 edge', json, 'Content-Length: 2')}{}`,
    );
    const answer = await proxy.ask(get());
    expectDeprecated(answer);
    expect([answer.values('link')[0], answer.values('via')]).toEqual(['</v2/messages?page=2>; rel="next"', ['1.1 edge', '1.1 migrate-v2']]);
  });

  it('beyond 16 KiB end in 502', async () => {
    const proxy = await startAnswering(`${head('HTTP/1.1 200 OK', json, `X-A: ${'a'.repeat(17 * 1024)}`, 'Content-Length: 2')}{}`);
    expectError(await proxy.ask(get()), 502, { code: 'PROXY_UPSTREAM_INVALID' });
    expect(await proxy.inFlight()).toBe(0);
  });

  it.each([
    ['a control character', head('HTTP/1.1 200 OK', 'X-A: a\x01b', 'Content-Length: 2')],
    ['a folded field', head('HTTP/1.1 200 OK', 'X-A: a', ' b', 'Content-Length: 2')],
    ['two lengths', head('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 3')],
    ['a length and chunks', head('HTTP/1.1 200 OK', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ])('with %s end in 502, and their connection is not used again', async (_name, bytes) => {
    const proxy = await startAnswering(`${bytes}{}`);
    expectError(await proxy.ask(get()), 502, { code: 'PROXY_UPSTREAM_INVALID' });
    await proxy.connections[0]?.ending();
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('an answer without content', () => {
  it.each([
    ['204', head('HTTP/1.1 204 No Content', 'X-A: 1')],
    ['204 with a length, which it may not have (RFC 9110 §8.6)', head('HTTP/1.1 204 No Content', 'X-A: 1', 'Content-Length: 0')],
    ['204 with content, which it may not have', `${head('HTTP/1.1 204 No Content', 'X-A: 1', 'Content-Length: 5')}hello`],
    ['304', head('HTTP/1.1 304 Not Modified', 'X-A: 1', 'ETag: "1"', 'Content-Length: 55')],
    ['304 with chunks', `${head('HTTP/1.1 304 Not Modified', 'X-A: 1', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ])('%s is relayed, and the connection goes on', async (name, bytes) => {
    const proxy = await startAnswering(bytes);
    const client = await proxy.connect();
    for (let i = 0; i < 2; i++) {
      client.write(get());
      const answer = await client.readAnswer();
      expectDeprecated(answer);
      expect([String(answer.status), ...answer.values('x-a')]).toEqual([name.slice(0, 3), '1']);
      expect(answer.values('content-length')).toEqual(bytes.includes('ETag') ? ['55'] : []);
    }
  });

  it.each(['301', '302', '303', '307', '308', '300', '305'])('%s is not followed: 502 without the Location', async (status) => {
    const proxy = await startAnswering(head(`HTTP/1.1 ${status} Elsewhere`, 'Location: http://127.0.0.1:1/', 'Content-Length: 0'));
    for (const request of [get(), postEmpty]) {
      const answer = await proxy.ask(request);
      expectError(answer, 502, { code: 'PROXY_UPSTREAM_REDIRECT' });
      expect(answer.values('location')).toEqual([]);
    }
    expect(proxy.requests).toHaveLength(2);
  });
});

describe('an answer to HEAD', () => {
  const ask = (proxy: ProxyUnderTest): Promise<RawAnswer> => proxy.ask(get().replace('GET', 'HEAD'), 'HEAD');

  it('that is an error says nothing of the length of a body that nobody has seen (RFC 9110 §8.6)', async () => {
    const answer = await ask(await startAnswering(head('HTTP/1.1 404 Not Found', json, 'Content-Length: 55')));
    expectDeprecated(answer);
    expect([answer.status, answer.values('content-type'), answer.values('content-length')]).toEqual([
      404,
      ['application/json; charset=utf-8'],
      [],
    ]);
  });

  it('whose GET would be mapped says nothing of the length either', async () => {
    const mappings = { listMessages: { response: { body: '{"success": true}' } } };
    const answer = await ask(await startAnswering(head('HTTP/1.1 200 OK', json, 'Content-Length: 55'), { mappings }));
    expect([answer.status, answer.values('content-length')]).toEqual([200, []]);
  });
});
