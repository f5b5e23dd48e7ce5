/** One look at every call and write of a component: the requests, who calls which function, and what is done to clients. */
import type { Mutation } from '../evaluate/libraries/client-rule.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { addCaller, type Called, CallersByFunction, recordCall } from './calls.ts';
import { isCallOnThis } from '../evaluate/classes/super-calls.ts';
import { comparedAt } from '../evaluate/language/comparisons.ts';
import { IdleCalls } from './idle-calls.ts';
import { rootOf, recordWrite, targetOf, type Write } from './mutations.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { escapingCallbacks } from './escaping-callbacks.ts';
import type { Place } from '../evaluate/budget.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { recordReplaced } from './replaced-methods.ts';
import { declaredIn, isKnown, isSink, requestsOf, type Sink, taggedIn } from './sinks.ts';
import { allOf, type Caller } from '../evaluate/calls/callers.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { optionsOf, type Part, type Value } from '../evaluate/values/values.ts';
import { type Incoming, incomingTo, type Owner, type Way, waysTo } from './call-paths.ts';

export interface CallGraph {
  /** Whether an address is another service's, whatever its unknown parts are: who calls has no say in it then. */
  readonly isForeign?: (url: readonly Part[]) => boolean;
  /** Whether an address is that of a host that is not ours. */
  readonly isElsewhere?: (url: readonly Part[]) => boolean;
  /** Calls that make a request; of a chain the whole. */
  readonly sinks: readonly Sink[];
  /** Calls by the function or constructor that they call. */
  readonly callers: ReadonlyMap<Node, readonly Caller[]>;
  /** What is done to clients, by where these come from. */
  readonly mutations: ReadonlyMap<Node | string, readonly Mutation[]>;
  /** Functions that code which was not read may call, too. */
  readonly escapingCallbacks: ReadonlySet<Node>;
  /** Where not every way to what may be a client was followed: what is asked there, nobody has seen. */
  readonly cut: readonly Place[];
  /** What may come there: clients, and functions and classes with requests in them. */
  readonly incoming: ReadonlyMap<Node, Incoming>;
  /** Calls of which it was too much to find out whether they make a request, or which. */
  readonly expensive: ReadonlyMap<Node, SourceModule>;
}

interface Found extends Called {
  /** What was not followed on all ways. */
  readonly cut: Place[];
}

interface PassedCall extends Sink {
  readonly call: CallNode;
  /** Whether it asks where nothing is given, too. */
  readonly isAsking: boolean;
}

/** Steps for a call that is the language's own in all likelihood, and for a comparison: what a mock compares is at hand where it does. */
const maxWhereUnlikely = 500;

