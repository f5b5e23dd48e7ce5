/** An entry of a workspace. */
export interface JournalEntry<T> {
  readonly workspaceId: string;
  readonly entry: T;
}

interface Place<T> {
  readonly workspaceId: string;
  /** Absent until it is written. */
  entry?: T;
}

/** What happened in all workspaces, in order; bounded. */
export class Journal<T> {
  readonly #max: number;
  readonly #places: Place<T>[];

  /** @param max how many entries are kept at most; the oldest go first */
  constructor(max: number, entries: readonly JournalEntry<T>[]) {
    this.#max = max;
    this.#places = structuredClone(entries.slice(-max));
  }

  /**
   * Takes the next place, for what has begun and is not over: the order is that of the beginnings, however long each thing takes.
   * @returns writes the entry into that place
   */
  reserve(workspaceId: string): (entry: T) => void {
    const place: Place<T> = { workspaceId };
    this.#places.push(place);
    if (this.#places.length > this.#max) this.#places.shift();
    return (entry) => {
      place.entry = entry;
    };
  }

  /** The entries of one workspace, the oldest first. */
  of(workspaceId: string): readonly T[] {
    return this.#written().flatMap((place) => (place.workspaceId === workspaceId ? [place.entry] : []));
  }

  state(): readonly JournalEntry<T>[] {
    return structuredClone(this.#written());
  }

  #written(): JournalEntry<T>[] {
    return this.#places.flatMap(({ workspaceId, entry }) => (entry === undefined ? [] : [{ workspaceId, entry }]));
  }
}
