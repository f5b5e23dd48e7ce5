import { minuteInMs } from '../contract/times.ts';
import { hashOfBoth } from './resource-hash.ts';

const generationSize = 10_000;
const hourInMinutes = 60;

/**
 * Knows what was asked within the last hour, to the minute and in bounded memory: two generations, the older of which is forgotten where
 * there is no more room. A repeat may therefore be missed; of 50,000 that are none, about one is taken for one.
 */
export class Repeats {
  #young = new Map<number, number>();
  #old = new Map<number, number>();

  /**
   * Whether the same caller asked for the same within the hour before; from now on it has.
   * @param caller a number of its own for each caller
   * @param resource hash of path and query of a GET
   * @param at epoch milliseconds
   */
  seen(caller: number, resource: number, at: number): boolean {
    // Of 30 bits: numbers of that size need no memory of their own.
    const key = hashOfBoth(resource, caller) & 0x3fffffff;
    const minute = Math.floor(at / minuteInMs);
    const young = this.#young.get(key);
    const last = young ?? this.#old.get(key);
    if (young === undefined && this.#young.size >= generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    if (young !== minute) this.#young.set(key, minute);
    return last !== undefined && minute - last < hourInMinutes;
  }
}
