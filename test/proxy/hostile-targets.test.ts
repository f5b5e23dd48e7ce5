import { describe, expect, it } from 'vitest';
import { expectDeprecated, expectError, get, head, key, post, seenValues, startProxy, startRawV2, startRecorded } from './faults.ts';

describe('a target', () => {
  it.each([
    '/v1/../v2/messages',
    '/v1/./messages',
    '/v1/messages/.',
    '/v1/messages/..',
    '/v1/messages/%2e%2E',
    '/v1/messages/.%2e',
    '/v1/campaigns/../send',
    '/v1/campaigns/%2E%2E/send',
    '/v1/messages/..\\contacts',
    '/v1/messages/a\\..\\..\\contacts',
    '/v1\\messages',
    '//v1/messages',
    '/v1//messages',
    '/v1/messages//',
    '/v1/messages/',
    '/v1%2Fmessages',
    '/v1/messages%2F1',
    '/%761/messages',
    '/V1/messages',
    '/v1/messages;a=b',
    '/v2%2Fmessages',
    '/v1',
    '/',
    '*',
  ])('%s is no endpoint: 404, and v2 hears nothing', async (target) => {
    const proxy = await startRecorded();
    const method = target.includes('campaigns') ? 'POST' : 'GET';
    const bytes = get(target).replace('GET', method);
    expectError(await proxy.ask(bytes), 404, { error: 'Not found' });
    expect(proxy.seen).toEqual([]);
  });

  it.each([
    ['/v1/messages/a%2Fb', '/v2/messages/a%2Fb'],
    ['/v1/messages/%2Fv2%2Fcontacts', '/v2/messages/%2Fv2%2Fcontacts'],
    ['/v1/messages/a%2f..%2fb', '/v2/messages/a%2f..%2fb'],
    ['/v1/messages/%00%0d%0a', '/v2/messages/%00%0d%0a'],
    ['/v1/messages/...', '/v2/messages/...'],
    ['/v1/messages/a:b@c;d=e,f', '/v2/messages/a:b@c;d=e,f'],
    ['/v1/messages/%', '/v2/messages/%'],
    ['/v1/messages?/v1/../x', '/v2/messages?/v1/../x'],
    ['/v1/messages?a=%2F&a=b&&=%zz?', '/v2/messages?a=%2F&a=b&&=%zz?'],
    ['http://a/v1/messages?q', '/v2/messages?q'],
    ['HTTP://A/v1/messages', '/v2/messages'],
  ])('%s reaches v2 as %s', async (target, expected) => {
    const proxy = await startRecorded();
    const answer = await proxy.ask(get(target));
    expect([answer.status, ...proxy.seen.map(({ url }) => url)]).toEqual([200, expected]);
    expectDeprecated(answer);
  });

  it.each([
    ['http://a/v2/messages?q', '/v2/messages?q'],
    ['HTTP://A/v2/a%2Fb', '/v2/a%2Fb'],
  ])('%s passes through to v2 as %s', async (target, expected) => {
    const proxy = await startRecorded();
    const answer = await proxy.ask(get(target));
    expect([answer.status, ...proxy.seen.map(({ url }) => url)]).toEqual([200, expected]);
  });

  it.each([
    'http://b/v1/messages',
    'http://a:1/v1/messages',
    'http://user@a/v1/messages',
    'ftp://a/v1/messages',
    'v1/messages',
    '/v1/messages#a',
  ])('%s is refused with 400 where Host says a', async (target) => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(get(target)), 400, { code: 'PROXY_BAD_REQUEST' });
    expect(proxy.seen).toEqual([]);
  });

  it('cannot break out of the Link fields', async () => {
    const proxy = await startRecorded();
    const answer = await proxy.ask(get('/v1/messages/">;rel="evil",<x'));
    expect(answer.values('link').join()).not.toContain('evil');
    expectDeprecated(answer);
  });
});

