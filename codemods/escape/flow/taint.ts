/** Taint: which edited literals a value carries, however deep. Code that gets the value gets these. */
import { givenBy } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { isLeftOut } from '../../requests/left-out.ts';
import { type HttpValue, type ObjectValue, optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { editedAt } from './edited-literals.ts';
import { exportsOf, membersOf, returnedBy } from './taken-values.ts';
import { WrittenEdits } from './written-edits.ts';
import { ruleNamed } from '../../evaluate/libraries/rules.ts';

/**
 * @param isApart leaves out what clients with a base carry: one without asks anybody, for whoever gets it
 * @returns the changes in what a value is made of, or in what its methods return
 */
export type Taint = (value: Value, isApart?: boolean) => readonly Change[];

/** Methods that ask for any path that they are given. */
const asking = /^(?:get|post|put|patch|delete|head|options|request|fetch)$/;

/** Deeper tables than this are data of programs that this is not about. */
const deepest = 8;
/** And how far through what is no object of its own: lists in lists, what is read of what a client was made with. */
const deepestNext = 80;

/**
 * @param mutations what is done to clients apart from where they are made: it goes where they go
 * @param isTaken whether other code than a class itself takes something of a name from its instances
 */
export function taintOf(
  ev: Evaluation,
  changes: ChangesByPlace,
  { mutations }: Pick<CallGraph, 'mutations'>,
  isTaken: (name: string) => boolean = () => true,
): Taint {
  const carried = new Carried(ev, new WrittenEdits(changes), mutations, isTaken);
  return (value, isApart = false) => carried.by(value, isApart);
}

/** How a value is come to: through which objects, classes, modules and clients, and whether clients with a base are left out. */
interface Way {
  readonly isApart: boolean;
  readonly seen: ReadonlySet<unknown>;
}

class Carried {
  readonly #ev: Evaluation;
  readonly #written: WrittenEdits;
  readonly #mutations: CallGraph['mutations'];
  readonly #isTaken: (name: string) => boolean;
  // A table of paths is named wherever one of them is taken, a client at each of its calls: with all that is done to it.
  readonly #tables = { apart: new WeakMap<object, Known>(), all: new WeakMap<object, Known>() };
  #depth = 0;

  constructor(ev: Evaluation, written: WrittenEdits, mutations: CallGraph['mutations'], isTaken: (name: string) => boolean) {
    this.#ev = ev;
    this.#written = written;
    this.#mutations = mutations;
    this.#isTaken = isTaken;
  }

  by(value: Value, isApart: boolean): readonly Change[] {
    const [first, ...others] = optionsOf(value);
    if (first === undefined || others.length === 0) return first === undefined ? [] : this.#byOption(first, isApart);
    return distinct([first, ...others].flatMap((option) => this.#byOption(option, isApart)));
  }

  #byOption(value: Value, isApart: boolean): readonly Change[] {
    const begin: Way = { isApart, seen: new Set() };
    if (value.type !== 'object' && value.type !== 'http') return distinct(this.#inside(value, begin));
    const known = this.#tables[isApart ? 'apart' : 'all'];
    const key = value.type === 'object' ? value.entries : value.origins;
    const same = known.get(key);
    if (same !== undefined && holdsSame(same.value, value)) return same.changes;
    const { budget } = this.#ev;
    const before = budget.cuts;
    const changes = distinct(this.#inside(value, begin));
    // What was not followed to its end says so each time.
    if (budget.cuts === before) known.set(key, { value, changes });
    return changes;
  }

  #inside(value: Value, way: Way): readonly Change[] {
    // A client that has its headers of another's defaults, and that of another's: whoever asks is told that it was followed no further.
    if (this.#depth > deepestNext) {
      this.#ev.budget.cut();
      return [];
    }
    this.#depth++;
    try {
      return this.#heldBy(value, way);
    } finally {
      this.#depth--;
    }
  }

  #heldBy(value: Value, way: Way): readonly Change[] {
    const [ev, written] = [this.#ev, this.#written];
    switch (value.type) {
      case 'text':
        return partsOf(value).flatMap((part) => written.inText(part));
      case 'env':
        return written.inVariable(value);
      case 'object': {
        // `{ ...api.defaults.headers }`
        const laidIn = (): Value[] => value.unknown.filter(({ type }) => type === 'method');
        return [
          ...value.entries.flatMap((entry) => written.inName(entry)),
          ...this.#into(value.node, way, () => [...value.entries.map((entry) => entry.value()), ...laidIn()]),
        ];
      }
      case 'list':
        return this.#next(value.items, way);
      case 'function':
        return this.#into(value.node, way, () => returnedBy(ev, value));
      case 'class':
      case 'instance':
        return this.#into(value.type === 'class' ? value.node : value.of.node, way, () => membersOf(ev, value, this.#isTaken));
      case 'namespace':
        return this.#into(value.module, way, () => exportsOf(ev, value.module));
      case 'method': {
        const read = headersReadBy(ev, value);
        if (read.length > 0) return this.#next(read, way);
        const { receiver, path } = value;
        const isAsking = receiver.type === 'function' || (receiver.type === 'http' && asking.test(path.at(-1) ?? ''));
        return isAsking ? this.#next([receiver], way) : written.inUnknown(value);
      }
      case 'http':
        return this.#byClient(value, way);
      default:
        return [];
    }
  }

  /** Values that are no deeper than the one that leads to them. */
  #next(values: readonly Value[], way: Way): Change[] {
    const options = values.flatMap(optionsOf);
    return options.flatMap((option) => (way.seen.size === 0 ? this.#byOption(option, way.isApart) : this.#inside(option, way)));
  }

  /** What something is made of, unless it is in there itself. */
  #into(key: unknown, { isApart, seen }: Way, values: () => readonly (Value | undefined)[]): Change[] {
    if (seen.has(key) || seen.size > deepest) return [];
    const further = { isApart, seen: new Set(seen).add(key) };
    return values().flatMap((each) => (each === undefined ? [] : optionsOf(each).flatMap((option) => this.#inside(option, further))));
  }

  #byClient(client: HttpValue, way: Way): readonly Change[] {
    // A request that is made takes nothing along.
    if (client.stage === 'request' || (way.isApart && client.base !== undefined)) return [];
    const ev = this.#ev;
    const done = client.origins
      .flatMap((origin) => (typeof origin === 'string' ? [] : (this.#mutations.get(origin) ?? [])))
      .filter(({ node, module, frame }) => !isLeftOut(ev, node, module, client, frame));
    const given = (): Value[] => done.flatMap((mutation) => givenBy(mutation).map((node) => ev.evaluate(node, mutation)));
    return [
      ...this.#into(client.node, way, () => [client.base, client.url, ...client.headers, ...given()]),
      ...done.flatMap(({ module, node, frame }) =>
        this.#written.within(module, node.start, node.end).filter((change) => {
          const edited = editedAt(module, change);
          return edited === undefined || !isLeftOut(ev, edited, module, client, frame);
        }),
      ),
    ];
  }
}

/** `api.defaults`, `api.defaults.headers.common`: the headers that a client was made with, for whoever reads them. */
export function headersReadBy({ rules }: Evaluation, value: Value): readonly Value[] {
  const on = value.type === 'method' ? value.receiver : undefined;
  if (value.type !== 'method' || on?.type !== 'http' || on.stage !== 'client' || on.mock !== undefined) return [];
  const defaults = ruleNamed(rules, on.client)?.defaults;
  const way = [...(defaults ?? []), 'headers', 'common'];
  return defaults !== undefined && value.path.every((name, index) => name === way[index]) ? on.headers : [];
}

/** What one value carries, and all that came from it by other ways. */
interface Known {
  readonly value: ObjectValue | HttpValue;
  readonly changes: readonly Change[];
}

/** Whether values with the same entries, or the same origins, are made of the same things. */
const holdsSame = (one: Known['value'], other: Known['value']): boolean =>
  one.type === 'http' && other.type === 'http'
    ? one.node === other.node &&
      one.stage === other.stage &&
      one.base === other.base &&
      one.url === other.url &&
      one.headers === other.headers
    : one.type === other.type && one.node === other.node;

const distinct = (changes: readonly Change[]): readonly Change[] => (changes.length < 2 ? changes : [...new Set(changes)]);
