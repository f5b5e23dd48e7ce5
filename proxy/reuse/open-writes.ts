/** The writes that are under way, here and at other replicas: until they are over, nobody knows whether a read has seen them. */
import type { Resource } from './touched.ts';
import type { Write } from './writes.ts';

/**
 * How long a write counts as under way whose end is not known, in milliseconds: v2 may carry it out after its connection broke, and a replica may
 * be gone before it says that one is over.
 */
const unknownEnd = 60_000;

/** Beyond so many, those that are over are looked for. */
const many = 1_000;

interface Open {
  readonly write: Write;
  /** By the steady clock: over then, if nobody says so before. */
  until: number;
}

export class OpenWrites {
  readonly #groups = new Map<string, Map<string, Open>>();
  #count = 0;

  /** @param until Infinity for one whose end is going to be told */
  begin(write: Write, now: number, until = now + unknownEnd): void {
    if (this.#count >= many) this.#clean(now);
    const open = this.#groups.get(write.group) ?? new Map<string, Open>();
    this.#groups.set(write.group, open);
    if (!open.has(write.id)) this.#count++;
    open.set(write.id, { write, until });
  }

  end({ group, id }: Write): void {
    const open = this.#groups.get(group);
    if (open?.delete(id) !== true) return;
    this.#count--;
    if (open.size === 0) this.#groups.delete(group);
  }

  /** Nobody knows how it ended. */
  lose(write: Write, now: number): void {
    const open = this.#groups.get(write.group)?.get(write.id);
    if (open !== undefined) open.until = now + unknownEnd;
  }

  /** Whether one is under way that touches such a resource. */
  touches(group: string, resource: Resource, clock: () => number): boolean {
    const open = this.#groups.get(group);
    // As nearly always: this is on the way of every read.
    if (open === undefined) return false;
    const now = clock();
    let found = false;
    for (const { write, until } of open.values()) {
      if (until <= now) this.end(write);
      else found ||= write.touched.resources.includes(resource);
    }
    return found;
  }

  #clean(now: number): void {
    for (const open of this.#groups.values()) for (const { write, until } of open.values()) if (until <= now) this.end(write);
  }
}
