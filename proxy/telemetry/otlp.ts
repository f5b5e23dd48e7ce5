/**
 * OpenTelemetry's own exporters for OTLP over HTTP. Their packages are optional: they are loaded here alone, and by names that no compiler looks up, so
 * that whoever has not installed them can load and compile all else.
 */
import { type LogRecord, logRecordOf } from './event.ts';
import { type MetricData, metricsOf } from './metrics.ts';
import type { Exporters } from './telemetry.ts';

export interface CollectorOptions {
  /** Base address of the collector; what the standard variables of the environment say where it is not given. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The name of the proxy in the record. */
  readonly replica: string;
  readonly version: string;
}

interface Result {
  /** 0 where the collector has taken it. */
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void;
  shutdown(): Promise<void>;
}

interface ExporterOptions {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMillis: number;
}

interface Resource {
  merge(other: Resource): Resource;
}

interface ResourceMetrics {
  readonly resource: Resource;
  readonly scopeMetrics: readonly {
    readonly scope: { readonly name: string; readonly version: string };
    readonly metrics: readonly MetricData[];
  }[];
}

/** What is used of each package. */
interface Packages {
  'exporter-logs-otlp-http': { OTLPLogExporter: new (options: ExporterOptions) => Exporter<readonly LogRecord[]> };
  'exporter-metrics-otlp-http': { OTLPMetricExporter: new (options: ExporterOptions) => Exporter<ResourceMetrics> };
  resources: {
    resourceFromAttributes(attributes: Readonly<Record<string, string>>): Resource;
    detectResources(options: { readonly detectors: readonly unknown[] }): Resource;
    readonly envDetector: unknown;
  };
}

const load = async <Name extends keyof Packages>(name: Name): Promise<Packages[Name]> => import(`@opentelemetry/${name}`);

/** How long a collector may take, with everything that is tried again, in milliseconds. */
const timeoutMillis = 5_000;

/** @throws ERR_MODULE_NOT_FOUND where the packages are not installed */
export async function otlpExporters({ endpoint, headers, replica, version }: CollectorOptions): Promise<Exporters> {
  const [{ OTLPLogExporter }, { OTLPMetricExporter }, { detectResources, envDetector, resourceFromAttributes }] = await Promise.all([
    load('exporter-logs-otlp-http'),
    load('exporter-metrics-otlp-http'),
    load('resources'),
  ]);
  const shared = { timeoutMillis, ...(headers === undefined ? {} : { headers }) };
  const at = (signal: string) => (endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}` });
  const logs = new OTLPLogExporter({ ...shared, ...at('logs') });
  const metrics = new OTLPMetricExporter({ ...shared, ...at('metrics') });
  const own = { 'service.name': 'migrate-v2', 'service.version': version, 'service.instance.id': replica };
  const resource = resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }));
  const scope = { name: 'migrate-v2', version };
  const since = Date.now();
  return {
    events: (events) => {
      const records = events.map((event) => logRecordOf(event, { resource, instrumentationScope: scope }));
      return sent((done) => logs.export(records, done));
    },
    metrics: async (registry) => {
      const collected = await metricsOf(registry, since, Date.now());
      await sent((done) => metrics.export({ resource, scopeMetrics: [{ scope, metrics: collected }] }, done));
    },
    close: async () => {
      await Promise.all([logs.shutdown(), metrics.shutdown()]);
    },
  };
}

function sent(send: (done: (result: Result) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    send(({ code, error }) => (code === 0 ? resolve() : reject(error ?? new Error('The export failed'))));
  });
}