describe('the method', () => {
  it('HEAD has the status and the fields of GET and no content', async () => {
    const fields = [
      'Content-Type: application/json',
      'Content-Length: 2',
      'ETag: "1"',
      'X-Two: a',
      'x-two: b',
      'Date: Sun, 01 Nov 2026 00:00:00 GMT',
    ];
    const v2 = await startRawV2(async (connection) => {
      const { 0: line } = (await connection.readUntil('\r\n\r\n')).split(' ');
      connection.write(head('HTTP/1.1 200 Fine', ...fields) + (line === 'HEAD' ? '' : '{}'));
    });
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(head('HEAD /v1/messages HTTP/1.1', 'Host: a', `x-api-key: ${key}`));
    const answer = await client.readAnswer('HEAD');
    const whole = await proxy.ask(get());
    expect([answer.status, answer.statusText, answer.rawFields]).toEqual([whole.status, whole.statusText, whole.rawFields]);
    // Had there been content, it would come before this answer.
    client.write(get('/v1/nothing'));
    expectError(await client.readAnswer(), 404);
  });

  it('HEAD of what is answered locally has the status and the fields of GET and no content', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    const answers = [];
    for (const method of ['HEAD', 'GET']) {
      client.write(get('/v1/nothing').replace('GET', method));
      const { status, rawFields } = await client.readAnswer(method);
      answers.push([status, rawFields.filter((_, i) => rawFields[i - (i % 2)] !== 'Date')]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it.each(['OPTIONS', 'TRACE', 'PURGE', 'PATCH', 'DELETE'])('%s is not listed: 404', async (method) => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(get().replace('GET', method)), 404, { error: 'Not found' });
    expect(proxy.seen).toEqual([]);
  });

  it('TRACE does not send the key back', async () => {
    const proxy = await startRecorded();
    const { rawFields, body } = await proxy.ask(get().replace('GET', 'TRACE'));
    expect(JSON.stringify(rawFields) + body.toString()).not.toContain(key);
  });

  it('CONNECT is answered with 404', async () => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(head('CONNECT a:80 HTTP/1.1', 'Host: a', `x-api-key: ${key}`)), 404, { error: 'Not found' });
    expect(proxy.seen).toEqual([]);
  });

  it.each([
    ['without a key', head('OPTIONS * HTTP/1.1', 'Host: a')],
    ['with a key and a body', `${head('OPTIONS * HTTP/1.1', 'Host: a', `x-api-key: ${key}`, 'Content-Length: 2')}ab`],
  ])('OPTIONS * asks the proxy itself, which answers with 204 and no content: %s', async (_name, bytes) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(bytes + get());
    const pinged = await client.readAnswer();
    expect([pinged.status, ...pinged.values('content-type'), ...pinged.values('content-length')]).toEqual([204]);
    expect((await client.readAnswer()).status).toBe(200);
    expect(proxy.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v2/messages']);
  });

  it('CONNECT opens no tunnel: what follows is dropped and the connection ends', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(head('CONNECT a:80 HTTP/1.1', 'Host: a') + get());
    expectError(await client.readAnswer(), 404);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect(proxy.seen).toEqual([]);
  });

  it('CONNECT has its answer there for a client that sends everything before it reads', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.socket.pause();
    await new Promise((sent) => client.socket.write(head('CONNECT a:80 HTTP/1.1', 'Host: a').padEnd(16 * 1024 * 1024), sent));
    client.socket.resume();
    expectError(await client.readAnswer(), 404);
    expect(proxy.seen).toEqual([]);
  });

  it.each(['NONSENSE', 'get', 'GET,POST'])('%s, which HTTP does not know, is refused with 400', async (method) => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(get().replace('GET', method)), 400, { code: 'PROXY_BAD_REQUEST' });
    expect(proxy.seen).toEqual([]);
  });
});

