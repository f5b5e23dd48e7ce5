export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** Entries on a page. */
  readonly limit: number;
}

/** One page of a list, newest first. */
export interface Page<T> extends PageRequest {
  readonly entries: readonly T[];
  /** How many entries there are on all pages. */
  readonly total: number;
}

/** One of so many places may be taken by what is gone. */
const sparse = 64;

/** Records by id, and in the order in which they were made. */
export class Records<T> {
  readonly #byId = new Map<string, T>();
  // Apart from the map, so that a page is cut from the end without walking everything before it.
  readonly #inOrder: T[] = [];
  /** Where the order begins: to move all others each time the oldest goes would take long. */
  #first = 0;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** All records in the order in which they were made. */
  all(): readonly T[] {
    return this.#inOrder.slice(this.#first);
  }

  /** Adds a record under an id that is not in use. */
  add(id: string, record: T): void {
    this.#byId.set(id, record);
    this.#inOrder.push(record);
  }

  delete(id: string): void {
    const record = this.#byId.get(id);
    if (record === undefined) return;
    this.#byId.delete(id);
    if (this.#inOrder[this.#first] === record) this.#first++;
    else this.#inOrder.splice(this.#inOrder.indexOf(record, this.#first), 1);
    if (this.#first * sparse < this.#inOrder.length) return;
    this.#inOrder.splice(0, this.#first);
    this.#first = 0;
  }

  /**
   * One page of the records, newest first.
   * @param matches says which records are listed; all where absent
   */
  newestFirst({ page, limit }: PageRequest, matches?: (record: T) => boolean): Page<T> {
    const listed = matches === undefined ? this.#inOrder : this.all().filter(matches);
    const start = matches === undefined ? this.#first : 0;
    const end = Math.max(0, listed.length - (page - 1) * limit);
    return { entries: listed.slice(Math.max(start, end - limit), end).toReversed(), page, limit, total: listed.length - start };
  }
}
