/** What is known of a list that begins so, and the lists that go on with one item more. */
interface Beginning<Known> {
  known?: Known;
  readonly longer: WeakMap<object, Beginning<Known>>;
}

/** What is known of lists of objects, found by what they begin with: the next list is often one that was asked about, and an item more. */
export class ByBeginning<Known> {
  readonly #none: Beginning<Known> = { longer: new WeakMap() };

  /** @returns what is known of as many of the first items as possible, and of how many */
  longest(items: readonly object[]): { readonly known: Known | undefined; readonly length: number } {
    let at: Beginning<Known> | undefined = this.#none;
    let found: { known: Known | undefined; length: number } = { known: at.known, length: 0 };
    for (const [index, item] of items.entries()) {
      at = at.longer.get(item);
      if (at === undefined) break;
      if (at.known !== undefined) found = { known: at.known, length: index + 1 };
    }
    return found;
  }

  set(items: readonly object[], known: Known): void {
    let at = this.#none;
    for (const item of items) {
      const longer = at.longer.get(item) ?? { longer: new WeakMap() };
      at.longer.set(item, longer);
      at = longer;
    }
    at.known = known;
  }
}