describe('an offer to upgrade', () => {
  const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'];

  it.each([
    ['to h2c with a GET', get('/v1/messages', ...h2c)],
    ['to h2c with a POST', `${post('/v1/campaigns', ...h2c, 'Content-Length: 2')}{}`],
    ['to h2c with a POST that is read', `${post('/v1/contacts', ...h2c, 'Content-Length: 2')}{}`],
    ['to h2c with a chunked POST', `${post('/v1/campaigns', ...h2c, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`],
    ['to a WebSocket', get('/v1/messages', 'Connection: Upgrade', 'Upgrade: websocket')],
  ])('%s is ignored: the call is answered over HTTP/1.1, and nothing behind it is taken for a request', async (_name, bytes) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    const message = post('/v1/campaigns', 'Content-Length: 0');
    // Node drops what follows the offer in its packet: here the head of a call, whose content would be the next request.
    client.write(bytes + post('/v1/campaigns', `Content-Length: ${message.length}`));
    const answer = await client.readAnswer();
    expect([answer.status, ...answer.values('upgrade'), ...answer.values('connection')]).toEqual([200, 'close']);
    expectDeprecated(answer);
    client.write(message);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect((await proxy.ask(get('/v1/contacts'))).status).toBe(200);
    expect(proxy.seen.map(({ body }) => body)).toEqual([bytes.startsWith('POST') ? '{}' : '', '']);
    const sent = proxy.seen.flatMap(({ rawHeaders }) => rawHeaders.map((text) => text.toLowerCase()));
    for (const field of ['upgrade', 'http2-settings']) expect(sent).not.toContain(field);
  });
});

it('a handshake of HTTP/1.0 is no handshake (RFC 9110 §7.8): the call goes on to v2 as any other, and nothing behind it does', async () => {
  const proxy = await startRecorded();
  const client = await proxy.connect();
  const bytes = head('GET /v2/events HTTP/1.0', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: k');
  client.write(bytes + post('/v2/messages/send', 'Content-Length: 0'));
  expect((await client.readAnswer()).status).toBe(200);
  expect((await client.readToEnd()).bytes.toString()).toBe('');
  expect(proxy.seen.map(({ url }) => url)).toEqual(['/v2/events']);
  expect(proxy.seen.flatMap((seen) => seenValues(seen, 'upgrade'))).toEqual([]);
});

describe('Max-Forwards (RFC 9110 §7.6.2)', () => {
  const traced = (method: string, path: string, left: string): string =>
    head(`${method} ${path} HTTP/1.1`, 'Host: a', `Max-Forwards: ${left}`);

  it.each(['TRACE', 'OPTIONS'])('ends a %s at the proxy where it is 0, and is one less behind it', async (method) => {
    const proxy = await startRecorded();
    const ended = await proxy.ask(traced(method, '/v2/messages', '0'));
    expect([ended.status, JSON.parse(ended.body.toString()).code]).toEqual([501, 'PROXY_LAST_RECIPIENT']);
    expectError(await proxy.ask(traced(method, '/v1/messages', '5')), 404, { error: 'Not found' });
    expect(proxy.seen).toEqual([]);
    for (const left of ['1', '10', '99999999999999999999']) await proxy.ask(traced(method, '/v2/messages', left));
    expect(proxy.seen.map((seen) => seenValues(seen, 'max-forwards'))).toEqual([['0'], ['9'], ['1000']]);
  });

  it.each(['TRACE', 'OPTIONS'])('ends a %s where Connection names it, too', async (method) => {
    const proxy = await startRecorded();
    const request = head(`${method} /v2/messages HTTP/1.1`, 'Host: a', 'Max-Forwards: 0', 'Connection: max-forwards');
    expect((await proxy.ask(request)).status).toBe(501);
    expect(proxy.seen).toEqual([]);
  });

  it('says nothing of other methods', async () => {
    const proxy = await startRecorded();
    await proxy.ask(traced('GET', '/v2/messages', '0'));
    expect(proxy.seen.map((seen) => seenValues(seen, 'max-forwards'))).toEqual([['0']]);
  });
});
