/** What a search has come to, and in which ways. */
import type { Has, Reached } from './holding.ts';

/** The ways to a place are few, and thousands of places are come to: each is one bit. */
const bits: Readonly<Record<Has, number>> = { itself: 1, class: 2, within: 4, either: 8 };
const bitOf = ({ has, isGiven }: Pick<Reached, 'has' | 'isGiven'>): number => bits[has] << (isGiven ? 4 : 0);

export class Seen {
  readonly #places = new Map<object | string, number>();
  /** By what else is done with a place. */
  readonly #byWhat = new Map<string, Map<object | string, number>>();

  /** Whether something was not come to before in this way: whatever follows from it then has been followed. */
  isFirst(at: object | string, way: Pick<Reached, 'has' | 'isGiven'>, what?: string): boolean {
    const known = what === undefined ? this.#places : this.#of(what);
    const [before, bit] = [known.get(at) ?? 0, bitOf(way)];
    if ((before & bit) !== 0) return false;
    known.set(at, before | bit);
    return true;
  }

  #of(what: string): Map<object | string, number> {
    const known = this.#byWhat.get(what) ?? new Map<object | string, number>();
    this.#byWhat.set(what, known);
    return known;
  }

  /** Whether it was come to as what holds something. */
  holds(at: object): boolean {
    return ((this.#places.get(at) ?? 0) & (bitOf({ has: 'within', isGiven: false }) | bitOf({ has: 'within', isGiven: true }))) !== 0;
  }
}
