/** The metrics of a proxy that has all of them, as docs/operations.md lists them. */
import { createProxy } from '../../proxy/handler.ts';
import { connectionMetrics } from '../../proxy/metrics/connections.ts';
import { recordMetrics } from '../../proxy/metrics/record.ts';
import { rulesOf } from '../proxy/rollout/road.ts';
import { proxyOptions } from '../helpers/proxy.ts';
import { code, table } from './tables.ts';

export function metrics(): string {
  const nowhere = 'http://127.0.0.1:9';
  const options = { metricsClients: 1, v1Base: nowhere, rollout: rulesOf({}) };
  const { registry } = createProxy(proxyOptions(nowhere, options)).context.recorder.metrics;
  connectionMetrics(registry, { open: () => 0, limit: 0 });
  recordMetrics(registry, () => {
    throw new Error('Nothing is collected here');
  });
  // Its declared type has no labels.
  const all: readonly { readonly name: string; readonly help: string; readonly labelNames?: readonly string[] }[] =
    registry.getMetricsAsArray();
  const rows = all.map(({ name, help, labelNames = [] }) => [code(name), labelNames.map(code).join(', ') || '–', help]);
  return table(['Metric', 'Labels', 'What it says'], rows);
}
