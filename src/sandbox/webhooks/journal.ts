/** An entry of a workspace. */
export interface JournalEntry<T> {
  readonly workspaceId: string;
  readonly entry: T;
}

interface Place<T> {
  readonly workspaceId: string;
  /** Absent until it is written. */
  entry?: T;
  size: number;
  gone: boolean;
}

/** Bytes of JSON. An entry counts once for each begun one: it may hold an event and an answer of any length. */
const unit = 1_024;

/** What happened in all workspaces, in order; bounded. Entries do not change once they are written. */
export class Journal<T> {
  readonly #max: number;
  readonly #places: Place<T>[] = [];
  #size = 0;

  /** @param max how many entries are kept, each counted once for every KiB begun of what it holds; the oldest go first */
  constructor(max: number, entries: readonly JournalEntry<T>[]) {
    this.#max = max;
    for (const { workspaceId, entry } of structuredClone(entries)) this.reserve(workspaceId)(entry);
  }

  /**
   * Takes the next place, for what has begun and is not over: the order is that of the beginnings, however long each thing takes.
   * @returns writes the entry into that place
   */
  reserve(workspaceId: string): (entry: T) => void {
    const place: Place<T> = { workspaceId, size: 0, gone: false };
    this.#places.push(place);
    this.#resize(place, 1);
    return (entry) => {
      place.entry = entry;
      this.#resize(place, Math.ceil(Buffer.byteLength(JSON.stringify(entry)) / unit));
    };
  }

  /** The entries of one workspace, the oldest first. */
  of(workspaceId: string): readonly T[] {
    return this.state().flatMap((place) => (place.workspaceId === workspaceId ? [place.entry] : []));
  }

  state(): readonly JournalEntry<T>[] {
    return this.#places.flatMap(({ workspaceId, entry }) => (entry === undefined ? [] : [{ workspaceId, entry }]));
  }

  #resize(place: Place<T>, size: number): void {
    if (place.gone) return;
    this.#size += size - place.size;
    place.size = size;
    while (this.#size > this.#max) {
      const oldest = this.#places.shift();
      if (oldest === undefined) return;
      oldest.gone = true;
      this.#size -= oldest.size;
    }
  }
}
