/** Who calls which function, and what is called on clients, at one call. */
import type { CallNode, Node } from '../syntax/tree.ts';
import { isFunction } from '../evaluate/classes/classes.ts';
import { isCallOnThis } from '../evaluate/classes/super-calls.ts';
import { type Mutations, madeAt, pathOf, push, recordAssign } from './mutations.ts';
import { constructorRunBy, superclassOf } from '../evaluate/classes/subclasses.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { isObjectAssign } from '../evaluate/writes/copies.ts';
import { isOfKnown } from '../evaluate/language/listings.ts';
import { originOf } from '../evaluate/libraries/library.ts';
import { mentionsThis } from './mentions-this.ts';
import { perItem } from '../syntax/item-methods.ts';
import { isKnown, makesRequest } from './sinks.ts';
import { type Caller, givenFrom, laidOut } from '../evaluate/calls/callers.ts';
import { choiceOf, type FunctionValue, optionsOf, unknown, type Value } from '../evaluate/values/values.ts';

/** Calls by the function that they call; some are only found out about when their function is asked for. */
export class CallersByFunction extends Map<Node, Caller[]> {
  readonly #waiting = new Map<Node, () => void>();

  /** @param record puts down who calls the function, as soon as anybody asks */
  onDemand(fn: Node, record: () => void): void {
    this.#waiting.set(fn, record);
  }

  override get(fn: Node): Caller[] | undefined {
    const record = this.#waiting.get(fn);
    this.#waiting.delete(fn);
    record?.();
    return super.get(fn);
  }

  override has(fn: Node): boolean {
    return this.get(fn) !== undefined;
  }
}

/** What a look at calls finds. */
export interface Called {
  readonly callers: CallersByFunction;
  readonly mutations: Mutations;
}

/** The places of those who call a function, so that one more is not compared with all. */
const places = new WeakMap<readonly Caller[], Set<Node>>();

/**
 * A place calls a function once, on however many ways it is found to.
 * @returns whether it was not known to
 */
export function addCaller(callers: Called['callers'], fn: Node, caller: Caller): boolean {
  const list = callers.get(fn) ?? [];
  callers.set(fn, list);
  const before = places.get(list);
  const known = before?.size === list.length ? before : new Set(list.map(({ node }) => node));
  places.set(list, known);
  if (known.has(caller.node)) return false;
  known.add(caller.node);
  list.push(caller);
  return true;
}

/** One call, in a frame where it is followed to: its callers and mutations are put to those that were found. */
export function recordCall(ev: Evaluation, call: CallNode, at: At, { callers, mutations }: Called): void {
  const { module, frame } = at;
  const caller: Caller = {
    node: call,
    module,
    isPassed: frame !== undefined,
    isPlain: true,
    args: (evaluation, within) => evaluation.args(call, { module, frame: within }),
  };
  if (call.callee.kind === 'super') {
    const constructor = superConstructor(ev, call, at);
    if (constructor !== undefined) push(callers, constructor, caller);
    return;
  }
  recordThen(ev, call, at, callers);
  if (isObjectAssign(call)) recordAssign(ev, call, at, mutations);
  if (isCallOnThis(call) && call.callee.kind === 'member') {
    const parent = ev.evaluate(call.callee.object, at);
    const args: Caller['args'] = (evaluation, within) => givenFrom(caller.args(evaluation, within), 1);
    if (parent.type === 'class') addCaller(callers, constructorRunBy(ev, parent), { ...caller, isPlain: false, args });
  }
  const callees = optionsOf(ev.evaluate(call.callee, at));
  const isPassed = caller.isPassed || callees.some(({ type }) => type === 'param');
  for (const callee of callees) {
    if (callee.type === 'function') addCaller(callers, callee.node, { ...caller, isPassed });
    else if (callee.type === 'class' && (call.isNew || isFunction(callee))) push(callers, constructorRunBy(ev, callee), caller);
    else if (callee.type === 'external' && isKnown(ev, callee)) {
      recordRuns(ev, callee, call, at, callers);
      if (!makesRequest(ev, call, at)) push(mutations, originOf(callee), { ...at, kind: 'call', node: call, path: pathOf(callee) });
    } else if (callee.type === 'method') recordMethod(ev, callee, call, at, { callers, mutations });
  }
}

/** `import('axios').then((axios) => …)`: a function is given what a promise resolves to, which an answer is not. */
function recordThen(ev: Evaluation, call: CallNode, at: At, callers: Called['callers']): void {
  const { callee } = call;
  if (callee.kind !== 'member' || callee.property !== 'then') return;
  const [fn] = ev.args(call, at);
  if (fn?.type !== 'function') return;
  const { module } = at;
  const given = (value: Value): Value => (value.type === 'http' && value.stage === 'request' ? unknown(call, module) : value);
  addCaller(callers, fn.node, {
    node: call,
    module,
    args: (evaluation, frame) => [choiceOf(optionsOf(evaluation.evaluate(callee.object, { module, frame })).map(given))],
  });
}

