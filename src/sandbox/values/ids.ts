import crypto from 'node:crypto';

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
  readonly #used: ReadonlySet<string>;

  /**
   * @param state two sandboxes with one seed, which is any text, give out the same ids and keys
   * @param used ids that are in use, and are not given out: a state that comes from a file may count fewer than there are
   */
  constructor({ seed, counts }: IdsState, used: ReadonlySet<string> = new Set()) {
    this.seed = seed;
    this.#used = used;
    this.#counts = new Map(Object.entries(counts));
  }

  readonly next: NextId = (kind) => {
    let count = this.#counts.get(kind) ?? 0;
    let id: string;
    do {
      count++;
      id = `${kind}_${crypto.hash('sha256', `${this.seed}/${kind}/${count}`).slice(0, 24)}`;
    } while (this.#used.has(id));
    this.#counts.set(kind, count);
    return id;
  };

  state(): IdsState {
    return { seed: this.seed, counts: Object.fromEntries(this.#counts) };
  }
}
