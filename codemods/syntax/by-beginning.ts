/** What is known of lists of objects, found by what they begin with: the next list is often one that was asked about, and an item more. */
export class ByBeginning<Known> {
  #known: Known | undefined;
  readonly #longer = new WeakMap<object, ByBeginning<Known>>();

  /** @returns what is known of as many of the first items as possible, and of how many */
  longest(items: readonly object[]): { readonly known: Known | undefined; readonly length: number } {
    let found: { known: Known | undefined; length: number } = { known: this.#known, length: 0 };
    let at: ByBeginning<Known> | undefined = this;
    for (const [index, item] of items.entries()) {
      at = at.#longer.get(item);
      if (at === undefined) break;
      if (at.#known !== undefined) found = { known: at.#known, length: index + 1 };
    }
    return found;
  }

  set(items: readonly object[], known: Known): void {
    let at: ByBeginning<Known> = this;
    for (const item of items) {
      const longer = at.#longer.get(item) ?? new ByBeginning<Known>();
      at.#longer.set(item, longer);
      at = longer;
    }
    at.#known = known;
  }
}
