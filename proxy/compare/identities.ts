/** Which values are the same under what is declared equal: a number each, so that items of lists are found again at once. */
import { isList, isObject } from './answer-json.ts';
import { scalarKey } from './equalities.ts';
import type { Place } from './place.ts';

/** Values within bounds alone. The same number for what is the same; the order of members never matters. */
export class Identities {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<Place, Map<object, number>>();

  of(value: unknown, place: Place): number {
    if (typeof value !== 'object' || value === null) return this.#number(scalarKey(value, place.equality));
    const known = this.#known.get(place) ?? new Map<object, number>();
    this.#known.set(place, known);
    const number = known.get(value) ?? this.#number(this.#keyOf(value, place));
    known.set(value, number);
    return number;
  }

  #keyOf(value: object, place: Place): string {
    if (isList(value)) return `[${this.#keysOfItems(value, place).join(' ')}`;
    if (!isObject(value)) return scalarKey(value, place.equality);
    const members = Object.keys(value).filter((name) => !place.property(name).isIgnored);
    return `{${members
      .map((name) => `${this.#number(`.${name}`)}:${this.of(value[name], place.property(name))}`)
      .toSorted()
      .join(' ')}`;
  }

  #keysOfItems(list: readonly unknown[], place: Place): number[] {
    const items = place.items();
    if (items.isIgnored) return [];
    const numbers = list.map((item) => this.of(item, items));
    return place.equality === 'anyOrder' ? numbers.toSorted((a, b) => a - b) : numbers;
  }

  #number(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
