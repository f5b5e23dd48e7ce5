import { createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { failures } from '../../proxy/failures.ts';
import { createProxy } from '../../proxy/handler.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { LogLines, proxyOptions, startRecordingUpstream, startTestProxy, startUpstream, type TestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const key = 'sk_test_0123456789';
const keyHash = createHmac('sha256', 'test').update(key).digest('hex').slice(0, 16);
const json = { 'x-api-key': key, 'content-type': 'application/json' };
const message = JSON.stringify({ channel: 'SMS', to: '+15550100', content: 'Hi' });

async function get({ url }: TestProxy, path: string, headers: Record<string, string> = { 'x-api-key': key }): Promise<void> {
  await (await fetch(url + path, { headers })).text();
}

/** The lines of a proxy once it has ended: nothing can follow. */
async function linesOf(proxy: TestProxy) {
  await proxy.drain();
  return proxy.log.of('deprecated_use');
}

describe('a translated call', () => {
  it('is one line with every field', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url, { now: () => Date.parse('2026-10-01T12:00:00Z') });
    await get(proxy, '/v1/contacts/c_1?page=2', {
      'x-api-key': key,
      'user-agent': 'curl/8.5.0',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    const lines = await linesOf(proxy);
    expect(lines[0]?.['duration']).toBeGreaterThan(0);
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        event: 'deprecated_use',
        endpoint: 'GET /v1/contacts/:id',
        method: 'GET',
        status: 200,
        outcome: 'translated',
        duration: expect.any(Number),
        key: 'sk_tes',
        keyHash,
        client: 'curl/8.5.0',
        daysUntilSunset: 90,
        requestId: expect.stringMatching(/^[0-9a-f]{8}-1$/),
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      },
    ]);
  });

  it.each(endpointIds(v1Endpoints))('names the endpoint %s by its template', async (id) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const { method, path, body } = v1Endpoints[id];
    await fetch(proxy.url + path.replace(':id', 'x%2Fy'), { method, headers: json, ...(body === 'none' ? {} : { body: message }) });
    expect(await linesOf(proxy)).toMatchObject([{ endpoint: `${method} ${path}`, method, status: 200, outcome: 'translated' }]);
  });

  it('has the status that the client got, also where v2 reported an error', async () => {
    await using v2 = await startUpstream((_req, res) => void res.writeHead(422, { 'Content-Type': 'application/json' }).end('{}'));
    await using proxy = await startTestProxy(v2.url);
    await get(proxy, '/v1/contacts');
    expect(await linesOf(proxy)).toMatchObject([{ status: 400, outcome: 'translated' }]);
  });
});

describe('a call that is answered locally', () => {
  it.each<[string, string, RequestInit, object]>([
    ['without a key', '/v1/contacts', {}, { endpoint: 'GET /v1/contacts', status: 401 }],
    ['to an unlisted path', '/v1/other?x=1', { headers: json }, { endpoint: 'unlisted', status: 404, keyHash }],
    ['with an unknown method', '/v1/contacts', { method: 'PROPFIND' }, { endpoint: 'unlisted', method: 'OTHER', status: 404 }],
    [
      'with a field missing',
      '/v1/messages/send',
      { method: 'POST', headers: json, body: '{}' },
      { endpoint: 'POST /v1/messages/send', status: 400 },
    ],
  ])('%s says so', async (_name, path, init, expected) => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    await (await fetch(proxy.url + path, init)).text();
    expect(await linesOf(proxy)).toEqual([expect.objectContaining({ outcome: 'local', ...expected })]);
  });

  it('names no key where it did not get exactly one', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const client = await connectRaw(proxy.port);
    client.write(`GET /v1/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nx-api-key: ${key}\r\nConnection: close\r\n\r\n`);
    await client.ending();
    const [line] = await linesOf(proxy);
    expect(line).not.toHaveProperty('key');
    expect(line).not.toHaveProperty('keyHash');
  });
});

describe('a call that is refused before it is routed', () => {
  const lines = (first: string, ...fields: string[]): string => `${[first, ...fields].join('\r\n')}\r\nConnection: close\r\n\r\n`;
  const contacts = { endpoint: 'GET /v1/contacts', method: 'GET' };
  const campaigns = { endpoint: 'POST /v1/campaigns', method: 'POST' };
  const withKey = `x-api-key: ${key}`;

  it.each<[string, string, object]>([
    ['another expectation', lines('GET /v1/contacts?page=2 HTTP/1.1', 'Host: a', 'Expect: 200-ok', withKey), { ...contacts, status: 417 }],
    ['no Host', lines('GET /v1/contacts/c_1 HTTP/1.1', withKey), { endpoint: 'GET /v1/contacts/:id', status: 400 }],
    ['two Hosts', lines('GET /v1/contacts HTTP/1.1', 'Host: a', 'Host: b', withKey), { ...contacts, status: 400 }],
    ['two names of a host', lines('GET http://b/v1/contacts?x HTTP/1.1', 'Host: a', withKey), { ...contacts, status: 400 }],
    ['a fragment', lines('GET /v1/contacts#x HTTP/1.1', 'Host: a', withKey), { ...contacts, status: 400 }],
    [
      'a coding',
      lines('POST /v1/campaigns HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked', withKey),
      { ...campaigns, status: 501 },
    ],
    ['chunks in HTTP/1.0', lines('POST /v1/campaigns HTTP/1.0', 'Transfer-Encoding: chunked', withKey), { ...campaigns, status: 400 }],
    ['its version', lines('GET /v1/contacts HTTP/0.9', 'Host: a', withKey), { ...contacts, status: 505 }],
    ['no Host on an unlisted path', lines('GET /v1/nothing HTTP/1.1', withKey), { endpoint: 'unlisted', status: 400 }],
  ])('for %s has its endpoint and its key: its client is no scanner', async (_name, bytes, expected) => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const client = await connectRaw(proxy.port);
    client.write(bytes);
    const answer = await client.readAnswer();
    expect(answer.values('link').join()).toContain('</v2>; rel="successor-version"');
    expect(await linesOf(proxy)).toEqual([expect.objectContaining({ outcome: 'local', keyHash, status: answer.status, ...expected })]);
  });

  it('names no key where it did not get exactly one', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const client = await connectRaw(proxy.port);
    client.write(lines('GET /v1/contacts HTTP/1.1', withKey, withKey));
    await client.readAnswer();
    const [line] = await linesOf(proxy);
    expect(line).toMatchObject({ ...contacts, status: 400 });
    expect(line).not.toHaveProperty('keyHash');
  });
});

