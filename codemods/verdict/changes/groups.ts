/** All or nothing: changes that meet in one place are made together or not at all. */
import type { Change } from './spans.ts';

type Placed = Pick<Change, 'module' | 'start' | 'end' | 'what'>;

/** Every step asks for the keys of all changes. */
const keys = new WeakMap<Placed, string>();

export function keyOf(change: Placed): string {
  const known = keys.get(change);
  if (known !== undefined) return known;
  const { module, start, end, what } = change;
  const key = `${module.file}:${start}:${end}:${what}`;
  keys.set(change, key);
  return key;
}

/** Disjoint sets of keys. */
export class Groups {
  readonly #parents = new Map<string, string>();

  /** Makes one group of all keys. */
  join(keys: readonly string[]): void {
    const [first, ...rest] = keys;
    if (first === undefined) return;
    const root = this.of(first);
    for (const key of rest) this.#parents.set(this.of(key), root);
  }

  /** The key that stands for a key's group. */
  of(key: string): string {
    let root = key;
    for (let parent = this.#parents.get(root); parent !== undefined && parent !== root; parent = this.#parents.get(root)) root = parent;
    // All on the way point there from then on, or each question would go the whole way again.
    for (let at = key; at !== root;) {
      const next = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }
}
