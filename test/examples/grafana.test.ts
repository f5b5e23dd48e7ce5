import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { dayInMs } from '../../src/contract/times.ts';
import { StoreError } from '../../src/usage/store/error.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { projectRoot } from '../helpers/build.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { openWriterHere } from '../helpers/writer-here.ts';

const read = (name: string): Promise<string> => readFile(join(projectRoot, 'examples/grafana', name), 'utf8');
const dashboard = z
  .object({
    title: z.string(),
    panels: z.array(z.object({ id: z.number(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })),
  })
  .parse(JSON.parse(await read('dashboard.json')));
const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string(), description: z.string() }) }),
        ),
      }),
    ),
  })
  .parse(parse(await read('alerts.yaml')));

const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
  ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ title: alert, expr }))),
];

/** What Grafana puts in the place of its variables before the expression is PromQL. */
const filled = (expr: string): string => expr.replace(/\$__(?:rate_interval|range)/g, '5m').replaceAll('$job', '.*');

interface Named {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly errors: readonly string[];
}

function namesOf(expr: string): Named {
  const text = filled(expr);
  const found: Record<string, string[]> = {};
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      (found[type.isError ? 'error' : type.name] ??= []).push(text.slice(from, to));
    },
  });
  const { Identifier: metrics = [], LabelName: labels = [], error: errors = [] } = found;
  return { metrics, labels, errors };
}

/** Metric names and their labels, as a proxy with every metric shows them. */
const real = new Map<string, ReadonlySet<string>>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-v2-grafana-'));
  const store = openWriterHere(join(folder, 'usage.db'));
  // One write fails, so that the metric of failures has a series.
  const failing = {
    hashSecret: store.hashSecret,
    write: () => Promise.reject(new StoreError('STORE_LOCKED', 'for this test')),
    maintain: () => Promise.resolve(),
    note: () => Promise.resolve(),
    steps: () => Promise.resolve([]),
    close: () => store.close(),
  };
  const usage = new UsageRecorder({ writer: failing, replica: 'proxy', keepDays: dayInMs });
  await using v2 = await startRecordingUpstream();
  await using proxy = await startTestProxy(v2.url, { usage, metricsClients: 1 });
  await (await fetch(`${proxy.url}/v1/contacts`, { headers: { 'x-api-key': 'ak_live_0123456789' } })).text();
  await proxy.log.waitFor('deprecated_use');
  await usage.close(200);
  const text = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const names = [...labels.matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label);
    real.set(name, new Set([...(real.get(name) ?? []), ...names]));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Labels that Prometheus adds to every series. */
const added = ['job', 'instance'];

describe.each(expressions)('$title', ({ expr }) => {
  test('is PromQL', () => {
    expect(namesOf(expr).errors).toEqual([]);
  });

  test('asks for metrics that the proxy has, by labels that they have', () => {
    const { metrics, labels } = namesOf(expr);
    expect(metrics).not.toEqual([]);
    expect([...real.keys()]).toEqual(expect.arrayContaining(metrics.map(String)));
    const known = [...added, ...metrics.flatMap((name) => [...(real.get(name) ?? [])])];
    expect(known).toEqual(expect.arrayContaining([...labels]));
  });
});

test('an expression that is none, or asks for what is not there, would be seen', () => {
  expect(namesOf('sum(rate(x[5m])').errors).not.toEqual([]);
  expect(namesOf('sum by (client) (migrate_v2_nothing{status="1"})')).toEqual({
    metrics: ['migrate_v2_nothing'],
    labels: ['client', 'status'],
    errors: [],
  });
});

test('every metric of the record stands in the dashboard or the alerts', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => namesOf(expr).metrics));
  const ofRecord = [...real.keys()].filter(
    (name) => name.startsWith('migrate_v2_usage_') && !name.endsWith('last_write_timestamp_seconds'),
  );
  expect([...shown]).toEqual(expect.arrayContaining(ofRecord));
});

test('panels have ids of their own', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});
