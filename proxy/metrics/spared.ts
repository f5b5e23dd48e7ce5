/** Calls that v2 was spared, because another one asked the same. */
import { Counter, type Registry } from 'prom-client';
import { type V1EndpointId, labelOf, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Spared } from '../reuse/reuse.ts';

/** @returns what counts one */
export function sparedMetrics(registry: Registry): (endpoint: V1EndpointId, how: Spared) => void {
  const spared = new Counter({
    name: 'migrate_v2_spared_calls_total',
    help: 'v1 calls that were answered without asking v2 for them: with the answer to a call in flight, or with a stored one',
    labelNames: ['endpoint', 'how'],
    registers: [registry],
  });
  return (endpoint, how) => spared.inc({ endpoint: labelOf(v1Endpoints[endpoint]), how });
}
