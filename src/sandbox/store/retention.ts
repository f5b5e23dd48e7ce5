/** How much the store remembers: bounded, so that it can serve for long. */
import { kibOf } from '../values/kib.ts';
import type { Stored } from './stored.ts';
import type { Workspace } from './workspace.ts';

type AnyRecord = Stored['record'];

interface Held {
  readonly stored: Stored;
  cost: number;
}

/** A record counts once for every KiB begun of its JSON: a message may be 10 MB. */
const costOf = (record: AnyRecord): number => kibOf(JSON.stringify(record));

/** Records in the order in which they came. To take the oldest takes no longer the more there are. */
class Queue extends Map<AnyRecord, Held> {
  // Kept from one call to the next: a new one would walk over the places of all that is gone.
  #walk = this.values();
  #oldest: Held | undefined;

  /** The oldest but this one. */
  oldestBut(record: AnyRecord): Held | undefined {
    if (this.#oldest === undefined || !this.has(this.#oldest.stored.record)) this.#oldest = this.#next();
    if (this.#oldest?.stored.record !== record) return this.#oldest;
    const [, second] = this.values();
    return second;
  }

  #next(): Held | undefined {
    const { value } = this.#walk.next();
    if (value !== undefined) return value;
    // It has come to its end, for good.
    this.#walk = this.values();
    return this.#walk.next().value;
  }
}

/** Counts the records of all workspaces, and says which ones go when there are too many. */
export class Retention {
  readonly #max: number;
  #total = 0;
  readonly #messages = new Queue();
  readonly #others = new Map<Workspace, Queue>();

  /** @param max how many records are kept, of 1 KiB each */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a record from now on.
   * @returns what is not counted any more: the oldest messages, whosever they are; without any, the oldest other records of the
   *   workspace, and then of the others. The record itself stays, so that whoever made it finds it, however large it is
   */
  add(stored: Stored): Stored[] {
    const cost = costOf(stored.record);
    this.#queueOf(stored).set(stored.record, { stored, cost });
    this.#total += cost;
    return this.#overflow(stored);
  }

  /** Counts a record that has changed anew. @returns as `add` */
  resize(stored: Stored): Stored[] {
    const held = this.#queueOf(stored).get(stored.record);
    if (held === undefined) return [];
    const before = held.cost;
    held.cost = costOf(stored.record);
    this.#total += held.cost - before;
    return this.#overflow(stored);
  }

  delete(stored: Stored): void {
    const queue = this.#queueOf(stored);
    this.#total -= queue.get(stored.record)?.cost ?? 0;
    queue.delete(stored.record);
  }

  /** The messages of all workspaces in the order in which they came; then the other records, in that order within each workspace. */
  all(): Stored[] {
    return [this.#messages, ...this.#others.values()].flatMap((queue) => [...queue.values()].map(({ stored }) => stored));
  }

  #queueOf({ kind, workspace }: Stored): Queue {
    if (kind === 'message') return this.#messages;
    const known = this.#others.get(workspace);
    if (known !== undefined) return known;
    const fresh = new Queue();
    this.#others.set(workspace, fresh);
    return fresh;
  }

  #overflow(newest: Stored): Stored[] {
    const gone: Stored[] = [];
    while (this.#total > this.#max) {
      const oldest = this.#oldestBut(newest);
      if (oldest === undefined) break;
      this.delete(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  #oldestBut({ workspace, record }: Stored): Stored | undefined {
    const own = this.#others.get(workspace);
    const queues = [this.#messages, ...(own === undefined ? [] : [own]), ...this.#others.values()];
    for (const queue of queues) {
      const held = queue.oldestBut(record);
      if (held !== undefined) return held.stored;
    }
    return undefined;
  }
}
