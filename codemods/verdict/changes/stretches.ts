/** Stretches of a text, found by where they begin. */

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Some of which none lies in another: whatever lies in one of them is there. */
export class Stretches {
  /** As they begin, and therefore as they end. */
  readonly #kept: Stretch[] = [];

  has({ start, end }: Stretch): boolean {
    const last = this.#kept[indexFrom(this.#kept, start + 1) - 1];
    return last !== undefined && end <= last.end;
  }

  /** @returns whether it was not there */
  add(stretch: Stretch): boolean {
    if (this.has(stretch)) return false;
    const from = indexFrom(this.#kept, stretch.start);
    let to = from;
    for (let next = this.#kept[to]; next !== undefined && next.end <= stretch.end; next = this.#kept[to]) to++;
    this.#kept.splice(from, to - from, stretch);
    return true;
  }
}

export const byStart = (one: Stretch, other: Stretch): number => one.start - other.start;

/**
 * @param sorted as they begin
 * @returns those that lie in a stretch
 */
export function within<Of extends Stretch>(sorted: readonly Of[], { start, end }: Stretch): Of[] {
  const found: Of[] = [];
  let at = indexFrom(sorted, start);
  for (let next = sorted[at]; next !== undefined && next.start <= end; next = sorted[++at]) if (next.end <= end) found.push(next);
  return found;
}

/** What is left of a stretch without those of a sorted list that lie in it. */
export function without(stretch: Stretch, sorted: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  let { start } = stretch;
  for (const each of within(sorted, stretch)) {
    if (each.start > start) left.push({ start, end: each.start });
    start = Math.max(start, each.end);
  }
  return start < stretch.end ? [...left, { start, end: stretch.end }] : left;
}

/** How many of a sorted list begin before a place. */
function indexFrom(sorted: readonly Stretch[], start: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle];
    if (at !== undefined && at.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
