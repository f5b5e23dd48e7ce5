import { hash } from 'node:crypto';

/** Makes the next id of a kind: `con` gives `con_…`. */
export type NextId = (kind: string) => string;

/** Plain JSON. */
export interface IdsState {
  readonly seed: string;
  /** How many were given out, by their kinds. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Ids from a seed and one counter per kind: the same seed and the same calls give the same ids, and ids of one kind
 * do not depend on how many of another were made.
 */
export class Ids {
  readonly seed: string;
  readonly #counts: Map<string, number>;

  /** @param state two sandboxes with one seed, which is any text, give out the same ids and keys */
  constructor({ seed, counts }: IdsState) {
    this.seed = seed;
    this.#counts = new Map(Object.entries(counts));
  }

  readonly next: NextId = (kind) => {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}_${hash('sha256', `${this.seed}/${kind}/${count}`).slice(0, 24)}`;
  };

  state(): IdsState {
    return { seed: this.seed, counts: Object.fromEntries(this.#counts) };
  }
}
