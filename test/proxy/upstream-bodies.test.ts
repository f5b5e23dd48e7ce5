import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RawConnection } from '../helpers/raw.ts';
import { type ProxyUnderTest, expectDeprecated, expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const sent = '{"channel":"SMS","to":"+15550100","content":"x"}';
const postSend = post('/v1/messages/send', `Content-Length: ${sent.length}`) + sent;

const update = post('/v1/contacts/c1', 'Content-Length: 2').replace('POST', 'PUT') + '{}';
const created = '{"messageId":"m_1"}';

/** A message in more JSON than is read. */
const oops = '{"message":"Oops"}';
const bomb = gzipSync(oops.padEnd(20_000_000), { level: 1 });

interface Behind extends ProxyUnderTest {
  readonly requests: string[];
  readonly connections: readonly RawConnection[];
}

/** A proxy in front of a v2 that answers the first request of each connection with these bytes, and then with a whole answer. */
async function startAnswering(lines: readonly string[], body: string | Buffer = ''): Promise<Behind> {
  const requests: string[] = [];
  const { base, connections } = await startRawV2(async (connection) => {
    for (;;) {
      const received = await connection.readUntil('\r\n\r\n');
      await connection.read(Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0));
      requests.push(received.split(' ')[0] ?? '');
      connection.write(Buffer.concat([Buffer.from(head(...lines)), Buffer.from(body as string)]));
    }
  });
  return { ...(await startProxy(base)), requests, connections };
}

