/** The connections of clients, as metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** Why a connection was refused: all that there may be were open, or all that one address may have. */
export type RefusalReason = 'total' | 'address';

const reasons: readonly RefusalReason[] = ['total', 'address'];

/** @returns counts a refused connection */
export function connectionMetrics(
  registry: Registry,
  { open, limit }: { readonly open: () => number; readonly limit: number },
): (reason: RefusalReason) => void {
  const registers = [registry];
  const gauge: Gauge = new Gauge({
    name: 'migrate_v2_client_connections',
    help: 'Connections that clients have open',
    registers,
    collect: () => gauge.set(open()),
  });
  new Gauge({ name: 'migrate_v2_client_connections_limit', help: 'Connections that clients may have open', registers }).set(limit);
  const refused = new Counter({
    name: 'migrate_v2_refused_connections_total',
    help: 'Connections of clients that were closed at once, by the limit that they would have exceeded: total or address',
    labelNames: ['reason'],
    registers,
  });
  // From the first on: an increase is only seen from a value.
  for (const reason of reasons) refused.inc({ reason }, 0);
  return (reason) => refused.inc({ reason });
}
