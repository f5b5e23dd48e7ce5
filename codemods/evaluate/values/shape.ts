/** What is put into an object, one after the other: properties, and other objects. */
import { memo } from '../../once.ts';
import { ByBeginning } from '../../syntax/by-beginning.ts';
import { exact } from '../../syntax/lists.ts';
import type { Node } from '../../syntax/tree.ts';
import { isSame, isSameEntry, keyOf } from './same.ts';
import { type Provenance, uniteProvenance } from './provenance.ts';
import { after, type Entry, lazily, maxVariants, type ObjectValue, plainText, unknown, type Value } from './values.ts';

export type Contents = Pick<ObjectValue, 'entries' | 'unknown'>;

/** An entry, and when it was put in. */
interface Slot {
  entry: Entry;
  readonly at: number;
}

/** Something that is not known, and when it was put in last: it may hold the name of every entry that came before. */
interface Cover {
  readonly value: Value;
  readonly as: Value;
  at: number;
}

/**
 * One shape of an object. What comes twice, as when a variable is spread into itself, stands in it once, where it came last; so what is made of
 * `n` writes is never larger than these, in whatever order and however often they are seen.
 */
export class Shape {
  #clock = 0;
  #aside = 0;
  /** In the order in which they came last. */
  readonly #slots = new Set<Slot>();
  readonly #alike = new Map<Node, Map<string | undefined, Slot[]>>();
  readonly #covers = new Map<unknown, readonly Cover[]>();
  readonly #coverOf = new Map<Value, Cover>();
  readonly #own: Node | undefined;

  /** @param own the object literal whose shape it is: its own properties may come back to it by way of other objects */
  constructor(own?: Node) {
    this.#own = own;
  }

  /** How often something was put in. */
  get size(): number {
    return this.#clock;
  }

  /** How much was done for that. */
  get work(): number {
    return this.#clock + this.#aside;
  }

  /** Puts in properties. */
  write(entries: readonly Entry[]): void {
    for (const entry of entries) this.#write(entry);
  }

  /** Puts in what other objects hold. */
  copy(entries: readonly Entry[], provenance?: Provenance): void {
    for (const entry of entries) {
      const copied = after(entry, provenance);
      this.#write(this.#own === undefined || entry.node.parent !== this.#own ? copied : { ...copied, isBack: true });
    }
  }

  /** Leaves out what has a name that is put in anew: `{ ...init, headers }` has none of the headers before. */
  forget(name: string): void {
    for (const slot of this.#slots) {
      if (slot.entry.name !== name) continue;
      this.#slots.delete(slot);
      const alike = this.#alike.get(slot.entry.node)?.get(name);
      alike?.splice(alike.indexOf(slot), 1);
    }
  }

  #write(given: Entry): void {
    const byName = this.#alike.get(given.node) ?? new Map<string | undefined, Slot[]>();
    const alike = byName.get(given.name) ?? [];
    const find = (entry: Entry): Slot | undefined => alike.find((slot) => isSameEntry(slot.entry, entry));
    const same = find(given);
    const entry = same === undefined && alike.length >= maxVariants ? withAnything(given) : given;
    const before = same ?? find(entry);
    const slot: Slot = { entry: before === undefined ? entry : unitedEntry(before.entry, entry), at: ++this.#clock };
    if (before !== undefined) this.#slots.delete(before);
    alike.splice(before === undefined ? alike.length : alike.indexOf(before), 1, slot);
    this.#slots.add(slot);
    this.#alike.set(given.node, byName.set(given.name, alike));
  }

  /**
   * Puts in something that is not known.
   * @param as what stands in place of what it covers
   */
  open(value: Value, as: Value = value): void {
    this.#open(value, as, this.#covers);
  }