export function callGraphOf(ev: Evaluation): CallGraph {
  const found: Found = { callers: new CallersByFunction(), mutations: new Map(), cut: [] };
  const sinks: Sink[] = [];
  const passedCalls: PassedCall[] = [];
  const passedWrites: { readonly write: Write; readonly root: Node; readonly module: SourceModule }[] = [];
  const expensive = new Map<Node, SourceModule>();
  const own = ownMethods(ev);
  const idle = new IdleCalls(ev);
  const mayCompare = [...ev.world.modules.values()].some(({ text }) => combined(ev.rules).comparesIn(text));
  for (const module of ev.world.modules.values()) {
    const at: At = { module, frame: undefined };
    for (const call of module.calls) {
      if (idle.has(call, module)) continue;
      const place: Place = { node: call, module };
      // What nothing hangs on is not too complex where others took all that there was.
      const isPassedOver = ev.budget.isFar(place) && ev.budget.isSpent(place);
      const before = ev.budget.cuts;
      if (ev.budget.isUsedUp(place)) {
        ev.budget.cut();
        if (!isPassedOver) expensive.set(call, module);
        continue;
      }
      const fn = idle.perItemFunction(call);
      if (fn !== undefined) {
        found.callers.onDemand(fn, () => recordCall(ev, call, at, found));
        continue;
      }
      const isUnlikely = idle.isUnlikely(call, module);
      const record = (): void => {
        recordCall(ev, call, at, found);
        const isAsking = isSink(ev, call, at);
        if (isAsking) sinks.push({ call, module });
        // What is asked by default may be something else where it is given: `(given ?? fetch)(url)`.
        if ((isAsking || mayMatter(ev, call, own)) && isParam(ev, call.callee, at)) passedCalls.push({ call, module, isAsking });
      };
      if (isUnlikely) ev.budget.question(place, record, maxWhereUnlikely);
      else record();
      if (isUnlikely) ev.budget.restore(before);
      if (ev.budget.cuts > before && !isPassedOver) expensive.set(call, module);
    }
    sinks.push(...declaredIn(ev, module), ...taggedIn(ev, module));
    for (const node of mayCompare ? module.comparisons : [])
      if (ev.budget.question({ node, module }, () => expectsAny(comparedAt(ev, node, at)), maxWhereUnlikely).value)
        sinks.push({ call: node, module });
    for (const write of [...module.writes, ...module.deletions]) {
      recordWrite(ev, write, at, found.mutations);
      const root = rootOf(targetOf(write));
      if (combined(ev.rules).maySet(module.text.slice(write.start, targetOf(write).end)) && isParam(ev, root, at))
        passedWrites.push({ write, root, module });
    }
  }
  const known = new Set(sinks.map(({ call }) => call));
  sinks.push(...recordPassed(ev, passedCalls, found).filter(({ call }) => !known.has(call)));
  for (const { write, root, module } of passedWrites) {
    for (const { frame } of followedTo(ev, root, module, found)) recordWrite(ev, write, { module, frame }, found.mutations);
  }
  recordReplaced(ev, sinks, found);
  const { callers, mutations, cut } = found;
  const incoming = incomingTo(ev, callers, cut, asking(sinks));
  return { sinks, callers, mutations, escapingCallbacks: escapingCallbacks(ev, callers.keys()), cut, incoming, expensive };
}

/** Whether a comparison expects requests, or those that a caller says. */
const expectsAny = (value: Value): boolean => requestsOf(value).length > 0 || optionsOf(value).some(({ type }) => type === 'param');

/** The ways to something, with a note where these are not all. */
function* followedTo(
  ev: Evaluation,
  node: Node,
  module: SourceModule,
  { callers, cut }: Found,
  owners: Set<Owner> = new Set(),
): Generator<Way> {
  const marked = { isCut: false, owners };
  yield* waysTo(ev, callers, node, module, marked);
  if (marked.isCut) cut.push({ node, module });
}

/** Tells what may make a request: clients, and functions and classes with requests in them. */
function asking(sinks: readonly Sink[]): (value: Value) => boolean {
  const around = new Set<Node>();
  for (const { call } of sinks) for (let at = call.parent; at !== undefined && !around.has(at); at = at.parent) around.add(at);
  return (value) => {
    const of = value.type === 'method' ? value.receiver : value.type === 'instance' ? value.of : value;
    return of.type === 'http' || ((of.type === 'function' || of.type === 'class' || of.type === 'object') && around.has(of.node));
  };
}

const isParam = (ev: Evaluation, node: Node, at: At): boolean => optionsOf(ev.evaluate(node, at)).some(({ type }) => type === 'param');

/** How often functions are passed on by functions that are passed themselves. */
const maxRounds = 6;

/** Whether a call of something that may be a parameter is worth to be followed, by its name alone. */
function mayMatter(ev: Evaluation, call: CallNode, own: ReadonlySet<string>): boolean {
  const callee = calledBy(call);
  if (callee.kind !== 'member') return callee.kind === 'name';
  // A field that is called holds a function that its class was given, whatever it is called: `this.#transport(url)`.
  if (callee.object.kind === 'this') return true;
  return callee.property === undefined || combined(ev.rules).mayAsk(callee.property) || own.has(callee.property);
}

/** What a call calls, by itself or by its `call` and `apply`. */
const calledBy = ({ callee }: CallNode): Node =>
  callee.kind === 'member' && callee.object.kind === 'member' && /^(?:call|apply)$/.test(callee.property ?? '') ? callee.object : callee;

