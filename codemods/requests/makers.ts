/** Those who make a client, not told apart: what it is given is the join of what they give, and each request is again of those whose values it has. */
import type { Caller } from '../evaluate/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isLeftToDefault } from '../evaluate/operators.ts';
import { nodesOf, type Provenance } from '../evaluate/provenance.ts';
import { isTest } from '../evaluate/test-files.ts';
import { type Entry, optionsOf, type Part, maxVariants, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';
import type { Step } from './call-paths.ts';
import type { Callers } from './recursion.ts';

/** One for all who make an instance, or some for those who decide in different ways who asks. */
export class Makers {
  readonly #ev: Evaluation;
  /** Whoever is not told apart from others has one frame with them, on whatever call path. */
  readonly #known = new Map<string, Caller>();
  readonly #numbers = new Map<Caller, number>();

  constructor(ev: Evaluation) {
    this.#ev = ev;
  }

  /** @param callers of one function; those who are joined are as many at most as alternatives of one place are told apart */
  joined(callers: Iterable<Caller | undefined>): (Caller | undefined)[] {
    const groups = Map.groupBy(callers, (caller) => (caller === undefined || !isMaker(caller) ? caller : this.#kindOf(caller)));
    return [...groups.values()].flatMap((group) => {
      const all = group.filter((caller) => caller !== undefined);
      const count = Math.max(1, Math.ceil(all.length / maxVariants));
      return Array.from({ length: count }, (_, index) => this.#join(all.slice(index * maxVariants, (index + 1) * maxVariants)));
    });
  }

  #join(group: readonly Caller[]): Caller | undefined {
    const [first, second] = group;
    if (first === undefined || second === undefined) return first;
    const key = group.map((caller) => this.#numberOf(caller)).join();
    const known = this.#known.get(key) ?? { ...first, all: group };
    this.#known.set(key, known);
    return known;
  }

  #numberOf(caller: Caller): number {
    const number = this.#numbers.get(caller) ?? this.#numbers.size;
    this.#numbers.set(caller, number);
    return number;
  }

  /** A test is nothing that the program does, and whoever gives a function says who asks. */
  #kindOf({ args, module }: Caller): string {
    return `${isTest(module)} ${args(this.#ev, undefined).some((arg) => optionsOf(arg).some(isOrHoldsCalled))}`;
  }
}

/** `new Client(…)`, where it is known whose constructor that is. */
const isMaker = ({ node, isPassed }: Caller): boolean => node.isNew && isPassed !== true;

/** How many call paths those who make an instance are on at least, with each of those who call the functions on the way. */
export const waysBy = (callers: Iterable<Caller | undefined>, steps: readonly Step[], all: Callers): number =>
  steps.reduce(
    (count, { owner }) => count * (isConstructor(owner) ? 1 : Math.max(1, all.get(owner)?.length ?? 0)),
    [...callers].filter((caller) => caller !== undefined && isMaker(caller)).length,
  );

export const isConstructor = ({ parent }: Step['owner']): boolean => parent?.kind === 'classMember' && parent.role === 'constructor';

const isOrHoldsCalled = (value: Value): boolean =>
  isCalled(value) || (value.type === 'object' && value.entries.some((entry) => optionsOf(entry.value()).some(isCalled)));

const isCalled = ({ type }: Value): boolean => type === 'function' || type === 'http';

type Read = readonly Part[] | { readonly node: Node | undefined; readonly provenance?: Provenance };

export interface Asked {
  readonly url: readonly Part[] | undefined;
  readonly callers: readonly Caller[];
}

/**
 * Addresses with the callers on the call path: of those who are not told apart the ones that gave what an address is made of, or what is asked there;
 * where none did, all may have left it out. What a class has for that is asked, too, by each who may give nothing: `base: env.URL`.
 */
export function withCallers(steps: readonly Step[], http: Value, urls: readonly (readonly Part[] | undefined)[]): readonly Asked[] {
  const joined = steps.flatMap(({ owner, caller }) => (caller?.all === undefined ? [] : { owner, all: caller.all }));
  if (joined.length === 0) return urls.map((url) => ({ url, callers: steps.flatMap(({ caller }) => caller ?? []) }));
  const by: Read = { node: undefined, provenance: http.provenance };
  const isGiven = (url: readonly Part[]): boolean => joined.some(({ all }) => givenBy(all, url) !== undefined);
  const files = new Set(joined.map(({ owner }) => rootOf(owner)));
  const defaults = urls.filter((url = []) => {
    const [first] = url;
    return first !== undefined && 'text' in first && first.source !== undefined && !isGiven(url) && files.has(rootOf(first.source.node));
  });
  const isOpen = (url: readonly Part[]): boolean => {
    const [first] = url;
    return first !== undefined && 'unknownPart' in first && isLeftToDefault(first.unknownPart) && isGiven(url);
  };
  return urls.flatMap((url): Asked[] => {
    const callers = callersOn(steps, url ?? [], by);
    return callers === undefined ? [] : [url, ...(isOpen(url ?? []) ? defaults : [])].map((each) => ({ url: each, callers }));
  });
}

/** @returns undefined where what is asked comes from another maker than the address */
function callersOn(steps: readonly Step[], url: readonly Part[], by: Read): readonly Caller[] | undefined {
  const found: Caller[] = [];
  for (const { caller } of steps) {
    if (caller?.all === undefined) {
      if (caller !== undefined) found.push(caller);
      continue;
    }
    const [own, others] = [givenBy(caller.all, url), givenBy(caller.all, by)];
    const both = own === undefined || others === undefined ? (own ?? others ?? caller.all) : own.filter((each) => others.includes(each));
    if (both.length === 0) return undefined;
    found.push(...both);
  }
  return found;
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

/** Whether an address and a header may come from the same maker. */
export function areOfOneMaker(steps: readonly Step[], url: readonly Part[], entry: Entry): boolean {
  return steps.every(({ caller }) => {
    if (caller?.all === undefined) return true;
    const own = givenBy(caller.all, entry);
    return own === undefined || (givenBy(caller.all, url) ?? own).some((each) => own.includes(each));
  });
}

const known = new WeakMap<readonly Caller[], WeakMap<Read, readonly Caller[] | undefined>>();
const byNode = new WeakMap<readonly Caller[], ReadonlyMap<Node, Caller>>();

function givenBy(all: readonly Caller[], read: Read): readonly Caller[] | undefined {
  const before = known.get(all) ?? new WeakMap<Read, readonly Caller[] | undefined>();
  known.set(all, before);
  if (before.has(read)) return before.get(read);
  const calls = byNode.get(all) ?? new Map(all.map((caller) => [caller.node, caller]));
  byNode.set(all, calls);
  const found = new Set<Caller>();
  for (const node of placesOf(read))
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      const caller = calls.get(at);
      if (caller !== undefined) found.add(caller);
    }
  const given = found.size === 0 ? undefined : [...found];
  before.set(read, given);
  return given;
}

const isParts = (read: Read): read is readonly Part[] => Array.isArray(read);

const placesOf = (read: Read): readonly Node[] =>
  isParts(read)
    ? read.flatMap((part) => [...cameBy(part.provenance), ...('text' in part && part.source !== undefined ? [part.source.node] : [])])
    : [...(read.node === undefined ? [] : [read.node]), ...cameBy(read.provenance)];

const cameBy = (provenance: Provenance): readonly Node[] => nodesOf(provenance).map(({ node }) => node);