describe('a body of v2', () => {
  it('longer than its Content-Length is cut where it should end, and its connection is not used again', async () => {
    const proxy = await startAnswering(
      ['HTTP/1.1 200 OK', json, 'Content-Length: 2'],
      `{}${head('HTTP/1.1 200 OK', json, 'Content-Length: 9')}{"evil":1}`,
    );
    const client = await proxy.connect();
    for (let i = 0; i < 3; i++) {
      client.write(get());
      const answer = await client.readAnswer();
      expect([answer.status, answer.body.toString()]).toEqual([200, '{}']);
    }
    expect(proxy.connections).toHaveLength(3);
  });

  it.each([
    ['in one chunk', 'Content-Length: 2', '{}'],
    ['in many chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n1;a=b\r\n}\r\n0\r\nX-Trailer: 1\r\n\r\n'],
  ])('arrives %s with keep-alive on both sides', async (_name, framing, body) => {
    const proxy = await startAnswering(['HTTP/1.1 200 OK', json, framing], body);
    const client = await proxy.connect();
    for (let i = 0; i < 3; i++) {
      client.write(get());
      const answer = await client.readAnswer();
      expectDeprecated(answer);
      expect(answer.body.toString()).toBe('{}');
    }
    expect(proxy.connections).toHaveLength(1);
  });

  it('in HTTP/1.0 has its end where the connection ends', async () => {
    const { base } = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head('HTTP/1.0 200 OK', json)}{"a":1}`);
      connection.end();
    });
    const answer = await (await startProxy(base)).ask(get());
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"a":1}']);
  });

  it.each([
    ['compressed', gzipSync('{"success":true}')],
    ['said to be compressed, which it is not', Buffer.from('{"success":true}')],
    ['compressed and cut short', gzipSync('{"success":true}').subarray(0, 20)],
  ])('%s passes as it is on success', async (_name, body) => {
    const proxy = await startAnswering(['HTTP/1.1 200 OK', json, 'Content-Encoding: gzip', `Content-Length: ${body.length}`], body);
    const answer = await proxy.ask(get('/v1/messages', 'Accept-Encoding: gzip'));
    expect([answer.status, ...answer.values('content-encoding')]).toEqual([200, 'gzip']);
    expect(answer.body).toEqual(body);
  });

  it('that is not the JSON it is said to be passes as it is on success', async () => {
    const answer = await (await startAnswering(['HTTP/1.1 200 OK', json, 'Content-Length: 3'], '{"a')).ask(get());
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"a']);
  });

  it('without a Content-Type passes as it is', async () => {
    const answer = await (await startAnswering(['HTTP/1.1 200 OK', 'Content-Length: 2'], '{}')).ask(get());
    expect([answer.status, answer.body.toString(), answer.values('content-type')]).toEqual([200, '{}', []]);
  });

  it('that is HTML in answer to a read ends in 502, and nothing is sent again', async () => {
    const proxy = await startAnswering(['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Length: 13'], '<html></html>');
    expectError(await proxy.ask(get()), 502, { code: 'PROXY_UPSTREAM_INVALID' });
    expect(proxy.requests).toEqual(['GET']);
  });

  it.each([
    ['text', 'POST', postSend, ['Content-Type: text/plain', 'Content-Length: 6'], 'queued'],
    ['a number', 'POST', postSend, ['Content-Type: text/plain', 'Content-Length: 2'], '42'],
    ['a page', 'PUT', update, ['Content-Type: text/html', 'Content-Length: 13'], '<html></html>'],
    ['chunks of a page', 'POST', postSend, ['Content-Type: text/html', 'Transfer-Encoding: chunked'], '5\r\n<html\r\n0\r\n\r\n'],
    ['no chunks of bytes', 'POST', postSend, ['Content-Type: application/octet-stream', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['text in a coding that nobody knows', 'POST', postSend, ['Content-Type: text/plain', 'Content-Encoding: x', 'Content-Length: 1'], 'q'],
    ['a page that breaks off', 'POST', postSend, ['Content-Type: text/html', 'Transfer-Encoding: chunked'], 'zz\r\n'],
  ])('that is %s in place of JSON: what v2 carried out is a success', async (_name, method, request, fields, body) => {
    const proxy = await startAnswering(['HTTP/1.1 202 Accepted', 'ETag: "1"', ...fields], body);
    const answer = await proxy.ask(request);
    expectDeprecated(answer);
    expect([answer.status, answer.body.toString(), answer.values('etag')]).toEqual([202, '{"success":true}', []]);
    expect(answer.values('content-type')).toEqual(['application/json; charset=utf-8']);
    expect(proxy.log.of('answer_unread')).toMatchObject([{ level: 50, code: 'PROXY_UPSTREAM_INVALID' }]);
    expect(proxy.requests).toEqual([method]);
  });

  it.each([
    ['text/json', []],
    ['application/x-json', []],
    ['application/octet-stream', ['Content-Encoding: gzip']],
  ])('that is JSON under the name of %s: the ids in it reach the client of a send', async (type, fields) => {
    const sentAs = fields.length > 0 ? gzipSync(created) : Buffer.from(created);
    const proxy = await startAnswering(
      ['HTTP/1.1 201 Created', `Content-Type: ${type}`, ...fields, `Content-Length: ${sentAs.length}`],
      sentAs,
    );
    const answer = await proxy.ask(postSend);
    expect([answer.status, answer.body.toString(), answer.values('content-encoding')]).toEqual([201, created, []]);
    expect(answer.values('content-type')).toEqual(['application/json; charset=utf-8']);
    expect(proxy.requests).toEqual(['POST']);
  });
});

describe('an error of v2', () => {
  const fault = 'Internal server error';
  it.each<[string, string[], string | Buffer, string]>([
    ['without a body', ['Content-Length: 0'], '', fault],
    ['without a body or a length', ['Transfer-Encoding: chunked'], '0\r\n\r\n', fault],
    ['in HTML', ['Content-Type: text/html', 'Content-Length: 20'], '<html>secret</html>\n', fault],
    ['in HTML without a type', ['Content-Length: 20'], '<html>secret</html>\n', fault],
    ['in broken JSON', [json, 'Content-Length: 11'], '{"message":', fault],
    ['in text', ['Content-Type: text/plain', 'Content-Length: 4'], 'Oops', 'Oops'],
    [
      'in compressed JSON',
      [json, 'Content-Encoding: gzip', `Content-Length: ${gzipSync('{"message":"Oops"}').length}`],
      gzipSync('{"message":"Oops"}'),
      'Oops',
    ],
    ['in JSON said to be compressed', [json, 'Content-Encoding: gzip', 'Content-Length: 18'], '{"message":"Oops"}', fault],
    ['in a compression that nobody knows', [json, 'Content-Encoding: x', 'Content-Length: 18'], '{"message":"Oops"}', fault],
    ['that unpacks to 20 MB', [json, 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`], bomb, fault],
    ['of 2 MB', [json, 'Content-Length: 2000000'], oops.padEnd(2_000_000), fault],
    ['in JSON nested 100,000 deep', [json, 'Content-Length: 100000'], '['.repeat(100_000), fault],
  ])('%s is a v1 error', async (_name, fields, body, error) => {
    const proxy = await startAnswering(['HTTP/1.1 500 Oops', ...fields], body);
    const client = await proxy.connect();
    for (const request of [get(), postSend]) {
      client.write(request);
      const answer = await client.readAnswer();
      expectError(answer, 500, { error });
      expect(answer.values('content-encoding')).toEqual([]);
    }
    expect(proxy.requests).toEqual(['GET', 'POST']);
  });

  it('that comes before the upload is over reaches the client, which may go on', async () => {
    const proxy = await startAnswering(['HTTP/1.1 403 Forbidden', 'Content-Length: 0']);
    const client = await proxy.connect();
    client.write(post('/v1/campaigns', 'Transfer-Encoding: chunked') + '2\r\n{}\r\n');
    expectError(await client.readAnswer(), 403, { code: 'API_KEY_PERMISSION' });
    client.write(`0\r\n\r\n${get('/v1/nothing')}`);
    expectError(await client.readAnswer(), 404);
    expect(proxy.requests).toEqual(['POST']);
    expect(await proxy.inFlight()).toBe(0);
  });
});
