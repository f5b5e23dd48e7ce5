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

interface Open<Item, Key> {
  readonly ranked: Ranked<Item>;
  readonly keys: readonly Key[];
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
    const open = this.#resolve() ?? Array.from(this.#open, (ranked) => ({ ranked, keys: this.#keysOf(ranked.item).keys }));
    const asked = open.flatMap(({ ranked, keys }) => (keys.includes(key) ? ranked : []));
    const resolved = this.#resolved.get(key) ?? [];
    return [...resolved, ...asked].toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
  }

  /** @returns what is not final and stands under these keys for now; undefined where it is being found out further up */
  #resolve(): readonly Open<Item, Key>[] | undefined {
    if (this.#isResolving) return undefined;
    const open: Open<Item, Key>[] = [];
    this.#isResolving = true;
    try {
      for (const ranked of this.#open) {
        const { keys, isFinal } = this.#keysOf(ranked.item);
        if (!isFinal) {
          open.push({ ranked, keys });
          continue;
        }
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
    return open;
  }
}