  /** @param among where the same may be said already */
  #open(value: Value, as: Value, among: ReadonlyMap<unknown, readonly Cover[]>): void {
    const key = keyOf(value);
    const before = this.#coverOf.get(value) ?? among.get(key)?.find((cover) => hidesAlike(cover.value, value));
    const cover = before ?? { value, as, at: 0 };
    cover.at = ++this.#clock;
    this.#coverOf.set(value, cover);
    if (before === undefined) this.#covers.set(key, [...(this.#covers.get(key) ?? []), cover]);
  }

  /** Puts in what `...value` or `Object.assign` does. What is missing, as in `...(key && {…})`, adds nothing. */
  spread(value: Value): void {
    const { provenance } = value;
    if (value.type === 'choice') {
      // Of alternatives none hides another: what is not known comes behind what is.
      const objects = value.options.filter((each) => each.type === 'object').toSorted((a, b) => opennessOf(a) - opennessOf(b));
      this.#put(this.#joined(objects), provenance);
      for (const option of value.options) if (option.type !== 'object') this.spread(after(option, provenance));
    } else if (value.type === 'object') this.#put(value, provenance);
    else if (value.type === 'list' && !value.isOpen) {
      for (const item of value.items) this.spread(item);
    } else if (value.type !== 'literal' && !(value.type === 'text' && plainText(value) === '')) this.open(value);
  }

  /** Alternatives as one object. It is remembered, as what is spread in a hundred places may have a hundred alternatives, one from each. */
  #joined(objects: readonly ObjectValue[]): Contents {
    const { known, length } = joins.longest(objects);
    if (known !== undefined && length === objects.length) return known;
    const shape = new Shape();
    if (known !== undefined) shape.#put(known);
    for (const object of objects.slice(length)) shape.spread(object);
    const contents = shape.end();
    joins.set(objects, contents);
    this.#aside += shape.work;
    return contents;
  }

  #put({ entries, unknown: open }: Contents, provenance?: Provenance): void {
    // What another object has says nothing twice by itself.
    const before = new Map(this.#covers);
    for (const each of open) this.#open(each, each, before);
    this.copy(entries, provenance);
  }

  /** All of it: each entry knows what came after it and may hide it. */
  end(): Contents {
    const covers = [...this.#covers.values()].flat().toSorted((a, b) => a.at - b.at);
    if (covers.length === 0) return { entries: [...this.#slots].map(({ entry }) => entry), unknown: [] };
    const later = covers.map((_, index) => covers.slice(index).map(({ as }) => as));
    const known = new Map<readonly Value[], Map<number, readonly Value[]>>();
    let from = 0;
    const entries = [...this.#slots].map(({ entry, at }) => {
      while ((covers[from]?.at ?? Infinity) < at) from++;
      return coveredBy(entry, later[from] ?? [], from, known);
    });
    return { entries, unknown: covers.map(({ value }) => value) };
  }
}

const joins = new ByBeginning<Contents>();

const opennessOf = ({ unknown: open }: ObjectValue): number => (open.length > 0 ? 1 : 0);

/** An entry with what may stand in its place, as it comes later; entries that are covered by the same share the list of it. */
function coveredBy(
  entry: Entry,
  later: readonly Value[],
  from: number,
  known: Map<readonly Value[], Map<number, readonly Value[]>>,
): Entry {
  const { hiddenBy } = entry;
  if (later.length === 0) return entry;
  if (hiddenBy === undefined) return { ...entry, hiddenBy: later };
  const byIndex = known.get(hiddenBy) ?? new Map<number, readonly Value[]>();
  known.set(hiddenBy, byIndex);
  const whole = byIndex.get(from) ?? joined(hiddenBy, later);
  byIndex.set(from, whole);
  return { ...entry, hiddenBy: whole };
}

/** Values, and of others those that say the same as none of them; neither has two that say the same. */
function joined(values: readonly Value[], others: readonly Value[]): readonly Value[] {
  const known = new Set(values);
  const byKey = memo((key: unknown) => values.filter((value) => keyOf(value) === key));
  const more = others.filter((value) => !known.has(value) && !byKey(keyOf(value)).some((each) => hidesAlike(each, value)));
  return more.length === 0 ? values : [...values, ...more];
}

/** Whether one of two hides as much as both: of what nothing is known, not even a place, one hides as much as many. */
const hidesAlike = (a: Value, b: Value): boolean =>
  isSame(a, b) || ([a, b].every((each) => each.type === 'unknown' && each.node === undefined) && a.why === b.why);

/** A property that may hold anything: one of which more are known than are told apart. */
const withAnything = (entry: Entry): Entry => {
  const { node, module } = entry;
  return { ...entry, key: undefined, isShared: true, value: lazily(exact([node]), () => unknown(node, module, 'too many')) };
};

function unitedEntry(a: Entry, b: Entry): Entry {
  if (a === b) return b;
  const hidden = a.hiddenBy === b.hiddenBy || a.hiddenBy === undefined ? b.hiddenBy : joined(b.hiddenBy ?? [], a.hiddenBy);
  const provenance = uniteProvenance(b.provenance, a.provenance);
  return { ...b, ...(hidden === undefined ? {} : { hiddenBy: hidden }), ...(provenance === undefined ? {} : { provenance }) };
}
