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
  readonly #keysOf: (item: Item) => Keys<Key> | undefined;
  readonly #resolved = new Map<Key, Ranked<Item>[]>();
  readonly #open: Set<Ranked<Item>>;
  #isResolving = false;

  /** @param keysOf undefined where nothing is found out any more for who asks: the others are not looked at either */
  constructor(items: readonly Item[], keysOf: (item: Item) => Keys<Key> | undefined) {
    this.#keysOf = keysOf;
    this.#open = new Set(items.map((item, rank) => ({ item, rank })));
  }

  /** @returns the items under a key in their order, each of which is evaluated once in all */
  under(key: Key): readonly Item[] {
    const isFirst = !this.#isResolving;
    const asked: Ranked<Item>[] = [];
    this.#isResolving = true;
    try {
      for (const ranked of this.#open) {
        const found = this.#keysOf(ranked.item);
        if (found === undefined) break;
        // Whoever is asked on the way to another leaves it open: it may not be known to its end yet.
        if (isFirst && found.isFinal) this.#settle(ranked, found.keys);
        else if (found.keys.includes(key)) asked.push(ranked);
      }
    } finally {
      if (isFirst) this.#isResolving = false;
    }
    const resolved = this.#resolved.get(key) ?? [];
    return [...resolved, ...asked].toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
  }

  #settle(ranked: Ranked<Item>, keys: readonly Key[]): void {
    this.#open.delete(ranked);
    for (const key of new Set(keys)) {
      const all = this.#resolved.get(key);
      if (all === undefined) this.#resolved.set(key, [ranked]);
      else all.push(ranked);
    }
  }
}
