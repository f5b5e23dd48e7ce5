import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startTestProxy, startUpstream } from '../../helpers/proxy.ts';
import { connectRaw, listenRaw } from '../../helpers/raw.ts';
import { call } from '../../helpers/sandbox.ts';
import { json, rulesOf, startOnTheRoad, workspaces } from './road.ts';

const observe = { rules: [{ stage: 'observe' }] };

describe('a call that is observed', () => {
  it('reaches v1 as it came, but for Host, Via and the fields of the hop', async () => {
    await using road = await startOnTheRoad(observe);
    const client = await connectRaw(road.proxy.port);
    const body = '{"channel":"SMS","to":"+1","content":"x","content":"y"}';
    client.write(
      `POST /v1/messages/send?a=%2f&a=1 HTTP/1.1\r\nHost: proxy.example\r\nX-API-Key: k1\r\nAuthorization: Basic abc\r\nCookie: a=b\r\nCookie: c=d\r\n` +
        `X-Forwarded-For: 192.0.2.1\r\nX-Real-IP: 192.0.2.2\r\nx-multi: 1\r\nX-Multi: 2\r\nConnection: x-hop\r\nX-Hop: 1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect((await client.readAnswer('POST')).status).toBe(200);
    const [seen] = road.v1.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/messages/send?a=%2f&a=1', body });
    expect(seen?.rawHeaders).toEqual(
      ['host', new URL(road.v1.url).host, 'connection', 'keep-alive'].concat(
        [
          'X-API-Key',
          'k1',
          'Authorization',
          'Basic abc',
          'Cookie',
          'a=b',
          'Cookie',
          'c=d',
          'X-Forwarded-For',
          '192.0.2.1',
          'X-Real-IP',
          '192.0.2.2',
        ],
        ['x-multi', '1', 'X-Multi', '2', 'Content-Type', 'text/plain', 'Via', '1.1 migrate-v2', 'content-length', String(body.length)],
      ),
    );
    expect(road.v2.seen).toEqual([]);
  });

  it('is answered with the very bytes of v1, its own deprecation fields included', async () => {
    const upstream = await listenRaw(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(
        'HTTP/1.1 418 Short and stout\r\nX-A: 1\r\nx-a: 2\r\nSunset: Thu, 31 Dec 2026 00:00:00 GMT\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 5\r\n\r\n\x00\xff{}"',
      );
    });
    await using proxy = await startTestProxy('http://127.0.0.1:9', {
      v1Base: `http://127.0.0.1:${upstream.port}`,
      rollout: rulesOf(observe),
    });
    const client = await connectRaw(proxy.port);
    client.write('GET /v1/nowhere HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await client.readAnswer();
    expect([answer.status, answer.statusText, answer.body.toString('latin1')]).toEqual([418, 'Short and stout', '\x00\xff{}"']);
    expect(answer.rawFields.slice(0, 12)).toEqual([
      'X-A',
      '1',
      'x-a',
      '2',
      'Sunset',
      'Thu, 31 Dec 2026 00:00:00 GMT',
      'Set-Cookie',
      'a',
      'Set-Cookie',
      'b',
      'Content-Length',
      '5',
    ]);
    // v1 says when its sunset is; what it does not say is added.
    expect([answer.values('sunset').length, answer.values('deprecation'), answer.values('link').length]).toEqual([1, ['@1780272000'], 1]);
    await upstream.close();
  });

  it('carries no deprecation fields where these are switched off', async () => {
    await using road = await startOnTheRoad({ ...observe, announce: false });
    const { headers } = await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect([headers['deprecation'], headers['sunset'], headers['link'], headers.via]).toEqual([
      undefined,
      undefined,
      undefined,
      '1.1 migrate-v2',
    ]);
  });

  it.each([
    ['without a key', 'GET /v1/contacts', {}],
    ['to a path that is no endpoint', 'GET /v1/nowhere', { key: 'k' }],
    ['with a method that is none', 'PATCH /v1/contacts/1', { key: 'k', json: {} }],
    ['with a body that v1 refuses', 'POST /v1/messages/send', { key: 'k', raw: 'no json' }],
  ])('%s is v1 to judge', async (_what, endpoint, options) => {
    await using road = await startOnTheRoad(observe, { v1: json(499, { mine: true }) });
    expect(await call(road.proxy.url, endpoint, options)).toMatchObject({ status: 499, body: { mine: true } });
    expect(road.v1.seen).toHaveLength(1);
  });

  it('is recorded and logged as observed', async () => {
    await using road = await startOnTheRoad(observe, { workspaces });
    await call(road.proxy.url, 'GET /v1/contacts/7', { key: 'ak_acme_1' });
    const [line] = await road.proxy.log.waitFor('deprecated_use');
    expect(line).toMatchObject({ endpoint: 'GET /v1/contacts/:id', outcome: 'observed', status: 200, workspace: 'Acme' });
  });

  it('gets a 502 in the shape of v1, with its code, where v1 is down', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9', { v1Base: 'http://127.0.0.1:9', rollout: rulesOf(observe) });
    const { status, body, headers } = await call(proxy.url, 'POST /v1/contacts', { key: 'k', json: {} });
    expect([status, body]).toEqual([
      502,
      { success: false, error: 'v1 cannot be reached; the request was not sent', code: 'PROXY_UPSTREAM_UNREACHABLE' },
    ]);
    expect(headers['deprecation']).toBe('@1780272000');
    const [line] = await proxy.log.waitFor('deprecated_use');
    expect(line).toMatchObject({ outcome: 'observed', status: 502 });
  });

  it('that goes round, as v1 leads to the proxy itself, ends with a failure that says so', async () => {
    const rules = rulesOf(observe);
    let target = '';
    await using front = await startUpstream((req, res) => {
      const onward = request(`${target}${req.url}`, { headers: req.headers }, (answer) =>
        answer.pipe(res.writeHead(answer.statusCode ?? 0)),
      );
      req.pipe(onward);
    });
    await using proxy = await startTestProxy('http://127.0.0.1:9', { v1Base: front.url, rollout: rules });
    target = proxy.url;
    const { status, body } = await call(proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect([status, body]).toMatchObject([508, { code: 'PROXY_LOOP' }]);
  });

  it('streams a body of any size, both ways', async () => {
    const size = 8 * 1024 * 1024;
    await using road = await startOnTheRoad(observe, {
      maxBody: 1024,
      v1: (req, res) => void res.writeHead(200, { 'X-Length': String(req.headers['content-length']) }).end(Buffer.alloc(size, 'a')),
    });
    const response = await fetch(`${road.proxy.url}/v1/contacts`, { method: 'POST', body: Buffer.alloc(size, 'b') });
    expect((await response.arrayBuffer()).byteLength).toBe(size);
    expect([response.headers.get('x-length'), road.v1.seen[0]?.body.length]).toEqual([String(size), size]);
  });

  it('is upgraded where v1 grants it', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    let fields: readonly string[] = [];
    sockets.on('connection', (socket, req) => {
      fields = req.rawHeaders;
      socket.on('message', (data) => socket.send(data));
    });
    const address = sockets.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await using proxy = await startTestProxy('http://127.0.0.1:9', { v1Base: `http://127.0.0.1:${port}`, rollout: rulesOf(observe) });
    const client = new WebSocket(`${proxy.url.replace('http', 'ws')}/v1/stream`, { headers: { 'x-api-key': 'k' } });
    await once(client, 'open');
    client.send('hello');
    const [echo] = await once(client, 'message');
    expect(String(echo)).toBe('hello');
    expect(fields.join(' ')).toContain('x-api-key k');
    client.close();
    await once(client, 'close');
    sockets.close();
  });
});

