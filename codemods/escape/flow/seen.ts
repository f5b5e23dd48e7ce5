/** What a search has come to, and in which ways. */
export class Seen {
  readonly #ways = new Map<object | string, Set<string>>();

  /** Whether something was not come to before in this way: whatever follows from it then has been followed. */
  isFirst(what: object | string, way: string): boolean {
    const known = this.#ways.get(what) ?? new Set();
    this.#ways.set(what, known);
    return known.size !== known.add(way).size;
  }

  /** Whether it was come to as what holds something. */
  holds(what: object): boolean {
    return [...(this.#ways.get(what) ?? [])].some((way) => way.startsWith('within'));
  }
}
