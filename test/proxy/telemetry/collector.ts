/**
 * A collector that takes OTLP over HTTP as JSON, and nothing else: what it is sent is held to the public definition of the protocol, field by field
 * (opentelemetry-proto 1.x, in the JSON mapping of protobuf: names in camelCase, integers of 64 bits as texts, enums as numbers).
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const int64 = z.union([z.string().regex(/^-?\d+$/), z.int()]);
const nano = z.string().regex(/^\d{19}$/);
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value })).default([]);
const scope = z.strictObject({
  name: z.string(),
  version: z.string().optional(),
  attributes: attributes.optional(),
  droppedAttributesCount: z.int().optional(),
});
const resource = z.strictObject({ attributes, droppedAttributesCount: z.int().default(0) });

const logRecord = z.strictObject({
  timeUnixNano: nano,
  observedTimeUnixNano: nano,
  severityNumber: z.int().min(1).max(24),
  severityText: z.string().optional(),
  body: z.strictObject({}).optional(),
  attributes,
  droppedAttributesCount: z.int().default(0),
  flags: z.int().optional(),
  eventName: z.string(),
});
const logs = z.strictObject({
  resourceLogs: z.array(
    z.strictObject({
      resource,
      scopeLogs: z.array(z.strictObject({ scope, logRecords: z.array(logRecord), schemaUrl: z.string().optional() })),
      schemaUrl: z.string().optional(),
    }),
  ),
});

const times = { startTimeUnixNano: nano, timeUnixNano: nano, attributes };
const numberPoint = z.union([z.strictObject({ ...times, asDouble: z.number() }), z.strictObject({ ...times, asInt: int64 })]);
const histogramPoint = z.strictObject({
  ...times,
  count: int64,
  sum: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  bucketCounts: z.array(int64),
  explicitBounds: z.array(z.number()),
});
const cumulative = z.literal(2);
const named = { name: z.string(), description: z.string(), unit: z.string() };
const metric = z.union([
  z.strictObject({
    ...named,
    sum: z.strictObject({ dataPoints: z.array(numberPoint), aggregationTemporality: cumulative, isMonotonic: z.boolean() }),
  }),
  z.strictObject({ ...named, gauge: z.strictObject({ dataPoints: z.array(numberPoint) }) }),
  z.strictObject({ ...named, histogram: z.strictObject({ dataPoints: z.array(histogramPoint), aggregationTemporality: cumulative }) }),
]);
const metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric), schemaUrl: z.string().optional() })),
      schemaUrl: z.string().optional(),
    }),
  ),
});

type Attributes = z.infer<typeof attributes>;
const plain = (list: Attributes): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value: held }) => [key, Object.values(held)[0]]));

export interface CollectedEvent {
  readonly name: string;
  readonly time: bigint;
  readonly resource: Record<string, unknown>;
  readonly attributes: Record<string, unknown>;
}

export interface Collector {
  readonly url: string;
  /** Everything that was sent, as it came. */
  readonly raw: string[];
  readonly headers: IncomingHttpHeaders[];
  readonly events: CollectedEvent[];
  /** The last of each metric, by its name. */
  readonly metrics: Map<string, z.infer<typeof metric>>;
  /** What it says instead of taking anything. */
  status: number | undefined;
  /** Resolves once it has got so many events, or exports of metrics. */
  until(isEnough: (collector: Collector) => boolean): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const waiting = new Set<() => void>();
  const faults: unknown[] = [];
  const server = createServer(async (req, res) => {
    const chunks = await req.toArray();
    const bytes = Buffer.concat(chunks);
    const body = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    try {
      if (collector.status !== undefined) return void res.writeHead(collector.status).end('{}');
      collector.raw.push(body);
      collector.headers.push(req.headers);
      if (req.method !== 'POST' || req.headers['content-type'] !== 'application/json') throw new Error('is no OTLP in JSON');
      if (req.url === '/v1/logs') takeLogs(collector, logs.parse(JSON.parse(body)));
      else if (req.url === '/v1/metrics') takeMetrics(collector, metrics.parse(JSON.parse(body)));
      else throw new Error(`no signal at ${req.url}`);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    } catch (error) {
      faults.push(error);
      res.writeHead(400).end('{}');
    } finally {
      for (const look of waiting) look();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    if (faults.length > 0) throw new AggregateError(faults, String(faults[0]));
  });
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    raw: [],
    headers: [],
    events: [],
    metrics: new Map(),
    status: undefined,
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (faults.length > 0) reject(faults[0] as Error);
          if (!isEnough(collector)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
  return collector;
}

function takeLogs({ events }: Collector, { resourceLogs }: z.infer<typeof logs>): void {
  for (const { resource: of, scopeLogs } of resourceLogs)
    for (const { logRecords } of scopeLogs)
      for (const { eventName, timeUnixNano, attributes: list } of logRecords)
        events.push({ name: eventName, time: BigInt(timeUnixNano), resource: plain(of.attributes), attributes: plain(list) });
}

function takeMetrics(collector: Collector, { resourceMetrics }: z.infer<typeof metrics>): void {
  for (const { scopeMetrics } of resourceMetrics)
    for (const { metrics: list } of scopeMetrics) for (const each of list) collector.metrics.set(each.name, each);
}

/** The points of a metric: their labels and values. */
export function pointsOf(collector: Collector, name: string): [labels: Record<string, unknown>, value: unknown][] {
  const found = collector.metrics.get(name);
  if (found === undefined) return [];
  const points = 'sum' in found ? found.sum.dataPoints : 'gauge' in found ? found.gauge.dataPoints : found.histogram.dataPoints;
  return points.map((point) => [
    plain(point.attributes),
    'asDouble' in point ? point.asDouble : 'asInt' in point ? Number(point.asInt) : point,
  ]);
}