describe('a call that fails', () => {
  it('has the code of the failure, and a line of its own says why', async () => {
    await using v2 = await startUpstream((req) => req.socket.destroy());
    await using proxy = await startTestProxy(v2.url);
    await get(proxy, '/v1/contacts');
    expect(await linesOf(proxy)).toMatchObject([{ status: 502, outcome: 'failed', code: failures.reset.code }]);
    expect(proxy.log.of('call_failed')).toMatchObject([
      { level: 40, endpoint: 'GET /v1/contacts', code: failures.reset.code, cause: 'UND_ERR_SOCKET' },
    ]);
  });

  it('has status 0 where the client left before v2 answered', async () => {
    const asked = Promise.withResolvers<void>();
    await using v2 = await startUpstream(() => asked.resolve());
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(`GET /v1/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`);
    await asked.promise;
    client.reset();
    await proxy.log.waitFor('deprecated_use');
    expect(await linesOf(proxy)).toMatchObject([{ endpoint: 'GET /v1/contacts', status: 0, outcome: 'failed', keyHash }]);
    expect(proxy.log.of('call_failed')).toEqual([]);
  });

  it('has status 0 where the client left before it had sent its body', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    const fields = `x-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n`;
    client.write(`POST /v1/messages/send HTTP/1.1\r\nHost: a\r\n${fields}\r\n`);
    await client.readAnswer();
    client.reset();
    await proxy.log.waitFor('deprecated_use');
    expect(await linesOf(proxy)).toMatchObject([{ endpoint: 'POST /v1/messages/send', status: 0, outcome: 'failed' }]);
    expect(v2.seen).toEqual([]);
  });

  it('has the status it began with where the client left within the answer', async () => {
    await using v2 = await startUpstream((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).write('{"half":');
    });
    await using proxy = await startTestProxy(v2.url);
    const req = request(`${proxy.url}/v1/contacts`, { headers: json }).end();
    const [res]: IncomingMessage[] = await once(req, 'response');
    res?.on('error', () => undefined);
    req.destroy();
    await proxy.log.waitFor('deprecated_use');
    expect(await linesOf(proxy)).toMatchObject([{ status: 200, outcome: 'failed' }]);
  });

  it('has status 400 where the rest of its body is not HTTP', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    const fields = `x-api-key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n`;
    client.write(`POST /v1/messages/send HTTP/1.1\r\nHost: a\r\n${fields}\r\n`);
    await client.readAnswer();
    client.write('nonsense\r\n');
    expect((await client.readAnswer()).status).toBe(400);
    await client.ending();
    expect(await linesOf(proxy)).toMatchObject([{ status: 400, code: failures.badRequest.code }]);
  });
});

describe('the lines', () => {
  it('are one for each of many calls on many connections, with ids of their own', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const paths = ['/v1/contacts', '/v1/messages/m_1', '/v1/nothing', '/v1/campaigns/c_1'];
    await Promise.all(Array.from({ length: 200 }, (_, i) => get(proxy, paths[i % paths.length] ?? '')));
    const lines = await linesOf(proxy);
    expect(lines).toHaveLength(200);
    expect(new Set(lines.map((line) => line['requestId'])).size).toBe(200);
    expect(v2.seen).toHaveLength(150);
  });

  it('are there as soon as the proxy begins to close, and from then on as soon as a call is over', async () => {
    const log = new LogLines();
    const proxy = createProxy(proxyOptions('http://127.0.0.1:9', { logger: log.logger }));
    const counts: number[] = [];
    const count = (): unknown => counts.push(log.of('deprecated_use').length);
    await using server = await startUpstream((req, res) => {
      proxy.handler(req, res);
      // Behind the proxy's own listener.
      res.on('close', () => {
        count();
        void proxy.close();
        count();
      });
    });
    for (let calls = 0; calls < 2; calls++) await (await fetch(`${server.url}/v1/contacts`)).text();
    expect(counts).toEqual([0, 1, 2, 2]);
  });

  it.each([
    ['passes through', 'GET /v2/contacts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
    ['is refused for its framing', 'GET /v2/contacts HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
    ['expects what nobody knows', 'GET /v2/contacts HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\nConnection: close\r\n\r\n', 417],
    ['is for neither version, like a load balancer that asks for /', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
  ])('are none for a request that is no v1 call and %s', async (_name, bytes, status) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(bytes);
    expect((await client.readAnswer()).status).toBe(status);
    expect(await linesOf(proxy)).toEqual([]);
  });

  it('are none for what is not HTTP; that has a line of its own', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const client = await connectRaw(proxy.port);
    client.write('nonsense\r\n\r\n');
    expect((await client.readAnswer()).status).toBe(400);
    expect(await linesOf(proxy)).toEqual([]);
    expect(proxy.log.of('request_refused')).toMatchObject([{ status: 400, code: failures.badRequest.code, cause: 'HPE_INVALID_METHOD' }]);
  });
});