/** What a library calls in the name of the project: it is called here, with what the rule says of the arguments on each way. */
function recordRuns(ev: Evaluation, callee: Value, call: CallNode, { module, frame }: At, callers: Called['callers']): void {
  for (const { fn } of ev.runs(callee, call, { module, frame })) {
    if (fn.type !== 'function') continue;
    addCaller(callers, fn.node, {
      node: call,
      module,
      args: (evaluation, within) =>
        evaluation.runs(callee, call, { module, frame: within }).find((run) => run.fn.type === 'function' && run.fn.node === fn.node)
          ?.args ?? [],
      called: (evaluation, within) => evaluation.runs(callee, call, { module, frame: within }).map((run) => run.fn),
    });
  }
}

function superConstructor(ev: Evaluation, call: CallNode, at: At): Node | undefined {
  let around = call.parent;
  while (around !== undefined && around.kind !== 'class') around = around.parent;
  if (around?.kind !== 'class' || around.superclass === undefined) return undefined;
  const superclass = ev.evaluate(around.superclass, at);
  return superclass.type === 'class' ? constructorRunBy(ev, superclass) : undefined;
}

/** `base.extend({ headers })`: what it is given goes into what it makes. What a chain goes on with is the same client each time. */
const makesClient = (ev: Evaluation, call: CallNode, { path }: Extract<Value, { type: 'method' }>, at: At): boolean =>
  /^(?:create|defaults|extend)$/.test(path.at(-1) ?? '') &&
  optionsOf(ev.evaluate(call, at)).some((made) => made.type === 'http' && made.stage === 'client' && made.origins.at(-1) === call);

function recordMethod(
  ev: Evaluation,
  callee: Extract<Value, { type: 'method' }>,
  call: CallNode,
  at: At,
  { callers, mutations }: Called,
): void {
  const { receiver, path } = callee;
  const { module } = at;
  if (receiver.type === 'http') {
    const made = madeAt(receiver);
    // A client that is asked for a request, or for another client, stays as it is; a request that is gone on with does not.
    if (made !== undefined && (receiver.stage === 'request' || !(makesRequest(ev, call, at) || makesClient(ev, call, callee, at))))
      push(mutations, made.origin, { ...at, of: made.of, kind: 'call', node: call, path });
    recordRuns(ev, callee, call, at, callers);
  } else if (receiver.type === 'list' && perItem.has(path[0] ?? '')) {
    const [fn] = ev.args(call, at);
    // What is not known of a list may be any item, and what begins as an empty one is filled elsewhere.
    const isKnown = isOfKnown(receiver) && receiver.items.length > 0;
    const items = isKnown ? receiver.items : [...receiver.items, unknown(call, module)];
    if (fn?.type === 'function') addCaller(callers, fn.node, { node: call, module, args: () => [choiceOf(items)] });
  } else if (receiver.type === 'function' && (path[0] === 'call' || (path[0] === 'bind' && saysMore(ev, receiver, call, at)))) {
    // Of what is bound, the rest is given by whoever calls it: what has a default has that, mostly.
    push(callers, receiver.node, {
      node: call,
      module,
      args: (evaluation, frame) => givenFrom(evaluation.args(call, { module, frame }), 1),
    });
  } else if (receiver.type === 'function' && path[0] === 'apply') {
    const args: Caller['args'] = (evaluation, frame) => laidOut(evaluation.args(call, { module, frame })[1], call, module);
    push(callers, receiver.node, { node: call, module, args: call.args.length > 1 ? args : () => [] });
  }
}

/** Whether `bind` gives a function more than the object that it is of: arguments, or another object, which it asks for then, though nobody is seen to call it. */
function saysMore(ev: Evaluation, fn: FunctionValue, call: CallNode, at: At): boolean {
  const [other] = call.args.length > 1 || !mentionsThis(fn.node) ? [] : ev.args(call, at);
  return call.args.length > 1 || (other !== undefined && optionsOf(other).some((each) => !isOwn(ev, fn, each)));
}

/** Whether something is the object that a function is of, or adds nothing to that. */
function isOwn(ev: Evaluation, { node, self }: FunctionValue, value: Value): boolean {
  if (value.type === 'object') return self?.type === 'object' && value.node === self.node;
  if (value.type === 'unknown' || value.type === 'external') return self === undefined && node.parent?.kind !== 'classMember';
  let of: Value | undefined = value.type === 'instance' ? value.of : value;
  for (; of?.type === 'class'; of = superclassOf(ev, of)) if (node.parent?.parent === of.node) return true;
  return value.type === 'literal';
}
