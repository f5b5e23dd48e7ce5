/** What differs between two answers, by path, kind and shapes: no value of an answer is ever in what is found. */
import { isList, isObject, isSame, isWithinBounds, notJson, tooLarge } from './answer-json.ts';
import { nothingEqual, scalarKey, type Equalities } from './equalities.ts';
import { Identities } from './identities.ts';
import { pairItems } from './pairs.ts';
import { Place } from './place.ts';
import { mediaTypeOf, type Shape, shapeOf, shapeOfMediaType, shapeOfStatus, shapesOfValues, typeOf } from './shapes.ts';

export interface ComparedAnswer {
  readonly status: number;
  readonly mediaType: string | undefined;
  /** What `parseAnswer` makes of the content. */
  readonly body: unknown;
}

/** `missing`: v1 has it and v2 lacks it; `added`: the reverse. `request`: what v2's document does not allow in a request. */
export type DifferenceKind = 'status' | 'mediaType' | 'missing' | 'added' | 'type' | 'value' | 'order' | 'request';

export interface Difference {
  /** Such as `data[].contact.createdAt`; empty for the whole. */
  readonly path: string;
  readonly kind: DifferenceKind;
  readonly v1: Shape;
  readonly v2: Shape;
}

export interface Comparison {
  /** One of a path and kind, 200 at most: the first ones in the order of v1's answer. */
  readonly differences: readonly Difference[];
  /** Why the contents were not compared, where they were not: that nothing differs in them then says nothing. */
  readonly notCompared?: 'too large' | 'no JSON';
}

const maxDifferences = 200;

/** What differs between an answer of v1 and one of v2. Where one is an error and the other is none, nothing but that is said. */
export function differencesOf(v1: ComparedAnswer, v2: ComparedAnswer, equalities: Equalities = nothingEqual): Comparison {
  const differ = new Differ(equalities);
  if (v1.status !== v2.status) differ.add('', 'status', shapeOfStatus(v1.status), shapeOfStatus(v2.status));
  if (v1.status >= 400 !== v2.status >= 400) return { differences: differ.found() };
  compareMediaTypes(v1, v2, differ);
  const notCompared = reasonAgainst(v1.body, v2.body);
  if (notCompared !== undefined) return { differences: differ.found(), notCompared };
  differ.compareAll(v1.body, v2.body);
  return { differences: differ.found() };
}

function compareMediaTypes(v1: ComparedAnswer, v2: ComparedAnswer, differ: Differ): void {
  const [first, second] = [v1.mediaType, v2.mediaType].map((text) => (text === undefined ? undefined : mediaTypeOf(text)));
  if (first?.type === second?.type && first?.charset === second?.charset) return;
  differ.add('', 'mediaType', shapeOfMediaType(first), shapeOfMediaType(second));
}

function reasonAgainst(v1: unknown, v2: unknown): Comparison['notCompared'] {
  if (v1 === tooLarge || v2 === tooLarge || !isWithinBounds(v1) || !isWithinBounds(v2)) return 'too large';
  return v1 === notJson && v2 === notJson ? 'no JSON' : undefined;
}

/** Goes down into both values at once; within bounds alone, which keep its recursion flat. */
class Differ {
  readonly #found = new Map<string, Difference>();
  readonly #identities = new Identities();
  readonly #root: Place;

  constructor(equalities: Equalities) {
    this.#root = new Place('', equalities);
  }

  found(): readonly Difference[] {
    return [...this.#found.values()];
  }

  add(path: string, kind: DifferenceKind, v1: Shape, v2: Shape): void {
    const key = `${kind} ${path}`;
    if (this.#found.has(key) || this.#found.size >= maxDifferences) return;
    this.#found.set(key, { path, kind, v1, v2 });
  }

  compareAll(v1: unknown, v2: unknown): void {
    this.#compareMembers(v1, v2, this.#root);
  }

  /** Of what may be absent on one side. */
  #compareMembers(v1: unknown, v2: unknown, place: Place): void {
    if (place.isIgnored || (v1 === undefined && v2 === undefined)) return;
    if (v2 === undefined) this.add(place.path, 'missing', shapeOf(v1), 'absent');
    else if (v1 === undefined) this.add(place.path, 'added', 'absent', shapeOf(v2));
    else this.#compare(v1, v2, place);
  }

  #compare(v1: unknown, v2: unknown, place: Place): void {
    if (isList(v1) && isList(v2)) return this.#compareLists(v1, v2, place);
    if (isObject(v1) && isObject(v2)) return this.#compareObjects(v1, v2, place);
    if (typeOf(v1) !== typeOf(v2)) {
      if (isScalar(v1) && isScalar(v2) && scalarKey(v1, place.equality) === scalarKey(v2, place.equality)) return undefined;
      return this.add(place.path, 'type', shapeOf(v1), shapeOf(v2));
    }
    if (scalarKey(v1, place.equality) === scalarKey(v2, place.equality)) return undefined;
    return this.add(place.path, 'value', ...shapesOfValues(v1, v2));
  }

  #compareObjects(v1: Readonly<Record<string, unknown>>, v2: Readonly<Record<string, unknown>>, place: Place): void {
    const names = Object.keys(v1);
    const added = Object.keys(v2).filter((name) => !Object.hasOwn(v1, name));
    // By v1's names where it has some: so a path is the same beside v1's second answer.
    const propertyOf = place.propertyAmong(names.length > 0 ? names : added);
    for (const name of [...names, ...added]) this.#compareMembers(own(v1, name), own(v2, name), propertyOf(name));
  }

  #compareLists(v1: readonly unknown[], v2: readonly unknown[], place: Place): void {
    const items = place.items();
    if (items.isIgnored || isSame(v1, v2)) return;
    const { pairs, missing, added, isInOrder } = pairItems(v1, v2, (item) => this.#identities.of(item, items));
    if (!isInOrder && place.equality !== 'anyOrder') this.add(place.path, 'order', shapeOf(v1), shapeOf(v2));
    for (const [item, other] of pairs) this.#compareMembers(item, other, items);
    for (const item of missing) this.#compareMembers(item, undefined, items);
    for (const item of added) this.#compareMembers(undefined, item, items);
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null || (!isList(value) && !isObject(value));

const own = (object: Readonly<Record<string, unknown>>, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
