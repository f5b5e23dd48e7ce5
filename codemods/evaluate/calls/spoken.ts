/** Places where functions may be spoken of: by that which the syntax says it is, and the others by the name that stands there. */
import { constructorOf } from '../classes/class-index.ts';
import { declaredAs } from '../names/declared.ts';
import type { Evaluation } from '../evaluation.ts';
import { namesOfFunction } from './function-names.ts';
import { isOnlyCalled } from './only-called.ts';
import type { SourceModule } from '../module.ts';
import type { Expression, FunctionNode, Node } from '../../syntax/tree.ts';

/** The functions that an expression may be, constructors for classes. */
export interface Meant {
  readonly functions: ReadonlySet<Node>;
  /** Whether they are known for good. */
  readonly isFinal: boolean;
  /** Whether these are not all, and no others are looked for any more. */
  readonly isCut?: boolean;
}

interface Numbered<Place> {
  readonly place: Place;
  readonly number: number;
}

/** Of a name that thousands have, each place is asked what it speaks of until that is known. */
interface Named<Place> {
  open: readonly Numbered<Place>[];
  isCut: boolean;
  readonly settled: Map<Node, Numbered<Place>[]>;
}

export class Spoken<Place extends { readonly module: SourceModule }> {
  readonly #ev: Evaluation;
  readonly #meantAt: (place: Place) => Meant;
  readonly #byFunction = new Map<Node, Place[]>();
  readonly #byName = new Map<string, Named<Place>>();

  constructor(
    ev: Evaluation,
    places: readonly Place[],
    { expressionAt, meantAt }: { readonly expressionAt: (place: Place) => Expression; readonly meantAt: (place: Place) => Meant },
  ) {
    this.#ev = ev;
    this.#meantAt = meantAt;
    const byName = new Map<string, Numbered<Place>[]>();
    for (const [number, place] of places.entries()) {
      const expression = expressionAt(place);
      const declared = declaredAs(ev, expression, place.module)?.node;
      const made = declared?.kind === 'class' ? constructorOf(declared) : undefined;
      if (declared?.kind === 'function') addTo(this.#byFunction, declared, place);
      else if (made !== undefined) addTo(this.#byFunction, made, place);
      else addTo(byName, nameAt(expression), { place, number });
    }
    for (const [name, open] of byName) this.#byName.set(name, { open, isCut: false, settled: new Map() });
  }

  /** The places that speak of a function, as far as they are asked for. */
  *of(fn: FunctionNode): Generator<Place> {
    yield* this.#byFunction.get(fn) ?? [];
    if (isOnlyCalled(fn)) return;
    const names = namesOfFunction(this.#ev.world, fn);
    this.#ev.budget.charge(names.size);
    for (const name of names) {
      const named = this.#byName.get(name);
      if (named !== undefined) yield* this.#named(named, fn);
    }
  }

  *#named(named: Named<Place>, fn: FunctionNode): Generator<Place> {
    const { budget } = this.#ev;
    budget.charge(named.open.length);
    const settled = new Set(named.settled.get(fn));
    const isCut = named.open.length > 0 && budget.isExhausted;
    if (isCut || named.isCut) budget.cut(undefined, !isCut);
    if (isCut) {
      // Of tens of thousands with a common name each would only be looked at.
      for (const { place } of settled) yield place;
      return;
    }
    const final = new Map<Numbered<Place>, ReadonlySet<Node>>();
    for (const each of [...settled, ...named.open].toSorted((a, b) => a.number - b.number)) {
      const meant = settled.has(each) ? undefined : this.#meantAt(each.place);
      if (meant?.isFinal === true) final.set(each, meant.functions);
      named.isCut ||= meant?.isCut === true;
      if (meant === undefined || meant.functions.has(fn)) yield each.place;
    }
    // What is asked may ask for the same name.
    for (const each of named.open) for (const meant of final.get(each) ?? []) addTo(named.settled, meant, each);
    named.open = named.open.filter((each) => !final.has(each));
  }
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const before = map.get(key);
  if (before === undefined) map.set(key, [value]);
  else before.push(value);
}

const nameAt = (node: Expression): string => (node.kind === 'name' ? node.name : node.kind === 'member' ? (node.property ?? '') : '');
