/**
 * The reads that are under way, by key and path. No Map: one that entries come to and leave again all the time is made anew all the time, and what
 * the old ones led to the garbage collector copies as if it lived.
 */
import type { Flight } from './flight.ts';

/** More than are ever under way at once, as a rule; a power of 2. */
const slots = 2_048;

export class Flights {
  readonly #slots: (Flight | undefined)[] = Array.from({ length: slots }, () => undefined);
  /** The one that was added last; each leads to the one before it. */
  #last: Flight | undefined;

  get(key: string, path: string): Flight | undefined {
    for (let flight = this.#slots[slotOf(key, path)]; flight !== undefined; flight = flight.next)
      if (flight.path === path && flight.key === key) return flight;
    return undefined;
  }

  add(flight: Flight): void {
    const slot = slotOf(flight.key, flight.path);
    flight.next = this.#slots[slot];
    this.#slots[slot] = flight;
    flight.earlier = this.#last;
    if (this.#last !== undefined) this.#last.later = flight;
    this.#last = flight;
  }

  /** Takes one out, if it is there. */
  delete(flight: Flight): void {
    const slot = slotOf(flight.key, flight.path);
    let before: Flight | undefined;
    for (let each = this.#slots[slot]; each !== undefined; before = each, each = each.next) {
      if (each !== flight) continue;
      if (before === undefined) this.#slots[slot] = flight.next;
      else before.next = flight.next;
      flight.next = undefined;
      return this.#unlink(flight);
    }
  }

  /** All of them, as they are now: each write asks for them, so that it must not look through the slots. */
  all(): readonly Flight[] {
    const found: Flight[] = [];
    for (let flight = this.#last; flight !== undefined; flight = flight.earlier) found.push(flight);
    return found;
  }

  #unlink(flight: Flight): void {
    const { earlier, later } = flight;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    if (earlier !== undefined) earlier.later = later;
    flight.earlier = undefined;
    flight.later = undefined;
  }
}

/** Made of the ends of both: there ids and random keys differ. */
function slotOf(key: string, path: string): number {
  let hash = path.length;
  for (let i = Math.max(0, path.length - 8); i < path.length; i++) hash = (hash * 31 + path.charCodeAt(i)) | 0;
  for (let i = Math.max(0, key.length - 4); i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
