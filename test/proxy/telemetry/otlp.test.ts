/** What a collector of OpenTelemetry gets of a proxy. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { otlpExporters } from '../../../proxy/telemetry/otlp.ts';
import { Telemetry, type TelemetryOptions } from '../../../proxy/telemetry/telemetry.ts';
import { LogLines, startTestProxy, startUpstream, type TestProxy } from '../../helpers/proxy.ts';
import { type Collector, pointsOf, startCollector } from './collector.ts';

const key = 'ak_live_0123456789abcdef';
const now = Date.parse('2026-10-01T12:00:00.250Z');

async function startTelling(collector: Collector, options: Partial<TelemetryOptions> = {}) {
  const v2 = await startUpstream((req, res) => {
    req.resume();
    const status = req.headers.authorization === `Bearer ${key}` ? 200 : 401;
    res.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  const log = new LogLines();
  const exporters = await otlpExporters({
    endpoint: `${collector.url}/`,
    headers: { authorization: 'Bearer collectors' },
    replica: 'proxy-1',
    version: '1.2.3',
  });
  const telemetry = new Telemetry({ exporters, logger: log.logger, interval: 60_000, ...options });
  const workspaces = [{ name: 'Acme', keys: ['ak_live_0123'] }];
  const proxy = await startTestProxy(v2.url, {
    telemetry,
    now: () => now,
    workspaces,
    clientHeader: 'x-client',
    trustedProxies: ['127.0.0.1'],
  });
  onTestFinished(async () => {
    await telemetry.close(1_000);
    await proxy.drain();
    await v2[Symbol.asyncDispose]();
  });
  return { proxy, telemetry, log };
}

const ask = async ({ url }: TestProxy, path: string, headers: Record<string, string> = { 'x-api-key': key }): Promise<void> => {
  await (
    await fetch(url + path, { headers: { 'user-agent': 'acme-crm/2.1 axios/1.7', 'x-forwarded-for': '198.51.100.77', ...headers } })
  ).text();
};

describe('a deprecated use', () => {
  test('is one event, with what log and record show of it', async () => {
    const collector = await startCollector();
    const { proxy, telemetry } = await startTelling(collector);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await ask(proxy, '/v1/contacts/c_1?secret=yes', { 'x-api-key': key, 'x-client': 'billing', traceparent });
    await ask(proxy, '/v2/contacts', { authorization: `Bearer ${key}` });
    await telemetry.close(5_000);
    const [line] = proxy.log.of('deprecated_use');
    expect(collector.events).toEqual([
      {
        name: 'migrate_v2.deprecated_use',
        time: BigInt(now) * 1_000_000n,
        resource: expect.objectContaining({ 'service.name': 'migrate-v2', 'service.version': '1.2.3', 'service.instance.id': 'proxy-1' }),
        attributes: {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'http.route': '/v1/contacts/:id',
          'migrate_v2.endpoint': 'GET /v1/contacts/:id',
          'migrate_v2.outcome': 'translated',
          'migrate_v2.duration_ms': line?.['duration'],
          'migrate_v2.client': 'acme-crm/2.1 via axios/1.7',
          'migrate_v2.client_name': 'billing',
          'migrate_v2.key_prefix': 'ak_live_',
          'migrate_v2.key_hash': line?.['keyHash'],
          'migrate_v2.workspace': 'Acme',
          'migrate_v2.network': '198.51.100.0/24',
          'migrate_v2.days_until_sunset': 90,
          'migrate_v2.request_id': line?.['requestId'],
          'migrate_v2.trace_id': '4bf92f3577b34da6a3ce929d0e0e4736',
        },
      },
    ]);
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collectors' });
  });

  test('has no name, key, address or path of the client that the record would not show', async () => {
    const collector = await startCollector();
    const { proxy, telemetry } = await startTelling(collector);
    await ask(proxy, '/v1/secret-path', { 'x-api-key': 'ak_live_another_key_of_somebody' });
    await ask(proxy, '/v1/contacts?phone=secret', { 'x-api-key': 'ak_live_another_key_of_somebody' });
    await telemetry.close(5_000);
    expect(
      collector.events.map(({ attributes }) => [
        attributes['migrate_v2.endpoint'],
        attributes['http.route'],
        attributes['migrate_v2.client'],
      ]),
    ).toEqual([
      ['unlisted', undefined, expect.stringMatching(/^other-/)],
      ['GET /v1/contacts', '/v1/contacts', expect.stringMatching(/^other-/)],
    ]);
    const all = collector.raw.join('\n');
    for (const told of ['acme-crm', 'another', 'secret', '198.51.100.77', '127.0.0.1'])
      expect([told, all.includes(told)]).toEqual([told, false]);
  });

  test('goes out while the proxy serves, together with others', async () => {
    const collector = await startCollector();
    const { proxy } = await startTelling(collector, { batch: 2 });
    for (let i = 0; i < 5; i++) await ask(proxy, '/v1/contacts');
    await expect(collector.until(({ events }) => events.length === 5)).resolves.toBeUndefined();
  });
});

test('a collector gets the metrics of /metrics, by their names', async () => {
  const collector = await startCollector();
  const { proxy, telemetry } = await startTelling(collector);
  for (let i = 0; i < 3; i++) await ask(proxy, '/v1/contacts');
  await telemetry.close(5_000);
  expect(pointsOf(collector, 'migrate_v2_deprecated_calls_total')).toContainEqual([
    expect.objectContaining({ endpoint: 'GET /v1/contacts', outcome: 'translated' }),
    3,
  ]);
  const [[, histogram] = []] = pointsOf(collector, 'migrate_v2_call_duration_seconds');
  expect(histogram).toMatchObject({ count: 3, bucketCounts: expect.any(Array), explicitBounds: expect.any(Array) });
  const { bucketCounts = [], explicitBounds = [] } = histogram as { bucketCounts?: number[]; explicitBounds?: number[] };
  expect(bucketCounts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
  const shown = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  const names = [...shown.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name);
  expect([...collector.metrics.keys()].toSorted()).toEqual(names.toSorted());
});

describe('a collector that takes nothing', () => {
  test('keeps no call waiting; what is lost is counted, and told once', async () => {
    const collector = await startCollector();
    collector.status = 400;
    const { proxy, telemetry, log } = await startTelling(collector, { batch: 1, room: 4 });
    for (let i = 0; i < 9; i++) await ask(proxy, '/v1/contacts');
    await telemetry.close(5_000);
    const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
    expect(metrics).toContain('migrate_v2_telemetry_dropped_events_total 9');
    expect(metrics).toMatch(/migrate_v2_telemetry_failures_total\{signal="events"\} [1-9]/);
    expect(metrics).toContain('migrate_v2_telemetry_failures_total{signal="metrics"} 1');
    expect(log.of('telemetry_fails')).toMatchObject([
      { level: 40, msg: 'Events about deprecated use do not get to the collector: it answered with 400' },
    ]);
    expect(log.of('telemetry_lost')).toMatchObject([{ dropped: 9 }]);
  });

  test('gets what fits into a bounded list, and not more', async () => {
    const taken = Promise.withResolvers<void>();
    const sent: number[] = [];
    const log = new LogLines();
    const exporters = {
      events: async (events: readonly unknown[]) => {
        sent.push(events.length);
        await taken.promise;
      },
      metrics: async () => undefined,
      close: async () => undefined,
    };
    const telemetry = new Telemetry({ exporters, logger: log.logger, interval: 60_000, room: 10, batch: 4 });
    for (let i = 0; i < 25; i++) telemetry.add({} as never, {} as never);
    expect(log.of('telemetry_fails')).toMatchObject([{ dropped: 1 }]);
    taken.resolve();
    await telemetry.close(5_000);
    expect(sent).toEqual([4, 4, 2]);
    expect(log.of('telemetry_lost')).toMatchObject([{ dropped: 15 }]);
  });

  test('does not keep the proxy from ending', async () => {
    const log = new LogLines();
    const never = new Promise<void>(() => undefined);
    const exporters = { events: () => never, metrics: () => never, close: () => never };
    const telemetry = new Telemetry({ exporters, logger: log.logger, interval: 60_000, batch: 1 });
    telemetry.add({} as never, {} as never);
    telemetry.add({} as never, {} as never);
    await telemetry.close(1);
    telemetry.add({} as never, {} as never);
    expect(log.of('telemetry_lost')).toHaveLength(1);
  });
});
