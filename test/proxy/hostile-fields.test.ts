import { describe, expect, it } from 'vitest';
import { expectDeprecated, expectError, get, head, key, post, seenValues, startProxy, startRawV2, startRecorded } from './faults.ts';

/** What v2 gets for a request, as its lines. */
async function linesAtV2(bytes: string): Promise<string[]> {
  const received = Promise.withResolvers<string>();
  const v2 = await startRawV2(async (connection) => {
    received.resolve(await connection.readUntil('\r\n\r\n'));
    connection.write(head('HTTP/1.1 204 No Content'));
  });
  await (await startProxy(v2.base)).ask(bytes);
  return (await received.promise).slice(0, -4).split('\r\n');
}

const added = (httpVersion = '1.1'): string[] => [
  `Authorization: Bearer ${key}`,
  `Via: ${httpVersion} migrate-v2`,
  'X-Forwarded-For: 127.0.0.1',
];

describe('the fields of a request', () => {
  it('keep their names, order, duplicates and bytes', async () => {
    const fields = [
      'X-b: 1',
      'x-B: 2',
      'X-A: \xe9\xff',
      'ACCEPT: */*',
      'X-b: 1',
      'x-empty:',
      'X-Tab: a\tb',
      '__proto__: p',
      'constructor: c',
    ];
    const lines = await linesAtV2(get('/v1/messages', ...fields));
    expect(lines.slice(3)).toEqual([...fields.map((field) => field.replace(/:$/, ': ')), ...added()]);
  });

  it('arrive whole and in order where there are 1,000 of them', async () => {
    const fields = Array.from({ length: 1_000 }, (_, i) => `F${i}: ${i}`);
    expect((await linesAtV2(get('/v1/messages', ...fields))).slice(3)).toEqual([...fields, ...added()]);
  });

  it('go without those that concern this connection only (RFC 9110 §7.6.1)', async () => {
    const own = [
      'Keep-Alive: 5',
      'Proxy-Connection: a',
      'Proxy-Authorization: Basic a',
      'TE: gzip, chunked',
      'TE: trailers',
      'Trailer: X-A',
      'Upgrade: a',
    ];
    expect((await linesAtV2(get('/v1/messages', ...own, 'X-Kept: a'))).slice(3)).toEqual(['X-Kept: a', ...added()]);
  });

  it('go without those that Connection nominates, in any case and in several Connection fields', async () => {
    const lines = await linesAtV2(
      get(
        '/v1/messages',
        'Connection: X-One , ,x-two',
        'X-ONE: a',
        'x-One: b',
        'X-Three: c',
        'Connection: keep-alive, x-three',
        'X-Two: d',
        'X-Kept: e',
      ),
    );
    expect(lines.slice(3)).toEqual(['X-Kept: e', ...added()]);
  });

  it('keep what the proxy writes itself, whatever Connection nominates', async () => {
    const lines = await linesAtV2(get('/v1/messages', 'Connection: host, connection, authorization, via, x-api-key'));
    expect(lines.slice(0, 2)).toEqual(['GET /v2/messages HTTP/1.1', expect.stringMatching(/^host: 127\.0\.0\.1:\d+$/)]);
    expect(lines.slice(3)).toEqual(added());
  });

  it('never hold the x-api-key, nominated or not, and the call works with it', async () => {
    const proxy = await startRecorded();
    const answer = await proxy.ask(get('/v1/messages', 'Connection: x-api-key'));
    expect(answer.status).toBe(200);
    expectDeprecated(answer);
    const [seen] = proxy.seen;
    expect(seen && [seenValues(seen, 'authorization'), seenValues(seen, 'x-api-key')]).toEqual([[`Bearer ${key}`], []]);
  });

  it.each([
    ['streamed', '/v1/campaigns'],
    ['read', '/v1/contacts'],
  ])('keep the framing of a body that is %s, whatever Connection nominates', async (_name, path) => {
    const nominating = 'Connection: content-length, transfer-encoding';
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(`${post(path, nominating, 'Content-Length: 9')}{"a":"b"}`);
    await client.readAnswer();
    client.write(`${post(path, nominating, 'Transfer-Encoding: chunked')}9\r\n{"a":"b"}\r\n0\r\n\r\n`);
    await client.readAnswer();
    expect(proxy.seen.map(({ body }) => body)).toEqual(['{"a":"b"}', '{"a":"b"}']);
  });

  it.each([
    ['two keys', [`x-api-key: ${key}`, 'x-api-key: other']],
    ['the same key twice', [`x-api-key: ${key}`, `X-API-KEY: ${key}`]],
    ['two keys in one field', ['x-api-key: one,two']],
  ])('%s are refused with 401 and without a call to v2', async (_name, fields) => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(head('GET /v1/messages HTTP/1.1', 'Host: a', ...fields)), 401, { error: 'Invalid API key' });
    expect(proxy.seen).toEqual([]);
  });

  it('name the version of HTTP that the client spoke', async () => {
    const lines = await linesAtV2(get().replace('HTTP/1.1', 'HTTP/1.0'));
    expect(lines[0]).toBe('GET /v2/messages HTTP/1.1');
    expect(lines.slice(3)).toEqual(added('1.0'));
  });
});

describe('trailers of a request', () => {
  it('are dropped: nothing in them can pass for a field', async () => {
    const proxy = await startRecorded();
    const trailers = head('0', 'X-Late: 1', 'Authorization: Bearer other');
    const answer = await proxy.ask(`${post('/v1/campaigns', 'Transfer-Encoding: chunked')}2\r\n{}\r\n${trailers}`);
    expect([answer.status, proxy.seen.map(({ body }) => body)]).toEqual([200, ['{}']]);
    const [seen] = proxy.seen;
    expect(seen && [seenValues(seen, 'x-late'), seenValues(seen, 'authorization')]).toEqual([[], [`Bearer ${key}`]]);
  });
});
