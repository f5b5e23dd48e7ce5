/** The part that each of several workers has of what a proxy may have in all. */
import type { Rollout } from '../../rollout/rules.ts';
import type { PlainOptions } from './duties.ts';

/** Never more in all than is allowed, unless that is less than one for each. */
const part = (all: number, workers: number): number => Math.max(1, Math.floor(all / workers));

/** Options of one of so many workers. */
export function partOf(options: PlainOptions, workers: number): PlainOptions {
  const { connections, queue, maxConnections, maxConnectionsPerAddress, replicas = [] } = options;
  return {
    ...options,
    connections: part(connections, workers),
    queue: Math.floor(queue / workers),
    maxConnections: maxConnections && part(maxConnections, workers),
    // Connections are dealt in turn to all workers, those of one address less evenly.
    maxConnectionsPerAddress: maxConnectionsPerAddress && Math.ceil(maxConnectionsPerAddress / workers),
    // To the store of the hourly budget each worker is a replica.
    replicas: Array.from({ length: workers }, (_, index) =>
      (replicas.length === 0 ? [''] : replicas).map((name) => `${name} ${index + 1}`),
    ).flat(),
  };
}

/** The rules, with the part of one of so many workers in what is compared at once. */
export function rolloutPartOf(rollout: Rollout, workers: number): Rollout {
  return { ...rollout, compare: { ...rollout.compare, concurrency: part(rollout.compare.concurrency, workers) } };
}
