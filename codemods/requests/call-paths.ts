/** The ways through callers to a place in the code: what is a parameter there has a value on each of them. */
import type { ClassNode, Node } from '../syntax/tree.ts';
import type { Place } from '../evaluate/budget.ts';
import { classAround, functionAround } from '../evaluate/calls/callees.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import { isInjected } from '../evaluate/names/bindings.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isPutByName } from '../evaluate/libraries/provided.ts';
import { moduleAround, type SourceModule } from '../evaluate/module.ts';
import { isWithin } from '../evaluate/names/named.ts';
import { constructorRunBy, heirsOf, isInherited } from '../evaluate/classes/subclasses.ts';
import { isCalledByTestsAlone } from '../clients/testing/libraries.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { type ClassValue, maxVariants, optionsOf, type ParamValue, type Value } from '../evaluate/values/values.ts';
import { leavesBehind } from './left-behind.ts';
import { Makers } from './makers.ts';
import { mentionsThis } from './mentions-this.ts';
import { givenTo } from './given-to.ts';
import { isNeighbour } from './neighbours.ts';
import { selfAt } from './self-at.ts';
import { frameOfGiven, isCalledBeside, type Wrapped, wrappedIn } from './wrapped.ts';
import { againBy, type Callers, type Cycle, cyclesOf } from './recursion.ts';

/** More ways than this to what may be a client are not followed. */
const maxPaths = 400;
const maxPathDepth = 10;
/** Nor more steps of the evaluation than this. */
const maxSteps = 3_000;

export type Owner = ParamValue['owner'];

export interface Step {
  readonly owner: Owner;
  /** undefined: nobody calls it, or nobody that can be seen. */
  readonly caller: Caller | undefined;
}

/** The call of a function in which another was made, where it is one. */
export function makerIn(frame: Frame | undefined, owner: Owner): Node | undefined {
  for (let at = frame; at !== undefined; at = at.outer)
    if (at.owner === owner) return at.by ?? (at.call?.all === undefined ? at.call?.node : undefined);
  return undefined;
}

/** The class or function that a call stands in. */
const placeOf = (caller: Caller | undefined): Node | undefined =>
  caller && (classAround(caller.node) ?? functionAround(caller.node) ?? caller.node);

const around = new WeakMap<Node, ReadonlySet<Node>>();

/** What is known of the call paths of one question; it is let go with the question. */
export class Frames {
  readonly #ev: Evaluation;
  readonly #callers: Callers;
  readonly #cycles = new Map<Owner, readonly Cycle[]>();
  readonly #tested = new Map<Owner, boolean>();
  /** By what is around it, whose it is and who calls: the same call path has the same frame, and what is known in it is known again. */
  readonly #known = new Map<Frame | undefined, Map<Owner, Map<Caller | undefined, Frame>>>();

  constructor(ev: Evaluation, callers: Callers) {
    this.#ev = ev;
    this.#callers = callers;
  }

