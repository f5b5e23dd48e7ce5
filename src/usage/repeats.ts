import { minuteInMs } from '../contract/times.ts';

const generationSize = 10_000;
const hourInMinutes = 60;

/** FNV-1a, folded to 30 bits: numbers of that size need no memory of their own. */
function hash(text: string, seed: number): number {
  let bits = seed | 0;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  return (bits ^ (bits >>> 15)) & 0x3fffffff;
}

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
   * @param resource path and query of a GET
   * @param at epoch milliseconds
   */
  seen(caller: number, resource: string, at: number): boolean {
    const key = hash(resource, caller);
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
