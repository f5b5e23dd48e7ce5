/** The places of answers: the items of a list share one, and so do properties whose names are not told. */
import type { Equalities, EqualityKind } from './equalities.ts';
import { someName, toldName } from './names.ts';

export class Place {
  /** Empty for the whole content. */
  readonly path: string;
  readonly equality: EqualityKind | undefined;
  /** Whether it stands for a property whose name is not told. */
  readonly isUntold: boolean;
  readonly #equalities: Equalities;
  readonly #properties = new Map<string, Place>();
  readonly #told = new Map<string, Place>();
  #items: Place | undefined;

  constructor(path: string, equalities: Equalities, isUntold = false) {
    this.path = path;
    this.isUntold = isUntold;
    this.equality = equalities(path);
    this.#equalities = equalities;
  }

  get isIgnored(): boolean {
    return this.equality === 'ignore';
  }

  items(): Place {
    this.#items ??= new Place(`${this.path}[]`, this.#equalities);
    return this.#items;
  }

  property(name: string): Place {
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    const place = this.#toldAs(toldName(name));
    this.#properties.set(name, place);
    return place;
  }

  /** What leads to a property of objects with these names: where half of them are data, the others are likely to be as well. */
  propertyAmong(names: readonly string[]): (name: string) => Place {
    const untold = names.filter((name) => this.property(name).isUntold).length;
    if (untold === 0 || untold * 2 < names.length) return (name) => this.property(name);
    return (name) => (this.property(name).isIgnored ? this.property(name) : this.#toldAs(someName));
  }

  #toldAs(told: string): Place {
    const place = this.#told.get(told) ?? new Place(this.path === '' ? told : `${this.path}.${told}`, this.#equalities, told === someName);
    this.#told.set(told, place);
    return place;
  }
}