describe('calls go to', () => {
  const rules = [
    { match: { workspace: 'Acme', methods: 'GET' }, stage: 'translate' },
    { match: { workspace: 'Bolt' }, stage: 'translate' },
    { stage: 'observe' },
  ];

  test.each([
    ['v2 for the workspace and method of a rule', 'GET /v1/contacts', 'ak_acme_1', 'v2'],
    ['v1 for another method', 'POST /v1/contacts', 'ak_acme_1', 'v1'],
    ['v2 for another workspace', 'POST /v1/contacts', 'ak_bolt_1', 'v2'],
    ['v1 for keys of no workspace', 'GET /v1/contacts', 'unknown', 'v1'],
    ['v2 where the client speaks v2, whatever the rules', 'GET /v2/contacts', 'ak_acme_1', 'v2'],
  ] as const)('%s', async (_what, endpoint, key, expected) => {
    await using road = await startOnTheRoad({ rules }, { workspaces });
    await call(road.proxy.url, endpoint, { key, ...(endpoint.startsWith('POST') ? { json: {} } : {}) });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual(expected === 'v1' ? [1, 0] : [0, 1]);
  });

  test('where changed rules send them, from the next call on', async () => {
    await using road = await startOnTheRoad({ rules: [{ stage: 'observe' }] }, { workspaces });
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    road.rules.change({ rules: [{ stage: 'translate' }] });
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([1, 1]);
  });

  test('v2 where no rule matches', async () => {
    await using road = await startOnTheRoad({ rules: [{ match: { workspace: 'Acme' }, stage: 'observe' }] }, { workspaces });
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([0, 1]);
  });

  test('v1 again, all of them, once somebody has stopped the roll-out, until somebody resumes', async () => {
    await using road = await startOnTheRoad({ rules }, { workspaces, adminToken: 'secret' });
    const post = (path: string, token?: string): Promise<Response> =>
      fetch(`${road.proxy.adminUrl}${path}`, { method: 'POST', headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
    expect([(await post('/rollout/stop')).status, (await post('/rollout/stop', 'wrong')).status]).toEqual([401, 401]);
    expect((await post('/rollout/stop', 'secret')).status).toBe(200);
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'ak_acme_1' });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([1, 0]);
    expect((await post('/rollout/resume', 'secret')).status).toBe(200);
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'ak_acme_1' });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([1, 1]);
  });

  test('where they went, where no token is set that could stop the roll-out', async () => {
    await using road = await startOnTheRoad({ rules });
    const response = await fetch(`${road.proxy.adminUrl}/rollout/stop`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('--admin-token')]);
  });
});
