/** Under which names clients appear in record, log and metrics. */
import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../proxy/options.ts';
import type { Use } from '../../src/usage/use.ts';
import { startTestProxy, startUpstream, type TestProxy } from '../helpers/proxy.ts';

const key = 'ak_live_0123456789abcdef';
const own = 'acme-crm/2.1 axios/1.7';
const shown = 'acme-crm/2.1 via axios/1.7';
const hashed = expect.stringMatching(/^other-[0-9a-f]{8}$/);

/** A v2 that knows one key, and is out of order for some paths. */
const startV2 = () =>
  startUpstream((req, res) => {
    req.resume();
    const status = req.headers.authorization !== `Bearer ${key}` ? 401 : req.url?.includes('broken') ? 503 : 200;
    res.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });

const ask = async ({ url }: TestProxy, headers: Record<string, string>, path = '/v1/contacts'): Promise<void> => {
  await (await fetch(url + path, { headers: { 'user-agent': own, ...headers } })).text();
};

/** What record, log and metrics name after calls through a proxy. */
async function namesOf(calls: (proxy: TestProxy) => Promise<void>) {
  const uses: Use[] = [];
  const usage = {
    add: (use: Use) => void uses.push(use),
    state: { backlog: 0, lost: 0, coverage: 1, failures: {} },
  } as unknown as UsageRecord;
  await using v2 = await startV2();
  await using proxy = await startTestProxy(v2.url, { usage, metricsClients: 5 });
  await calls(proxy);
  const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  await proxy.drain();
  const logged = [...proxy.log.of('deprecated_use'), ...proxy.log.of('passed_through')].map(({ client }) => client);
  const measured = [...metrics.matchAll(/^migrate_v2_client_calls_total\{.*client="([^"]*)".*\} (\d+)$/gm)].map(([, client]) => client);
  const active = /^migrate_v2_active_clients\{window="1h"\} (\d+)$/m.exec(metrics)?.[1];
  return { recorded: uses.map(({ client }) => client), logged, measured: measured.filter((client) => client !== '_other'), active };
}

describe('a client’s own name is told', () => {
  test('of a call that v2 accepts, everywhere', async () => {
    expect(await namesOf((proxy) => ask(proxy, { 'x-api-key': key }))).toEqual({
      recorded: [shown],
      logged: [shown],
      measured: [shown],
      active: '1',
    });
  });

  test('also of calls that say nothing of a key which is known to be one, and of one client alone', async () => {
    const { recorded, logged, measured, active } = await namesOf(async (proxy) => {
      await ask(proxy, { 'x-api-key': key }, '/v1/contacts?q=broken');
      await ask(proxy, { 'x-api-key': key });
      await ask(proxy, { 'x-api-key': key }, '/v1/contacts?q=broken');
      await ask(proxy, { 'x-api-key': key }, '/v1/nothing');
    });
    expect(recorded).toEqual([hashed, shown, shown, shown]);
    expect(logged).toEqual(recorded);
    expect({ measured, active }).toEqual({ measured: [shown], active: '1' });
  });
});

describe('a client’s own name is not told', () => {
  test.each<[string, Record<string, string>, string?]>([
    ['of a key that v2 refuses', { 'x-api-key': 'ak_live_another' }],
    ['without a key', {}],
    ['with two keys', { 'x-api-key': `${key}, ${key}` }],
    ['of a key that v2 has not seen', { 'x-api-key': key }, '/v1/nothing'],
    ['where it shows the key', { 'x-api-key': key, 'user-agent': `acme-${Buffer.from(key).toString('base64url').slice(0, 13)}/2.1` }],
    ['where it shows another credential', { 'x-api-key': key, authorization: 'Bearer correct-horse', 'user-agent': 'correct-horse/2.1' }],
  ])('%s', async (_name, headers, path) => {
    const { recorded, logged, measured } = await namesOf((proxy) => ask(proxy, headers, path));
    expect({ recorded, logged, measured }).toEqual({ recorded: [hashed], logged: [hashed], measured: [hashed] });
  });

  test('of a call to v2, on a path that nobody knows', async () => {
    const { logged } = await namesOf((proxy) => ask(proxy, { authorization: `Bearer ${key}` }, '/v2/nothing'));
    expect(logged).toEqual([hashed]);
  });
});