/** The names of the project's own methods: an argument may be an instance of a class of its own, or one of its objects that has a function which may ask. */
function ownMethods(ev: Evaluation): Set<string> {
  const { mayAsk, functionsIn } = combined(ev.rules);
  const found = new Set<string>();
  for (const module of ev.world.modules.values()) {
    const { classes, calls } = module;
    for (const name of functionsIn(module)) found.add(name);
    for (const { members } of classes) for (const { role, name } of members) if (role === 'method' && name !== undefined) found.add(name);
    for (const { callee } of calls)
      if (callee.kind === 'name' ? mayAsk(callee.name) : callee.kind === 'member' && mayAsk(callee.property ?? ''))
        for (let at = callee.parent; at !== undefined; at = at.parent)
          if (at.kind === 'property' && at.value.kind === 'function' && at.name !== undefined) found.add(at.name);
  }
  return found;
}

/**
 * Calls of what is a parameter, or of a parameter: of a client, request or function only because of who calls. A function that is found to be
 * called by one of them may be where another gets its client from: that one is looked at again.
 * @returns those that make a request on some way
 */
function recordPassed(ev: Evaluation, calls: readonly PassedCall[], found: Found): PassedCall[] {
  const waiting = new Set(calls);
  const rounds = new Map<PassedCall, number>();
  const dependents = new Map<Owner, Set<PassedCall>>();
  const mayAsk = new Set<PassedCall>();
  // A set that grows while it is walked.
  for (const passed of waiting) {
    waiting.delete(passed);
    const round = (rounds.get(passed) ?? 0) + 1;
    rounds.set(passed, round);
    if (round > maxRounds) {
      found.cut.push({ node: passed.call.callee, module: passed.module });
      continue;
    }
    const owners = new Set<Owner>();
    const { called, isMore } = calledAt(ev, passed, found, owners);
    if (isMore) mayAsk.add(passed);
    for (const owner of owners) {
      const others = dependents.get(owner);
      if (others === undefined) dependents.set(owner, new Set([passed]));
      else others.add(passed);
    }
    for (const fn of called) for (const other of dependents.get(fn) ?? []) waiting.add(other);
  }
  return calls.filter((passed) => mayAsk.has(passed) && makesRequestAt(ev, passed, found));
}

/**
 * The functions that a call calls as parameters.
 * @param owners gets the functions whose callers decide that
 * @returns those that were not known to be called here, and whether it may call anything else that matters
 */
function calledAt(
  ev: Evaluation,
  passed: PassedCall,
  found: Found,
  owners: Set<Owner>,
): { readonly called: readonly FunctionNode[]; readonly isMore: boolean } {
  const { call, module } = passed;
  const args: Caller['args'] = (evaluation, frame) => evaluation.args(call, { module, frame });
  const called: FunctionNode[] = [];
  let isMore = isCallOnThis(call);
  for (const { value } of waysOfProgram(ev, passed, found, owners)) {
    for (const callee of optionsOf(value)) {
      if (callee.type !== 'function') isMore ||= mayMatterAs(ev, callee);
      else if (addCaller(found.callers, callee.node, { node: call, module, isPassed: true, isPlain: true, args })) called.push(callee.node);
    }
  }
  return { called, isMore };
}

/** The ways to what is called; what a test gives in place of what asks by default stands for that. */
function* waysOfProgram(ev: Evaluation, { call, module, isAsking }: PassedCall, found: Found, owners?: Set<Owner>): Generator<Way> {
  for (const way of followedTo(ev, call.callee, module, found, owners)) if (!isAsking || !isOfTest(way.frame)) yield way;
}

function isOfTest(frame: Frame | undefined): boolean {
  for (let at = frame; at !== undefined; at = at.outer)
    if (at.call !== undefined && allOf(at.call).every((each) => isTest(each.module))) return true;
  return false;
}

/** Whether a call of something that is no function has to be looked at more closely. */
const mayMatterAs = (ev: Evaluation, callee: Value): boolean =>
  callee.type === 'class' ||
  isKnown(ev, callee) ||
  (callee.type === 'method' && (callee.receiver.type === 'list' || callee.receiver.type === 'function'));

/** @returns whether a call makes a request on some way; on each it is surveyed */
function makesRequestAt(ev: Evaluation, passed: PassedCall, found: Found): boolean {
  const { call, module } = passed;
  let makesRequest = false;
  for (const { frame } of waysOfProgram(ev, passed, found)) {
    const at: At = { module, frame };
    recordCall(ev, call, at, found);
    makesRequest ||= isSink(ev, call, at);
  }
  return makesRequest;
}
