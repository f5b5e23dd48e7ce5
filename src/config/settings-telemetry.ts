/** What the proxy tells a collector of OpenTelemetry. */
import type { Setting } from './setting.ts';
import { collectorUrl, duration, secret } from './types.ts';

const proxy = ['proxy'] as const;

export const telemetrySettings = [
  {
    name: 'otlpEndpoint',
    commands: proxy,
    only: 'command',
    type: collectorUrl,
    otherwise: 'that of OTEL_EXPORTER_OTLP_ENDPOINT, and nothing is sent without either',
    description: 'Base address of a collector of OpenTelemetry, OTLP over HTTP: it gets all metrics, and an event for each deprecated use',
  },
  {
    name: 'otlpHeaders',
    commands: proxy,
    only: 'command',
    type: secret,
    refers: 'secret',
    otherwise: 'those of OTEL_EXPORTER_OTLP_HEADERS',
    description: 'Headers for the collector as name=value,name=value: a value, env:NAME or file:PATH',
  },
  {
    name: 'otlpInterval',
    commands: proxy,
    only: 'command',
    type: duration,
    default: '60s',
    description: 'Time between two times that the collector gets the metrics',
  },
] as const satisfies readonly Setting[];
