import { hash } from 'node:crypto';

/** Makes the next id of a kind: `con` gives `con_…`. */
export type NextId = (kind: string) => string;

/**
 * Ids from a seed and one counter per kind: the same seed and the same calls give the same ids, and ids of one kind
 * do not depend on how many of another were made.
 * @param seed any text; two sandboxes with one seed give out the same ids and keys
 */
export function createIds(seed: string): NextId {
  const counters = new Map<string, number>();
  return (kind) => {
    const count = (counters.get(kind) ?? 0) + 1;
    counters.set(kind, count);
    return `${kind}_${hash('sha256', `${seed}/${kind}/${count}`).slice(0, 24)}`;
  };
}
