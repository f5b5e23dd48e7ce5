/** Answers that may be used again, within a bound of bytes and of entries: what was used least recently goes. */
import type { Resource, Touched } from './touched.ts';

/** One answer of v2, as it came. */
export interface Kept {
  /** What makes a request identical to the one it answered. */
  readonly identity: string;
  /** Whose writes end it. */
  readonly group: string;
  readonly resource: Resource;
  /** Which one it is; undefined for a list. */
  readonly item: string | undefined;
  /** Whether it shows a final state, so that only a write to its own item ends it. */
  readonly final: boolean;
  /** How long after it was asked it may be used, in milliseconds. */
  readonly lasts: number;
  /** How long v2 says that it is good, reckoned by its age; in milliseconds. */
  readonly lifetime: number;
  /** When it was asked: by the clock of the process, which never steps, and by the one on the wall. */
  readonly asked: Instant;
  /** How old it was when it was asked, as caches before said, in milliseconds. */
  readonly initialAge: number;
  /** How old it was by its Date when it came (RFC 9111 §4.2.3). */
  readonly apparentAge: number;
  readonly status: number;
  readonly statusText: string;
  readonly fields: readonly string[];
  readonly body: Buffer;
}

/** One moment by two clocks, in milliseconds. */
export interface Instant {
  readonly steady: number;
  readonly wall: number;
}

/** The time since then; of two clocks that disagree, the one that says more. Infinity where the wall's clock was set back. */
export function since({ steady, wall }: Instant, now: Instant): number {
  return now.wall < wall ? Infinity : Math.max(now.steady - steady, now.wall - wall);
}

export interface StoreBounds {
  readonly bytes: number;
  readonly entries: number;
}

/** About what an entry costs beside its texts and bytes. */
const perEntry = 600;

export class Store {
  readonly #bounds: StoreBounds;
  /** By identity; the least recently used one first. */
  readonly #kept = new Map<string, Kept>();
  readonly #groups = new Map<string, Group>();
  #bytes = 0;

  constructor(bounds: StoreBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** An answer that is not too old. */
  get(identity: string, now: Instant): Kept | undefined {
    const kept = this.#kept.get(identity);
    if (kept === undefined) return undefined;
    this.#kept.delete(identity);
    this.#kept.set(identity, kept);
    const age = since(kept.asked, now);
    // Of v2's own word, RFC 9111 says that an answer is fresh while its lifetime is greater than its age (§4.2).
    if (age + kept.initialAge <= kept.lasts && currentAge(kept, now) < kept.lifetime) return kept;
    this.#delete(kept);
    return undefined;
  }

  set(kept: Kept): void {
    const old = this.#kept.get(kept.identity);
    if (old !== undefined) this.#delete(old);
    if (costOf(kept) > this.#bounds.bytes) return;
    this.#kept.set(kept.identity, kept);
    this.#bytes += costOf(kept);
    const group = this.#groups.get(kept.group) ?? new Group();
    this.#groups.set(kept.group, group);
    group.add(kept);
    for (const least of this.#kept.values()) {
      if (this.#bytes <= this.#bounds.bytes && this.#kept.size <= this.#bounds.entries) break;
      this.#delete(least);
    }
  }

  /** Forgets what a write of a group touches. */
  drop(group: string, touched: Touched): void {
    for (const kept of this.#groups.get(group)?.touchedBy(touched) ?? []) this.#delete(kept);
  }

  clear(): void {
    this.#kept.clear();
    this.#groups.clear();
    this.#bytes = 0;
  }

  #delete(kept: Kept): void {
    this.#kept.delete(kept.identity);
    this.#bytes -= costOf(kept);
    const group = this.#groups.get(kept.group);
    group?.delete(kept);
    if (group?.isEmpty === true) this.#groups.delete(kept.group);
  }
}

/** RFC 9111 §4.2.3: how old an answer is, in milliseconds. */
export function currentAge({ asked, initialAge, apparentAge }: Pick<Kept, 'asked' | 'initialAge' | 'apparentAge'>, now: Instant): number {
  return Math.max(initialAge, apparentAge) + since(asked, now);
}

function costOf({ identity, fields, body }: Kept): number {
  return perEntry + 2 * identity.length + body.length + fields.reduce((sum, { length }) => sum + length + 50, 0);
}

/** What is kept of one group, by what it is about: a write costs what it ends. */
class Group {
  readonly #passing = new Map<Resource, Set<Kept>>();
  readonly #final = new Map<Resource, Map<string, Set<Kept>>>();

  get isEmpty(): boolean {
    return this.#passing.size === 0 && this.#final.size === 0;
  }

  add(kept: Kept): void {
    const { resource, item = '' } = kept;
    if (!kept.final) return void emplace(this.#passing, resource, () => new Set()).add(kept);
    emplace(
      emplace(this.#final, resource, () => new Map<string, Set<Kept>>()),
      item,
      () => new Set(),
    ).add(kept);
  }

  delete(kept: Kept): void {
    const { resource, item = '' } = kept;
    if (!kept.final) return remove(this.#passing, resource, kept);
    const items = this.#final.get(resource);
    if (items === undefined) return;
    remove(items, item, kept);
    if (items.size === 0) this.#final.delete(resource);
  }

  touchedBy({ resources, item }: Touched): readonly Kept[] {
    const passing = resources.flatMap((resource) => [...(this.#passing.get(resource) ?? [])]);
    if (item === undefined) return passing;
    const final = resources.flatMap((resource) => {
      const items = this.#final.get(resource);
      return item === 'all' ? [...(items?.values() ?? [])].flatMap((each) => [...each]) : [...(items?.get(item) ?? [])];
    });
    return [...passing, ...final];
  }
}

function emplace<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function remove<K>(map: Map<K, Set<Kept>>, key: K, kept: Kept): void {
  const set = map.get(key);
  set?.delete(kept);
  if (set?.size === 0) map.delete(key);
}
