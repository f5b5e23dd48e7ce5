import { kibOf } from '../values/kib.ts';

/** An entry of a workspace. */
export interface JournalEntry<T> {
  readonly workspaceId: string;
  readonly entry: T;
}

/** What happened in all workspaces, in order; bounded. Entries do not change once they are written: one that is amended is another one in its place. */
export class Journal<T extends { readonly id: string }> {
  readonly #max: number;
  readonly #entries: (JournalEntry<T> & { readonly cost: number })[] = [];
  #total = 0;

  /** @param max how many entries are kept, each counted once for every KiB begun of what it holds; the oldest go first */
  constructor(max: number, entries: readonly JournalEntry<T>[]) {
    this.#max = max;
    for (const { workspaceId, entry } of structuredClone(entries)) this.add(workspaceId, entry);
  }

  add(workspaceId: string, entry: T): void {
    const cost = costOf(entry);
    this.#entries.push({ workspaceId, entry, cost });
    this.#grow(cost);
  }

  /** Puts what `change` makes of an entry in its place; nothing happens where that has gone to make room. */
  amend(id: string, change: (entry: T) => T): void {
    const index = this.#entries.findLastIndex(({ entry }) => entry.id === id);
    const before = this.#entries[index];
    if (before === undefined) return;
    const entry = change(before.entry);
    const cost = costOf(entry);
    this.#entries[index] = { ...before, entry, cost };
    this.#grow(cost - before.cost);
  }

  /** The entries of one workspace, the oldest first. */
  of(workspaceId: string): readonly T[] {
    return this.#entries.flatMap((one) => (one.workspaceId === workspaceId ? [one.entry] : []));
  }

  state(): readonly JournalEntry<T>[] {
    return this.#entries.map(({ workspaceId, entry }) => ({ workspaceId, entry }));
  }

  #grow(cost: number): void {
    this.#total += cost;
    while (this.#total > this.#max) this.#total -= this.#entries.shift()?.cost ?? 0;
  }
}

const costOf = (entry: object): number => kibOf(JSON.stringify(entry));
