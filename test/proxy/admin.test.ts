import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { failures } from '../../proxy/failures.ts';
import { v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { outcomes } from '../../src/usage/deprecated-use.ts';
import { inTime } from '../helpers/in-time.ts';
import { startRecordingUpstream, startTestProxy, startUpstream, type TestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const headers = { 'x-api-key': 'sk_test_0123456789' };
const get = (proxy: TestProxy, path = '/v1/contacts'): Promise<Response> => fetch(`${proxy.url}${path}`, { headers });

async function readiness({ adminUrl }: TestProxy): Promise<string> {
  const response = await fetch(`${adminUrl}/readyz`);
  const { status } = (await response.json()) as { status: string };
  return `${response.status} ${status}`;
}

describe('/healthz', () => {
  it('says ok for as long as the process serves', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const response = await fetch(`${proxy.adminUrl}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('/readyz', () => {
  it('says yes from the start, before any call', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9', { unreadyAfter: 0 });
    expect(await readiness(proxy)).toBe('200 ready');
  });

  it('says no while the listener still takes calls before a drain', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url, { drainDelay: 500 });
    const drained = proxy.drain();
    expect(await readiness(proxy)).toBe('503 draining');
    expect((await get(proxy)).status).toBe(200);
    await drained;
  });

  it('says no while calls in flight finish', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    await using v2 = await startUpstream((_req, res) => {
      asked.resolve();
      void answer.promise.then(() => res.end('{}'));
    });
    await using proxy = await startTestProxy(v2.url, { drainTimeout: 10_000 });
    const inFlight = get(proxy);
    await asked.promise;
    const drained = proxy.drain();
    expect(await readiness(proxy)).toBe('503 draining');
    answer.resolve();
    expect((await inFlight).status).toBe(200);
    await drained;
    await expect(readiness(proxy)).rejects.toThrow('fetch failed');
  });

  it('says no once v2 has failed for long enough, and yes when it is back, without a call in between', async () => {
    let now = 0;
    const seen: IncomingMessage[] = [];
    const v2 = await startUpstream((req, res) => {
      seen.push(req);
      res.writeHead(401).end();
    });
    await using proxy = await startTestProxy(`${v2.url}/base/`, { unreadyAfter: 10_000, now: () => now });
    await v2[Symbol.asyncDispose]();
    expect((await get(proxy)).status).toBe(502);
    now = 9_999;
    expect((await get(proxy)).status).toBe(502);
    expect(await readiness(proxy)).toBe('200 ready');
    now = 10_000;
    expect(await readiness(proxy)).toBe('503 upstream unreachable');
    v2.server.listen(v2.port, '127.0.0.1');
    expect(await readiness(proxy)).toBe('200 ready');
    now = 30_000;
    expect(await readiness(proxy)).toBe('200 ready');
    // Without a key: it spends nobody's quota.
    expect(seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([['HEAD', '/base/v2', undefined]]);
    await v2[Symbol.asyncDispose]();
  });

  it('says no while v2 takes connections and breaks each request, and yes when it answers again', async () => {
    let broken = true;
    await using v2 = await startUpstream((req, res) => void (broken ? req.socket.resetAndDestroy() : res.end()));
    await using proxy = await startTestProxy(v2.url, { unreadyAfter: 0 });
    expect((await get(proxy)).status).toBe(502);
    expect(await readiness(proxy)).toBe('503 upstream unreachable');
    broken = false;
    expect(await readiness(proxy)).toBe('200 ready');
  });

  it('says no while v2 takes connections and never answers; questions asked meanwhile share one request to v2', () =>
    inTime(200, async (connectTimeout) => {
      let now = 0;
      let probes = 0;
      await using v2 = await startUpstream(({ method }) => void (probes += method === 'HEAD' ? 1 : 0));
      await using proxy = await startTestProxy(v2.url, { unreadyAfter: 1, headersTimeout: 1, connectTimeout, now: () => now });
      expect((await get(proxy)).status).toBe(504);
      now = 1;
      const answers = await Promise.all([readiness(proxy), readiness(proxy), readiness(proxy)]);
      expect(new Set(answers)).toEqual(new Set(['503 upstream unreachable']));
      expect(probes).toBe(1);
    }));

  it('counts the time anew after an answer', async () => {
    let now = 0;
    let broken = true;
    const v2 = await startUpstream((req, res) => void (broken ? req.socket.destroy() : res.end('{}')));
    await using proxy = await startTestProxy(v2.url, { unreadyAfter: 10_000, now: () => now });
    expect((await get(proxy)).status).toBe(502);
    broken = false;
    expect((await get(proxy)).status).toBe(200);
    broken = true;
    now = 9_000;
    expect((await get(proxy)).status).toBe(502);
    now = 18_999;
    await v2[Symbol.asyncDispose]();
    expect(await readiness(proxy)).toBe('200 ready');
    now = 19_000;
    expect(await readiness(proxy)).toBe('503 upstream unreachable');
  });

  it('says yes where v2 answers with errors: it can be reached', async () => {
    await using v2 = await startUpstream((_req, res) => void res.writeHead(500).end());
    await using proxy = await startTestProxy(v2.url, { unreadyAfter: 0 });
    expect((await get(proxy)).status).toBe(500);
    expect(await readiness(proxy)).toBe('200 ready');
  });
});

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of the Prometheus text format, read by its grammar and not by the library that wrote them. */
async function metrics({ adminUrl }: TestProxy): Promise<Sample[]> {
  const response = await fetch(`${adminUrl}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/([a-z]+)="([^"\\]*)"(?:,|$)/g)];
    return { name, labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])), value: Number(value) };
  });
}

