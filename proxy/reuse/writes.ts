/** Writes as the replicas of a fleet tell them to each other. */
import type { Touched } from './touched.ts';

/** A write that may change what is kept. It holds no key. */
export interface Write {
  /** Of all writes of all replicas, only this one has it. */
  readonly id: string;
  /** The workspace; empty for all keys that the configuration gives none. */
  readonly group: string;
  readonly touched: Touched;
}

/** What is heard of other replicas. */
export interface Heard {
  began(write: Write): void;
  over(write: Write): void;
  /** Some may have been missed: nothing from before is used any more. */
  missed(): void;
}

/**
 * What is guaranteed: of this replica's own writes, no read that arrives once one has begun gets an answer that was asked before it was over. Of
 * other replicas' writes the same holds from when they are heard; `began` is called before the first byte goes to v2, and `over` before the last
 * one goes to the client, so that what can go wrong is as short as the way of a note, less the time that v2 takes to answer.
 */
export interface Writes {
  /** Whether other replicas are heard now; where they are not, nothing is used again, and nothing is asked together. */
  readonly hears: boolean;
  began(write: Write): void;
  over(write: Write): void;
  heard(listener: Heard): void;
}

/**
 * The writes of a proxy to which nobody brings those of others.
 * @param replicas how many there are, itself among them: as long as it is not alone, it may miss some
 */
export function unheard(replicas: () => number): Writes {
  return {
    get hears() {
      return replicas() <= 1;
    },
    began: ignore,
    over: ignore,
    heard: ignore,
  };
}

function ignore(): void {
  // Nobody is there.
}
