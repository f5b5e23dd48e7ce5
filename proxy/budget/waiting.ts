/**
 * Calls that wait for a place in v2's hour: in order per key, never more than a bound of them, and never longer than their time. What waits was
 * not sent, whatever becomes of it.
 */

/** By what time those who wait are woken: the machine's, which nobody turns, but in tests that turn a clock. */
export interface Timers {
  /** Milliseconds since some instant. */
  now(): number;
  /** @returns takes it back */
  set(run: () => void, delay: number): () => void;
}

const machine: Timers = {
  now: () => performance.now(),
  set(run, delay) {
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  },
};

/** One that waits. */
export interface Waiter {
  /** The v2 key: the calls of one keep their order, but for reads and writes between each other: what has no place for a read may have one for a write. */
  readonly key: string;
  readonly weight: number;
  /** How long it waits at most, as `deadline` gave it. */
  readonly deadline: number;
  /** Bytes of its body that are held meanwhile. */
  readonly bytes: number;
  /**
   * Tries again.
   * @returns when it is worth trying again, in epoch milliseconds; undefined once it needs no place any more
   */
  again(): number | undefined | Promise<number | undefined>;
  /** It has waited for as long as it may. */
  tooLong(): void;
  /** The proxy ends. */
  drained(): void;
}

/** Bytes of bodies that may wait, of all accounts together. */
const mostBytes = 16 * 1024 * 1024;

/** Not sooner than this, in milliseconds, is asked again: several replicas may want the same place. */
const least = 50;

/** The calls of one account that wait. */
class Line {
  readonly waiters: Waiter[] = [];
  /** When there may be a place, as was said last. */
  next = 0;
  #unset: () => void = () => undefined;
  #trying = false;
  readonly #now: () => number;
  readonly #timers: Timers;
  readonly #left: (waiter: Waiter) => void;

  /** @param left is told of each that waits no more */
  constructor(now: () => number, timers: Timers, left: (waiter: Waiter) => void) {
    this.#now = now;
    this.#timers = timers;
    this.#left = left;
  }

  add(waiter: Waiter, at: number): void {
    this.waiters.push(waiter);
    this.next = Math.max(this.next, at);
    this.#wakeAt(at);
  }

  remove(waiter: Waiter): boolean {
    const index = this.waiters.indexOf(waiter);
    if (index === -1) return false;
    this.waiters.splice(index, 1);
    this.#left(waiter);
    if (this.waiters.length === 0) this.#unset();
    return true;
  }

  #wakeAt(at: number): void {
    this.#unset();
    const soonest = Math.min(...this.waiters.map(({ deadline }) => deadline)) - this.#timers.now();
    const delay = Math.min(Math.max(at - this.#now(), least), Math.max(soonest, 1));
    this.#unset = this.#timers.set(() => void this.#try(), delay);
  }

  /** The first of each key in turn, writes before reads; those behind one that still has no place wait with it. */
  async #try(): Promise<void> {
    if (this.#trying) return;
    this.#trying = true;
    let next = Infinity;
    const held = new Set<string>();
    for (const waiter of this.waiters.toSorted((a, b) => b.weight - a.weight)) {
      const behind = `${waiter.weight} ${waiter.key}`;
      if (held.has(behind) || !this.waiters.includes(waiter)) continue;
      const at = await waiter.again();
      if (at === undefined) this.remove(waiter);
      else {
        held.add(behind);
        next = Math.min(next, at);
      }
    }
    for (const waiter of this.waiters.filter(({ deadline }) => deadline <= this.#timers.now())) {
      if (this.remove(waiter)) waiter.tooLong();
    }
    this.#trying = false;
    if (this.waiters.length === 0) return;
    this.next = next === Infinity ? this.#now() + least : next;
    this.#wakeAt(this.next);
  }
}

export class Waiting {
  readonly #now: () => number;
  readonly #timers: Timers;
  readonly #lines = new Map<string, Line>();
  #bytes = 0;
  #count = 0;
  #isDraining = false;

  constructor(now: () => number, timers: Timers = machine) {
    this.#now = now;
    this.#timers = timers;
  }

  /** When what begins now has waited for so long. */
  deadline(patience: number): number {
    return this.#timers.now() + patience;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether an earlier call of this key and weight waits: a later one must not overtake it. */
  isBehind(account: string, { key, weight }: Pick<Waiter, 'key' | 'weight'>): boolean {
    return this.#lines.get(account)?.waiters.some((waiter) => waiter.key === key && waiter.weight === weight) === true;
  }

  /** When there may be a place for those who wait; undefined where nobody does. */
  nextAt(account: string): number | undefined {
    return this.#lines.get(account)?.next;
  }

  /**
   * Lets a call wait.
   * @param most so many of this account and weight may wait: reads must not take the room that writes wait in
   * @param at when it is worth trying, in epoch milliseconds
   * @returns false where there is no room for one more
   */
  add(account: string, waiter: Waiter, most: number, at: number): boolean {
    if (this.#isDraining) return false;
    const line = this.#lines.get(account) ?? new Line(this.#now, this.#timers, (left) => this.#take(account, left));
    if (line.waiters.filter(({ weight }) => weight === waiter.weight).length >= most || this.#bytes + waiter.bytes > mostBytes)
      return false;
    this.#lines.set(account, line);
    this.#count++;
    this.#bytes += waiter.bytes;
    line.add(waiter, at);
    return true;
  }

  /** Takes one out, which is then not tried again. */
  remove(account: string, waiter: Waiter): void {
    this.#lines.get(account)?.remove(waiter);
  }

  /** Lets nobody wait any longer: what waits is not sent. */
  drain(): void {
    this.#isDraining = true;
    const all = [...this.#lines].flatMap(([account, { waiters }]) => waiters.map((waiter) => ({ account, waiter })));
    for (const { account, waiter } of all) {
      this.remove(account, waiter);
      waiter.drained();
    }
  }

  #take(account: string, { bytes }: Waiter): void {
    this.#count--;
    this.#bytes -= bytes;
    if (this.#lines.get(account)?.waiters.length === 0) this.#lines.delete(account);
  }
}
