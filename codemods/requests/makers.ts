/** Those who make a client, not told apart: what it is given is the join of what they give, and each request is again of those whose values it has. */
import { functionAround } from '../evaluate/calls/callees.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isLeftToDefault } from '../evaluate/language/or-default.ts';
import { nodesOf, type Provenance } from '../evaluate/values/provenance.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { textOf } from '../evaluate/values/text.ts';
import { type Entry, type HttpValue, optionsOf, type Part, partsOf, maxVariants, type Value } from '../evaluate/values/values.ts';
import type { Node } from '../syntax/tree.ts';
import type { Step } from './call-paths.ts';
import { mentionsThis } from './mentions-this.ts';
import type { Callers } from './recursion.ts';
import { paramsIn } from './returned-paths.ts';

/** One for all who make an instance, or some for those who decide in different ways who asks. */
export class Makers {
  readonly #ev: Evaluation;
  /** Whoever is not told apart from others has one frame with them, on whatever call path. */
  readonly #known = new Map<string, Caller>();
  readonly #numbers = new Map<Caller, number>();

  constructor(ev: Evaluation) {
    this.#ev = ev;
  }

  /**
   * @param callers of one function; those who are joined are as many at most as alternatives of one place are told apart
   * @param isMade whether what the function makes is all that they decide
   */
  joined(callers: Iterable<Caller | undefined>, isMade = false): (Caller | undefined)[] {
    const groups = Map.groupBy(callers, (caller) => (caller === undefined || !isMaker(caller, isMade) ? caller : this.#kindOf(caller)));
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

/** `new Client(…)`, where it is known whose constructor that is, and `createServer(config)`. */
const isMaker = ({ node, isPassed }: Caller, isMade: boolean): boolean => (node.isNew || isMade) && isPassed !== true;

/** How many call paths those who make an instance are on at least, with each of those who call the functions on the way. */
export const waysBy = (callers: Iterable<Caller | undefined>, steps: readonly Step[], all: Callers, isMade: boolean): number =>
  steps.reduce(
    (count, { owner }) => count * (isConstructor(owner) ? 1 : Math.max(1, all.get(owner)?.length ?? 0)),
    [...callers].filter((caller) => caller !== undefined && isMaker(caller, isMade)).length,
  );

/**
 * Whether what callers of a function give says where a request begins or with which headers, and not what is asked: `createServer(config)`, also where that
 * hands on what it makes to functions that ask. Where it is made or has a `this`, it is another one for each of those who call.
 */
export function decidesClientAlone(owner: Step['owner'], made: readonly HttpValue[]): boolean {
  if (!isOneForAll(owner)) return false;
  const ends = made.map(({ base, url, method, headers }) => {
    const { begin, rest } = base === undefined ? endsOf(url) : { begin: [base], rest: url === undefined ? [] : [url] };
    return { begin: [...begin, ...headers], rest: [...rest, ...(typeof method === 'object' ? [method] : [])] };
  });
  return ends.some(({ begin }) => isOf(owner, begin)) && !ends.some(({ rest }) => isOf(owner, rest));
}

/** The same of an address. */
export const decidesBeginAlone = (owner: Step['owner'], address: Value): boolean => isOneForAll(owner) && isBegin(owner, address);

/** Whether callers of a function give what an address begins with, and nothing behind that. */
export function isBegin(owner: Step['owner'], address: Value): boolean {
  const { begin, rest } = endsOf(address);
  return isOf(owner, begin) && !isOf(owner, rest);
}

const isOf = (owner: Step['owner'], values: readonly Value[]): boolean => values.flatMap(paramsIn).some((param) => param.owner === owner);

/** A function on no step yet whose callers give what requests begin with. */
export const beginOwner = (made: readonly HttpValue[], steps: readonly Step[]): Step['owner'] | undefined =>
  made
    .flatMap(({ base, url }) => (base === undefined ? endsOf(url).begin : [base]))
    .flatMap(paramsIn)
    .map(({ owner }) => owner)
    .find((owner) => !steps.some((step) => step.owner === owner));

const isOneForAll = (owner: Step['owner']): boolean =>
  owner.kind === 'function' && functionAround(owner) === undefined && !mentionsThis(owner);

/** What an address begins with, and what stands behind that; of what is no text nobody knows which is which. */
function endsOf(address: Value | undefined): { readonly begin: readonly Value[]; readonly rest: readonly Value[] } {
  const all = address === undefined ? [] : optionsOf(address);
  const ended = all.map((option) => {
    const [first, ...others] = option.type === 'text' ? partsOf(option) : [];
    return first === undefined || others.length === 0
      ? { begin: [], rest: [option] }
      : { begin: [textOf([first])], rest: [textOf(others)] };
  });
  return { begin: ended.flatMap(({ begin }) => begin), rest: ended.flatMap(({ rest }) => rest) };
}

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
