import { minuteInMs } from '../contract/times.ts';
import { hashOfBoth } from './resource-hash.ts';

const generationSize = 10_000;
/** A power of two, so that two fifths at least are free, and what is looked for is near. */
const places = 16_384;
const hourInMinutes = 60;

/** When what was asked was asked last, in memory that is made once: a Map that grows with each call and is thrown away is dear to the garbage collector. */
class Generation {
  /** One more than each key; 0 where a place is free. */
  readonly #keys = new Int32Array(places);
  readonly #minutes = new Int32Array(places);
  #size = 0;

  get isFull(): boolean {
    return this.#size >= generationSize;
  }

  minuteOf(key: number): number | undefined {
    const at = this.#placeOf(key);
    return this.#keys[at] === 0 ? undefined : this.#minutes[at];
  }

  set(key: number, minute: number): void {
    const at = this.#placeOf(key);
    if (this.#keys[at] === 0) this.#size++;
    this.#keys[at] = key + 1;
    this.#minutes[at] = minute;
  }

  clear(): void {
    this.#keys.fill(0);
    this.#size = 0;
  }

  /** Where a key is, or would be. */
  #placeOf(key: number): number {
    let at = key & (places - 1);
    while (this.#keys[at] !== 0 && this.#keys[at] !== key + 1) at = (at + 1) & (places - 1);
    return at;
  }
}

/**
 * Knows what was asked within the last hour, to the minute and in bounded memory: two generations, the older of which is forgotten where
 * there is no more room. A repeat may therefore be missed; of 50,000 that are none, about one is taken for one.
 */
export class Repeats {
  #young = new Generation();
  #old = new Generation();

  /**
   * Whether the same caller asked for the same within the hour before; from now on it has.
   * @param caller a number of its own for each caller
   * @param resource hash of path and query of a GET
   * @param at epoch milliseconds
   */
  seen(caller: number, resource: number, at: number): boolean {
    const key = hashOfBoth(resource, caller) & 0x3fffffff;
    const minute = Math.floor(at / minuteInMs);
    const young = this.#young.minuteOf(key);
    const last = young ?? this.#old.minuteOf(key);
    if (young === undefined && this.#young.isFull) {
      [this.#old, this.#young] = [this.#young, this.#old];
      this.#young.clear();
    }
    if (young !== minute) this.#young.set(key, minute);
    return last !== undefined && minute - last < hourInMinutes;
  }
}