const sum = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number =>
  samples
    .filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((total, { value }) => total + value, 0);

const calls = 'migrate_v2_deprecated_calls_total';
const passed = 'migrate_v2_passed_calls_total';
const refused = 'migrate_v2_refused_requests_total';
const inFlight = 'migrate_v2_upstream_calls_in_flight';

/** What labels may say. A client that could add values would fill the memory of whoever collects them. */
const closedSets: Readonly<Record<string, readonly string[]>> = {
  endpoint: [...Object.values(v1Endpoints), ...Object.values(v2Endpoints)]
    .map(({ method, path }) => `${method} ${path}`)
    .concat('unlisted'),
  outcome: [...outcomes, 'passed'],
  code: Object.values(failures).map(({ code }) => code),
  reason: ['total', 'address'],
};

describe('/metrics', () => {
  it('counts exactly the calls that were made', async () => {
    let broken = false;
    await using v2 = await startUpstream((req, res) => {
      if (broken) req.socket.destroy();
      else res.writeHead(req.url === '/v2/messages/none' ? 404 : 200, { 'Content-Type': 'application/json' }).end('{}');
    });
    await using proxy = await startTestProxy(v2.url);
    for (const path of ['/v1/contacts', '/v1/contacts?page=2', '/v1/contacts/c_1', '/v1/messages/none', '/v1/nothing', '/v2/contacts']) {
      await (await get(proxy, path)).text();
    }
    await fetch(`${proxy.url}/v1/contacts`);
    broken = true;
    await get(proxy);
    await proxy.log.waitFor('deprecated_use', 7);

    const samples = await metrics(proxy);
    const count = (endpoint: string, status: string, outcome: string): number => sum(samples, calls, { endpoint, status, outcome });
    expect(count('GET /v1/contacts', '200', 'translated')).toBe(2);
    expect(count('GET /v1/contacts/:id', '200', 'translated')).toBe(1);
    expect(count('GET /v1/messages/:id', '404', 'translated')).toBe(1);
    expect(count('GET /v1/contacts', '401', 'local')).toBe(1);
    expect(count('GET /v1/contacts', '502', 'failed')).toBe(1);
    expect(count('unlisted', '404', 'local')).toBe(1);
    expect(sum(samples, calls)).toBe(7);
    expect(sum(samples, 'migrate_v2_call_duration_seconds_count')).toBe(7);
    expect(sum(samples, 'migrate_v2_call_duration_seconds_bucket', { le: '+Inf' })).toBe(7);
  });

  it('counts a client that left with status 0, and shows the calls that wait for v2', async () => {
    const asked = Promise.withResolvers<void>();
    await using v2 = await startUpstream(() => asked.resolve());
    await using proxy = await startTestProxy(v2.url);
    const req = request(`${proxy.url}/v1/contacts`, { headers }).on('error', () => undefined);
    req.end();
    await asked.promise;
    expect(sum(await metrics(proxy), inFlight)).toBe(1);
    req.destroy();
    await proxy.log.waitFor('deprecated_use');
    const samples = await metrics(proxy);
    expect(sum(samples, calls, { endpoint: 'GET /v1/contacts', status: '0', outcome: 'failed' })).toBe(1);
    expect(sum(samples, inFlight)).toBe(0);
  });

  it('counts requests that are not valid HTTP by code', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nA : b\r\n\r\n', `GET / HTTP/1.1\r\nA: ${'a'.repeat(60_000)}\r\n\r\n`]) {
      const client = await connectRaw(proxy.port);
      client.write(bytes);
      await client.ending();
    }
    const samples = await metrics(proxy);
    expect(sum(samples, refused, { code: 'PROXY_BAD_REQUEST' })).toBe(2);
    expect(sum(samples, refused, { code: 'PROXY_HEADERS_TOO_LARGE' })).toBe(1);
    expect(sum(samples, calls)).toBe(0);
  });

  it('has no label that a client could choose', async () => {
    await using v2 = await startUpstream((_req, res) => void res.writeHead(299, { 'Content-Type': 'application/json' }).end('{}'));
    await using proxy = await startTestProxy(v2.url);
    for (const path of ['/v1/contacts/chosen', '/v1/chosen', '/chosen?chosen=chosen', '/v2/contacts/chosen', '/v2/chosen?chosen']) {
      for (const method of ['GET', 'POST', 'PROPFIND', 'CHOSEN']) {
        const client = await connectRaw(proxy.port);
        client.write(`${method} ${path} HTTP/1.1\r\nHost: chosen\r\nx-api-key: chosen\r\nUser-Agent: chosen\r\nConnection: close\r\n\r\n`);
        await client.ending();
      }
    }
    const samples = await metrics(proxy);
    expect(new Set(samples.map(({ name }) => name))).toEqual(
      new Set([
        calls,
        refused,
        inFlight,
        passed,
        ...['call', 'passed_call'].flatMap((name) =>
          ['bucket', 'sum', 'count'].map((part) => `migrate_v2_${name}_duration_seconds_${part}`),
        ),
        'migrate_v2_active_clients',
        'migrate_v2_budget_waited_total',
        'migrate_v2_budget_waiting',
        'migrate_v2_client_connections',
        'migrate_v2_client_connections_limit',
        'migrate_v2_refused_connections_total',
        'migrate_v2_days_until_sunset',
        'migrate_v2_last_deprecated_call_timestamp_seconds',
        'migrate_v2_upstream_requests_total',
      ]),
    );
    for (const { labels } of samples) {
      const { status, le, window, ...named } = labels;
      expect(window ?? '24h').toMatch(/^(?:5m|1h|24h)$/);
      expect(status ?? '200').toMatch(/^(?:0|[2-5]\d\d)$/);
      expect(le ?? '+Inf').toMatch(/^(?:\d+(?:\.\d+)?|\+Inf)$/);
      for (const [label, value] of Object.entries(named)) expect(closedSets[label]).toContain(value);
    }
    // The three methods that are HTTP's, on the two paths that are v1's.
    expect(sum(samples, calls)).toBe(6);
    expect(sum(samples, passed)).toBe(6);
    // The method that is none of HTTP's, on each path.
    expect(sum(samples, refused)).toBe(5);
  });
});

describe('anything else', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', '/metricsx'],
    ['GET', '/v1/contacts'],
    ['POST', '/healthz'],
  ])('%s %s is 404', async (method, path) => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const response = await fetch(`${proxy.adminUrl}${path}`, { method });
    expect([response.status, await response.json()]).toEqual([404, { status: 'not found' }]);
  });

  it('a HEAD is answered like a GET, a query is ignored', async () => {
    await using proxy = await startTestProxy('http://127.0.0.1:9');
    const response = await fetch(`${proxy.adminUrl}/readyz?verbose`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
