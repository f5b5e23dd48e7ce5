/** An index by what has to be evaluated first, where evaluating may come back to the index. */

/** What an item stands under, and whether that is the last word: an answer may be asked for just now, or cut. */
export interface Keys<Key> {
  readonly keys: readonly Key[];
  readonly isFinal: boolean;
}

interface Ranked<Item> {
  readonly item: Item;
  readonly rank: number;
}

export class ResolvedIndex<Item, Key> {
  readonly #keysOf: (item: Item) => Keys<Key>;
  readonly #resolved = new Map<Key, Ranked<Item>[]>();
  readonly #open: Set<Ranked<Item>>;
  #isResolving = false;

  constructor(items: readonly Item[], keysOf: (item: Item) => Keys<Key>) {
    this.#keysOf = keysOf;
    this.#open = new Set(items.map((item, rank) => ({ item, rank })));
  }

  /** @returns the items under a key in their order, each of which is evaluated once in all */
  under(key: Key): readonly Item[] {
    this.#resolve();
    const asked = [...this.#open].filter(({ item }) => this.#keysOf(item).keys.includes(key));
    const resolved = this.#resolved.get(key) ?? [];
    return [...resolved, ...asked].toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
  }

  #resolve(): void {
    if (this.#isResolving || this.#open.size === 0) return;
    this.#isResolving = true;
    try {
      for (const ranked of this.#open) {
        const { keys, isFinal } = this.#keysOf(ranked.item);
        if (!isFinal) continue;
        this.#open.delete(ranked);
        for (const key of new Set(keys)) {
          const all = this.#resolved.get(key);
          if (all === undefined) this.#resolved.set(key, [ranked]);
          else all.push(ranked);
        }
      }
    } finally {
      this.#isResolving = false;
    }
  }
}
