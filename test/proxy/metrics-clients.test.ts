import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { ClientMetrics } from '../../proxy/metrics/clients.ts';
import { dayInMs } from '../../src/contract/times.ts';

/** Metrics of clients with a clock, and the samples they show. */
function metricsOf(most: number) {
  const registry = new Registry();
  const clock = { now: 0 };
  const metrics = new ClientMetrics(registry, most, () => clock.now);
  const call = (key: string, times = 1): void => {
    for (let i = 0; i < times; i++) metrics.call(key, 'axios/1.7.0', 'axios/1.7.0', `workspace of ${key}`, clock.now);
  };
  const samples = async (name: string) => (await registry.getMetricsAsJSON()).find((metric) => metric.name === name)?.values ?? [];
  const calls = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await samples('migrate_v2_client_calls_total')).map(({ labels, value }) => [String(labels['key']), value]));
  const active = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await samples('migrate_v2_active_clients')).map(({ labels, value }) => [String(labels['window']), value]));
  return { clock, call, calls, active };
}

test('no client is named unless it is asked for', async () => {
  const { call, calls } = metricsOf(0);
  call('a');
  expect(await calls()).toEqual({});
});

test('the busiest get a series of their own, and all others one together', async () => {
  const { call, calls } = metricsOf(2);
  call('a', 5);
  call('b', 3);
  call('c', 1);
  await calls();
  call('a', 2);
  call('b', 1);
  call('c', 4);
  // What was called before a client had its series stays with the others: no counter goes back.
  expect(await calls()).toEqual({ a: 2, b: 1, _other: 13 });
});

test('a client that has a series keeps it, however quiet it gets', async () => {
  const { clock, call, calls } = metricsOf(1);
  call('a', 2);
  await calls();
  clock.now += 2 * dayInMs;
  call('b', 100);
  expect(await calls()).toEqual({ a: 0, _other: 102 });
});

test('clients are active as long as a window holds their last call', async () => {
  const { clock, call, active } = metricsOf(0);
  call('a');
  clock.now += 600_000;
  call('b');
  expect(await active()).toEqual({ '5m': 1, '1h': 2, '24h': 2 });
  clock.now += dayInMs;
  expect(await active()).toEqual({ '5m': 0, '1h': 0, '24h': 1 });
});

test('more clients than are remembered add no series and no memory', async () => {
  const { call, calls, active } = metricsOf(1);
  for (let i = 0; i < 10_001; i++) call(`key ${i}`);
  expect((await active())['24h']).toBe(10_000);
  expect((await calls())['_other']).toBe(10_001);
});
