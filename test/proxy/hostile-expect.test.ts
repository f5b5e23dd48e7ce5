import { describe, expect, it } from 'vitest';
import { expectDeprecated, expectError, get, head, post, startProxy, startRawV2, startRecorded } from './faults.ts';

const expecting = 'Expect: 100-continue';
const body = '{"channel":"SMS","to":"+15550100","content":"x"}';
const length = `Content-Length: ${body.length}`;

describe('Expect: 100-continue', () => {
  it.each([
    ['is read', '/v1/messages/send'],
    ['is streamed', '/v1/campaigns'],
  ])('is answered with 100 where the body %s, and v2 never sees it', async (_name, path) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(post(path, length, expecting));
    expect((await client.readAnswer()).status).toBe(100);
    expect(proxy.seen).toEqual([]);
    client.write(body);
    const answer = await client.readAnswer();
    expect([answer.status, ...answer.values('connection')]).toEqual([200, 'keep-alive']);
    expectDeprecated(answer);
    expect(proxy.seen.map(({ body, rawHeaders }) => [body, rawHeaders.some((name) => /^expect$/i.test(name))])).toEqual([[body, false]]);
  });

  it.each<[string, string, number]>([
    ['no key', post('/v1/messages/send', length, expecting).replace(/x-api-key.*\r\n/, ''), 401],
    ['a wrong Content-Type', post('/v1/messages/send', length, expecting).replace('application/json', 'text/plain'), 400],
    ['an unlisted path', post('/v1/nothing', length, expecting), 404],
    ['a body that is announced too large', post('/v1/messages/send', 'Content-Length: 9999999', expecting), 413],
    ['two Hosts', post('/v1/messages/send', 'Host: b', length, expecting), 400],
  ])('is answered without 100 for %s, and the connection ends', async (_name, bytes, status) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(bytes);
    const answer = await client.readAnswer();
    expectError(answer, status);
    expect(answer.values('connection')).toEqual(['close']);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect(proxy.seen).toEqual([]);
  });

  it('on a GET with a body, which nobody reads, gets the answer without 100 and the end of the connection', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(get('/v1/messages', 'Content-Length: 2', expecting));
    const answer = await client.readAnswer();
    expect([answer.status, ...answer.values('connection')]).toEqual([200, 'close']);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
  });

  it('is ignored in HTTP/1.0, whose clients know no 100 (RFC 9110 §10.1.1)', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(post('/v1/messages/send', length, expecting).replace('HTTP/1.1', 'HTTP/1.0') + body);
    expect((await client.readAnswer()).status).toBe(200);
    expect(proxy.seen).toHaveLength(1);
  });

  it('does not wait for a body that comes at once', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(post('/v1/messages/send', length, expecting) + body + get());
    expect((await client.readAnswer()).status).toBe(100);
    expect((await client.readAnswer()).status).toBe(200);
    expect((await client.readAnswer()).status).toBe(200);
  });

  it('is not answered twice where v2 answers before the whole body has come', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 401 Unauthorized', 'Content-Length: 0'));
    });
    const client = await (await startProxy(v2.base)).connect();
    client.write(post('/v1/campaigns', length, expecting));
    expect((await client.readAnswer()).status).toBe(100);
    client.write(body.slice(1));
    const answer = await client.readAnswer();
    expectError(answer, 401, { error: 'Invalid API key' });
    expect(answer.values('connection')).toEqual(['close']);
  });
});

describe('another expectation', () => {
  it.each(['200-ok', '100-continued'])('%s is refused with 417, and the connection ends', async (expectation) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(post('/v1/messages/send', length, `Expect: ${expectation}`));
    expectError(await client.readAnswer(), 417, { code: 'PROXY_EXPECTATION_FAILED' });
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect(proxy.seen).toEqual([]);
  });
});