  /**
   * Who calls a function that is to be chosen next. Who leads back to a function on the way is left out: it is part of what is given to that.
   * Of a function that is on the way already, those call it who stand elsewhere than who does there.
   * @returns undefined for whoever is not seen to
   */
  callersOf(owner: Owner, steps: readonly Step[]): readonly (Caller | undefined)[] {
    const before = steps.find((step) => step.owner === owner);
    if (before !== undefined) return this.#othersOf(owner).filter((caller) => placeOf(caller) !== placeOf(before.caller));
    const others = this.#othersOf(owner);
    if (others.length === 0) return [undefined];
    const made = others.length === 1 ? others : others.filter((caller) => this.isMadeBy(owner, caller, steps));
    const classes = made.length === 1 ? [] : this.#heirsOn(owner, steps);
    const fitting = made.filter((caller) => classes.length === 0 || classes.some((of) => this.#mayMake(caller, of)));
    const found = (fitting.length === 0 ? made : fitting).filter(
      (caller) => !steps.some((step) => this.#leadsBackTo(step, caller, owner, steps)),
    );
    return this.isRunByContainer(owner) ? [...found, undefined] : found;
  }

  /**
   * One step more: each stands before those of the functions that its call stands in, as these say what it is given, and a method that is called on a name
   * outside classes before those that say what the instance of that name is, where it is one: of several each would have to be asked for.
   */
  withStep(steps: readonly Step[], step: Step): Step[] {
    const isOfInstance = isCalledOnName(this.#ev, step) && !steps.some(({ owner }) => owner === step.owner);
    const waiting = isOfInstance ? [step, ...steps] : [...steps, step];
    const ordered: Step[] = [];
    const isCalledIn = ({ caller }: Step, owner: Owner): boolean => caller !== undefined && this.#ownersAround(caller).has(owner);
    while (waiting.length > 0) {
      const isInnermost = ({ owner }: Step): boolean => !waiting.some((other) => other.owner !== owner && isCalledIn(other, owner));
      // Of a function that is on the way twice the calls further in come first, whatever stands in it.
      const isTwice = ({ owner }: Step, index: number): boolean => waiting.slice(index + 1).some((other) => other.owner === owner);
      const next = [isInnermost, isTwice].map((is) => waiting.findIndex(is)).find((index) => index !== -1);
      ordered.push(...waiting.splice(next ?? 0, 1));
    }
    return ordered;
  }

  /** The functions around a call, and the constructors that make what the classes around it are of: what their fields hold, is made while these run. */
  #ownersAround(caller: Caller): ReadonlySet<Node> {
    if (caller.all !== undefined) return new Set(caller.all.flatMap((each) => [...this.#ownersAround(each)]));
    const { node, module } = caller;
    const known = around.get(node);
    if (known !== undefined) return known;
    const found = new Set<Node>();
    for (let at = node.parent; at !== undefined; at = at.parent) {
      if (at.kind === 'function') found.add(at);
      if (at.kind === 'class') found.add(constructorRunBy(this.#ev, { type: 'class', node: at, module, frame: undefined }));
    }
    around.set(node, found);
    return found;
  }

  /** Of a constructor that classes inherit, those whose methods are on the way: on instances of others nobody calls these. */
  #heirsOn({ parent }: Owner, steps: readonly Step[]): readonly ClassNode[] {
    const of = parent?.kind === 'classMember' && parent.role === 'constructor' ? parent.parent : undefined;
    if (of?.kind !== 'class' || !isInherited(this.#ev, of)) return [];
    const heirs = new Set<Node>(heirsOf(this.#ev, of).map(({ node }) => node));
    const places = steps.flatMap(({ owner, caller }) => [owner, ...(caller === undefined ? [] : [caller.node])]);
    return [...new Set(places.flatMap((place) => classAround(place) ?? []))].filter((each) => heirs.has(each));
  }

  /** Whether a call of a constructor may make an instance of a class, or of one that inherits from it. */
  #mayMake({ node, module }: Caller, of: ClassNode): boolean {
    const { callee } = node;
    if (callee.kind === 'super')
      return [classAround(node)].every((by) => by === undefined || this.#isBelow(by, of) || this.#isBelow(of, by));
    // `new this(client)` makes one of whatever class it is called on.
    if (callee.kind !== 'name' && !(callee.kind === 'member' && callee.object.kind === 'name')) return true;
    const made = optionsOf(this.#ev.evaluate(callee, { module, frame: undefined }));
    return !made.every((each) => each.type === 'class' && !this.#isBelow(each.node, of));
  }

  #isBelow(one: ClassNode, other: ClassNode): boolean {
    return one === other || heirsOf(this.#ev, other).some(({ node }) => node === one);
  }

  /**
   * Whether a function that another makes is called on the way as that one made it: `const get = api('GET')` is not what `api('POST')` gives. What calls its
   * neighbour, `get: (path) => request('GET', path)`, was made with it, so whoever calls that says which one it is. One that calls what another call made,
   * `fallback.get(path)`, stands on a way through both.
   */
  isMadeBy(owner: Owner, caller: Caller | undefined, steps: readonly Step[]): boolean {
    if (caller === undefined || caller.all !== undefined || leavesBehind(owner, () => moduleAround(owner))) return true;
    let call: Node | undefined;
    for (const [index, step] of steps.entries()) {
      if (step.caller === undefined || step.owner === owner || !isWithin(owner, step.owner)) continue;
      if (call !== undefined && !isWithin(step.owner, call)) continue;
      call = step.caller.node;
      const wrapped = this.#wrappedAlone(owner, step, steps);
      if (wrapped !== undefined && isCalledBeside(owner, wrapped.caller)) {
        call = undefined;
        continue;
      }
      const makers = this.#makersOf(step.owner, step.caller, owner, steps.slice(index + 1), wrapped);
      if (!isWithin(owner, call)) return makers.some((maker) => maker === undefined || maker === caller.node);
      const isOfSame = makers.length > 0 && makers.every((maker) => maker === caller.node);
      if (!isOfSame && !isNeighbour(step.caller, step.owner)) return true;
    }
    return true;
  }

  /** The calls of a function in which those were made that a call of one within it may be of; undefined where that is not known. */
  #makersOf(inner: Owner, caller: Caller, owner: Owner, steps: readonly Step[], wrapped?: Wrapped): (Node | undefined)[] {
    if (wrapped !== undefined && !isWithin(owner, wrapped.caller.node)) return this.#makersOfWrapped(wrapped, owner, steps);
    const callees = this.#calledBy(caller, this.of(steps));
    return callees.map((value) => (value.type === 'function' && value.node === inner ? makerIn(value.frame, owner) : undefined));
  }

  /** What is only called by a wrapper that it was given to, where only what stands beside it calls what that made, or what is not made with it. */
  #wrappedAlone(owner: Owner, { owner: inner, caller }: Step, steps: readonly Step[]): Wrapped | undefined {
    const wrapped = caller && wrappedIn(owner, caller, steps);
    if (caller === undefined || wrapped === undefined) return undefined;
    const isOwn = (each: Caller): boolean => each.node === caller.node || isNeighbour(each, inner);
    const isBeside = (each: Caller): boolean => !isWithin(owner, each.node) || isCalledBeside(owner, each);
    const isAlone = this.#othersOf(inner).every(isOwn) && this.#othersOf(wrapped.made).every(isBeside);
    return isAlone ? wrapped : undefined;
  }

  #makersOfWrapped(wrapped: Wrapped, owner: Owner, steps: readonly Step[]): (Node | undefined)[] {
    const further = steps.slice(steps.findIndex((step) => step.caller === wrapped.caller) + 1);
    return this.#calledBy(wrapped.caller, this.of(further)).map((value) => makerIn(frameOfGiven(value, wrapped), owner));
  }

  #calledBy(caller: Caller, frame: Frame | undefined): readonly Value[] {
    const { node, module } = caller;
    return caller.called?.(this.#ev, frame) ?? optionsOf(this.#ev.evaluate(node.callee, { module, frame }));
  }

  /** Whether only tests are seen to call a function of the program, beside itself, or to hand it to what does: others may, too. */
  isOnlyTested(owner: Owner): boolean {
    const known = this.#tested.get(owner);
    if (known !== undefined) return known;
    // Of functions that call each other none is run by itself.
    this.#tested.set(owner, false);
    const result = this.#isRunByTests(owner);
    this.#tested.set(owner, result);
    return result;
  }

  #isRunByTests(owner: Owner): boolean {
    const callers = this.#othersOf(owner);
    const isOfTests = (caller: Caller): boolean =>
      isTest(caller.module) || [givenTo(caller)].some((fn) => fn !== undefined && this.isOnlyTested(fn));
    if (callers.length === 0 || !callers.every(isOfTests) || this.isRunByContainer(owner)) return false;
    const module = moduleAround(owner);
    // The program calls none of the tests' own.
    return module === undefined || !isCalledByTestsAlone(module);
  }

  /** Whether a container makes what a constructor is of, or calls a function by the names of its parameters, beside those who call it. */
  isRunByContainer(owner: Owner): boolean {
    const module = owner.kind === 'function' ? moduleAround(owner) : undefined;
    if (owner.kind !== 'function' || module === undefined) return false;
    const isGiven = owner.parent?.kind === 'classMember' && owner.parent.role === 'constructor' ? isInjected : isPutByName;
    return owner.params.some((param) => isGiven(this.#ev, param, { module, frame: undefined }));
  }

  #othersOf(owner: Owner): readonly Caller[] {
    const all = this.#callers.get(owner) ?? [];
    const own = new Set(this.#cyclesOf(owner).flatMap((cycle) => (cycle.length === 1 ? cycle.map(({ caller }) => caller) : [])));
    return own.size === 0 ? all : all.filter((caller) => !own.has(caller));
  }

  #cyclesOf(owner: Owner): readonly Cycle[] {
    const known = this.#cycles.get(owner) ?? cyclesOf(this.#callers, owner);
    this.#cycles.set(owner, known);
    return known;
  }

  /** Whether a call of a function closes a circle with the steps from one on. */
  #leadsBackTo(from: Step, caller: Caller, owner: Owner, steps: readonly Step[]): boolean {
    return this.#cyclesOf(from.owner).some((cycle) => {
      const last = cycle.at(-1);
      if (cycle.length === 1 || last?.of !== owner || last.caller !== caller || cycle[0]?.caller !== from.caller) return false;
      return cycle.slice(0, -1).every(({ of, caller: by }) => steps.some((step) => step.owner === of && step.caller === by));
    });
  }

  /** Frames of the chosen callers: each call's arguments are evaluated in the frames further out. */
  of(steps: readonly Step[]): Frame | undefined {
    let frame: Frame | undefined;
    for (const { owner, caller } of steps.toReversed()) {
      const around = this.#known.get(frame) ?? new Map<Owner, Map<Caller | undefined, Frame>>();
      this.#known.set(frame, around);
      const byCaller = around.get(owner) ?? new Map<Caller | undefined, Frame>();
      around.set(owner, byCaller);
      const known = byCaller.get(caller) ?? calledFrame(this.#ev, { owner, caller }, frame, this.#cyclesOf(owner));
      byCaller.set(caller, known);
      frame = known;
    }
    return frame;
  }
}

function isCalledOnName(ev: Evaluation, { owner, caller }: Step): boolean {
  if (caller === undefined || !mentionsThis(owner) || classAround(caller.node) !== undefined) return false;
  const { callee } = caller.node;
  let root = callee;
  while (root.kind === 'member') root = root.object;
  if (root.kind !== 'name' || callee.kind !== 'member') return false;
  // What the caller is given itself, `app.messages`, is known with who calls that.
  const isOwn = (value: Value): boolean => value.type === 'literal' || (value.type === 'param' && isWithin(value.owner, caller.node));
  const held = optionsOf(ev.evaluate(callee.object, { module: caller.module, frame: undefined })).filter((value) => !isOwn(value));
  return held.length === 1 && held[0]?.type === 'instance';
}

function calledFrame(ev: Evaluation, { owner, caller }: Step, outer: Frame | undefined, cycles: readonly Cycle[]): Frame {
  const self = caller === undefined || !mentionsThis(owner) ? undefined : selfAt(ev, caller, outer, owner);
  const again = cycles.length === 0 ? {} : { again: cycles.flatMap(againBy) };
  const frame = { owner, ...(caller === undefined ? {} : { call: caller }), ...again, ...(self === undefined ? {} : { self }), outer };
  const heir = caller === undefined ? undefined : heirMade(ev, owner, caller);
  return heir === undefined
    ? frame
    : { owner: heir.below, self: { type: 'instance', of: { ...heir.of, frame }, args: undefined }, outer: frame };
}

/** The class whose instance `new` makes by a constructor that it inherits: what nobody is seen to call on one, is asked of that alone. */
function heirMade(
  ev: Evaluation,
  { parent }: Owner,
  { node, module, all }: Caller,
): { readonly of: ClassValue; readonly below: ClassNode } | undefined {
  const below = parent?.kind === 'classMember' && parent.role === 'constructor' ? parent.parent : undefined;
  if (below?.kind !== 'class' || !node.isNew || all !== undefined || !isInherited(ev, below)) return undefined;
  const [of, more] = optionsOf(ev.evaluate(node.callee, { module, frame: undefined }));
  return of?.type === 'class' && of.node !== below && more === undefined ? { of, below } : undefined;
}

/** Whether a call stands in another function together with what it calls: they may be of two calls of that, `fallback.get(path)`, of which one is given the other. */
const isBesideOther = (steps: readonly Step[], owner: Owner, { node }: Caller): boolean =>
  steps.some((step) => step.owner !== owner && isWithin(step.owner, owner) && isWithin(step.owner, node));

/**
 * Whether the calls of a way lead where it says: a function that was passed is called only by what it was passed to.
 * @returns the functions whose callers decide that, none where it is so, undefined where it is not
 */
export function passedBy(ev: Evaluation, steps: readonly Step[], frames: Frames): ReadonlySet<Owner> | undefined {
  const owners = new Set<Owner>();
  for (const [index, { owner, caller }] of steps.entries()) {
    if (caller?.isPassed !== true) continue;
    const frame = frames.of(steps.slice(index + 1));
    const callees = optionsOf(ev.evaluate(caller.node.callee, { module: caller.module, frame }));
    if (callees.some((value) => value.type === 'function' && value.node === owner)) continue;
    const open = callees.filter((value) => value.type === 'param');
    if (open.length === 0 && (callees.some(({ type }) => type === 'function') || !isBesideOther(steps, owner, caller))) return undefined;
    for (const value of open) owners.add(value.owner);
  }
  return owners;
}

export interface Way {
  readonly frame: Frame | undefined;
  readonly value: Value;
}

/** What is known of all call paths to something together. */
export interface Followed {
  /** Whether not all were followed. */
  isCut: boolean;
  /** The functions whose callers decide which ways there are. */
  readonly owners: Set<Owner>;
}

/**
 * What a node is on each way to it, when it is a parameter no more: given by a caller, or unknown where nobody is seen to call.
 * @param marked gets what is known of them together
 */
export function* waysTo(
  ev: Evaluation,
  callers: Callers,
  node: Node,
  module: SourceModule,
  marked: Followed = { isCut: false, owners: new Set() },
): Generator<Way> {
  const frames = new Frames(ev, callers);
  const makers = new Makers(ev);
  const waiting: Step[][] = [[]];
  const maxSpent = ev.budget.spent + maxSteps;
  let budget = maxPaths;
  for (let steps = waiting.pop(); steps !== undefined; steps = waiting.pop()) {
    if (budget-- <= 0 || ev.budget.isSpent({ node, module }) || ev.budget.spent > maxSpent || steps.length > maxPathDepth) {
      marked.isCut = true;
      return;
    }
    const frame = frames.of(steps);
    const value = ev.evaluate(node, { module, frame });
    const owners = new Set<Owner>();
    for (const option of optionsOf(value)) if (option.type === 'param') owners.add(option.owner);
    for (const { owner } of steps) owners.delete(owner);
    const [owner] = owners;
    if (owner !== undefined) marked.owners.add(owner);
    if (owner === undefined) yield { frame, value };
    else {
      const open = frames.isOnlyTested(owner) ? [undefined] : [];
      const next = frames.callersOf(owner, steps);
      // Each of a few is looked at by itself.
      const callers = next.length > maxVariants ? makers.joined(next) : next;
      for (const caller of [...callers, ...open]) waiting.push(frames.withStep(steps, { owner, caller }));
    }
  }
}

/** What may come to a place by whatever callers: values, and what comes to the functions whose parameters it may be. */
export interface Incoming {
  readonly values: readonly Value[];
  readonly owners: ReadonlySet<Owner>;
}

/**
 * What may come, of what is looked for, to places that were not followed way by way. What a function is called with is asked once, however
 * many places it comes to.
 * @returns it for each of the places, and for each function that decides what comes there
 */
export function incomingTo(
  ev: Evaluation,
  callers: Callers,
  places: Iterable<Place>,
  isLookedFor: (value: Value) => boolean,
): ReadonlyMap<Node, Incoming> {
  const found = new Map<Node, Incoming>();
  const all = new Set<Owner>();
  const incomingOf = (values: readonly Value[]): Incoming => {
    const options = values.flatMap(optionsOf);
    const owners = new Set(options.flatMap((option) => (option.type === 'param' ? option.owner : [])));
    for (const owner of owners) all.add(owner);
    return { values: options.filter(isLookedFor), owners };
  };
  for (const { node, module } of places) found.set(node, incomingOf([ev.evaluate(node, { module, frame: undefined })]));
  // A set that grows while it is walked.
  for (const owner of all) found.set(owner, incomingOf((callers.get(owner) ?? []).flatMap((caller) => caller.args(ev, undefined))));
  return found;
}
