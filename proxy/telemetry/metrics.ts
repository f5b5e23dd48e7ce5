/** The metrics of /metrics as OpenTelemetry's: under the same names, cumulative since the start. */
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { type HrTime, hrTimeOf } from './event.ts';

type Shown = MetricObjectWithValues<MetricValue<string>>;

/** The numbers that OpenTelemetry's SDK has for the kinds of a metric, for sums since the start, and for values that are no integers. */
const kinds = { histogram: 0, gauge: 2, sum: 3 } as const;
const cumulative = 1;
const double = 1;

interface DataPoint<Value> {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly value: Value;
}

interface Histogram {
  readonly buckets: { readonly boundaries: readonly number[]; readonly counts: readonly number[] };
  readonly sum: number;
  readonly count: number;
}

/** `MetricData` of OpenTelemetry's SDK, as far as it is needed. */
export type MetricData = {
  readonly descriptor: { readonly name: string; readonly description: string; readonly unit: string; readonly valueType: number };
  readonly aggregationTemporality: number;
} & (
  | { readonly dataPointType: typeof kinds.sum; readonly isMonotonic: boolean; readonly dataPoints: readonly DataPoint<number>[] }
  | { readonly dataPointType: typeof kinds.gauge; readonly dataPoints: readonly DataPoint<number>[] }
  | { readonly dataPointType: typeof kinds.histogram; readonly dataPoints: readonly DataPoint<Histogram>[] }
);

/** @param since when the counters began, epoch milliseconds; `now` the same */
export async function metricsOf(registry: Registry, since: number, now: number): Promise<MetricData[]> {
  const shown = await registry.getMetricsAsJSON();
  return shown.flatMap((metric) => metricOf(metric, { startTime: hrTimeOf(since), endTime: hrTimeOf(now) }) ?? []);
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function metricOf({ name, help, type, values }: Shown, times: Times): MetricData | undefined {
  const unit = /_seconds(?:_total)?$/.test(name) ? 's' : /_bytes(?:_total)?$/.test(name) ? 'By' : '';
  const base = {
    descriptor: { name, description: help, unit, valueType: double },
    aggregationTemporality: cumulative,
  };
  const dataPoints = values.map(({ labels, value }): DataPoint<number> => ({ ...times, attributes: { ...labels }, value }));
  switch (String(type)) {
    case 'counter':
      return { ...base, dataPointType: kinds.sum, isMonotonic: true, dataPoints };
    case 'gauge':
      return { ...base, dataPointType: kinds.gauge, dataPoints };
    case 'histogram':
      return { ...base, dataPointType: kinds.histogram, dataPoints: histogramsOf(name, values, times) };
    default:
      return undefined;
  }
}

/** Of a histogram, Prometheus has one value for each bound, which counts all below it, too, one for the sum, and one for the count. */
function histogramsOf(name: string, values: readonly MetricValue<string>[], times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...series].map(([key, parts]) => {
    const partOf = (suffix: string): number => parts.find((part) => nameOf(part) === `${name}_${suffix}`)?.value ?? 0;
    const bounds = parts
      .filter((part) => nameOf(part) === `${name}_bucket` && Number.isFinite(Number(part.labels['le'])))
      .map(({ labels, value }) => ({ bound: Number(labels['le']), below: value }))
      .toSorted((a, b) => a.bound - b.bound);
    const count = partOf('count');
    const upTo = [...bounds.map(({ below }) => below), count];
    return {
      ...times,
      attributes: JSON.parse(key) as Record<string, string>,
      value: {
        buckets: { boundaries: bounds.map(({ bound }) => bound), counts: upTo.map((below, i) => below - (upTo[i - 1] ?? 0)) },
        sum: partOf('sum'),
        count,
      },
    };
  });
}

/** The types of prom-client leave out that the values of a histogram have names. */
const nameOf = (value: object): unknown => ('metricName' in value ? value.metricName : undefined);
