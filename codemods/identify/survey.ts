/** One look at every call and write of an island: the requests, who calls which function, and what is done to clients. */
import type { Deed } from '../clients/rule.ts';
import { walk } from '../syntax/link.ts';
import type { AssignNode, CallNode, Node, ProgramNode, PropertyNode, UnaryNode } from '../syntax/tree.ts';
import { comparedAt, type ComparisonNode } from './comparisons.ts';
import { constructorOf, isCallOnThis, isFunction } from './classes.ts';
import { handedOn } from './handed-on.ts';
import { originOf } from './evaluate.ts';
import type { At, Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, type Caller, type HttpValue, optionsOf, unknown, type Value } from './values.ts';
import { waysTo } from './ways.ts';
import { isObjectAssign } from './writes.ts';

export interface Sink {
  /** The call that makes a request, the property or file that describes it, or the comparison that expects it. */
  readonly call: CallNode | PropertyNode | ProgramNode | ComparisonNode;
  readonly module: SourceModule;
}

/** What a sink makes on the way that the frame stands for. */
export function madeBySink(ev: Evaluation, { call, module }: Sink, frame: At['frame']): Value {
  const at: At = { module, frame };
  if (call.kind === 'call') return ev.evaluate(call, at);
  if (call.kind === 'program') return describedBy(ev, module) ?? { type: 'unknown', node: call, module };
  if (call.kind !== 'property') return comparedAt(ev, call, at);
  const rule = ev.rules.find(({ declares }) => declares?.names.includes(call.name ?? ''));
  return rule?.declared?.(call, at, ev) ?? { type: 'unknown', node: call, module };
}

export interface Survey {
  /** Calls that make a request; of a chain the whole. */
  readonly sinks: readonly Sink[];
  /** Calls by the function or constructor that they call. */
  readonly callers: ReadonlyMap<Node, readonly Caller[]>;
  /** What is done to clients, by where these come from. */
  readonly deeds: ReadonlyMap<Node | string, readonly Deed[]>;
  /** Functions that code which was not read may call, too. */
  readonly handedOn: ReadonlySet<Node>;
}

interface Found {
  readonly callers: Map<Node, Caller[]>;
  readonly deeds: Map<Node | string, Deed[]>;
}

interface HandedCall extends Sink {
  readonly call: CallNode;
}

export function survey(ev: Evaluation): Survey {
  const found: Found = { callers: new Map(), deeds: new Map() };
  const sinks: Sink[] = [];
  const handedCalls: HandedCall[] = [];
  const handedWrites: { readonly write: Write; readonly root: Node; readonly module: SourceModule }[] = [];
  const own = ownMethods(ev);
  for (const module of ev.world.modules.values()) {
    const at: At = { module, frame: undefined };
    for (const call of module.calls) {
      surveyCall(ev, call, at, found);
      if (isSink(ev, call, at)) sinks.push({ call, module });
      else if (mayMatter(call, own) && isParam(ev, call.callee, at)) handedCalls.push({ call, module });
    }
    sinks.push(...declaredIn(ev, module));
    for (const call of module.comparisons) if (requestsOf(comparedAt(ev, call, at)).length > 0) sinks.push({ call, module });
    for (const write of [...module.writes, ...module.deletions]) {
      surveyWrite(ev, write, at, found);
      const root = rootOf(targetOf(write));
      if (settings.test(module.text.slice(write.start, targetOf(write).end)) && isParam(ev, root, at))
        handedWrites.push({ write, root, module });
    }
  }
  // A function that is found to be called by one of these may be where another gets its client from.
  for (let round = 0; round < mostRounds; round++) for (const sink of handedCalls) surveyHandedFunctions(ev, sink, found);
  for (const sink of handedCalls) if (surveyHanded(ev, sink, found)) sinks.push(sink);
  for (const { write, root, module } of handedWrites) {
    for (const { frame } of waysTo(ev, found.callers, root, module)) surveyWrite(ev, write, { module, frame }, found);
  }
  return { sinks, ...found, handedOn: handedOn(ev, found.callers.keys()) };
}

function describedBy(ev: Evaluation, module: SourceModule): Value | undefined {
  for (const rule of ev.rules) {
    const value = rule.describedBy?.(module, ev);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Requests that properties and whole files describe. */
function declaredIn(ev: Evaluation, module: SourceModule): Sink[] {
  const names = ev.rules.flatMap(({ declares }) => (declares?.where.test(module.text) === true ? declares.names : []));
  const found: Sink[] = describedBy(ev, module) === undefined ? [] : [{ call: module.tree.program, module }];
  if (names.length === 0) return found;
  walk(module.tree.program, (node) => {
    if (node.kind !== 'property' || !names.includes(node.name ?? '')) return;
    const sink: Sink = { call: node, module };
    if (requestsOf(madeBySink(ev, sink, undefined)).length > 0) found.push(sink);
  });
  return found;
}

const isParam = (ev: Evaluation, node: Node, at: At): boolean => optionsOf(ev.evaluate(node, at)).some(({ type }) => type === 'param');

/** Methods by which the clients ask, and by which headers are set: what else is called on a parameter makes no request. */
const asking =
  /^(?:get|post|put|patch|del|delete|head|options|request|fetch|raw|stream|paginate|pipeline|send|open|ajax|headers?|auth|(?:set|append|with)\w*|use|(?:post|put|patch)Form|\w*(?:fetch|request|http)\w*)$/i;

/** How often functions are handed on by functions that are handed over themselves. */
const mostRounds = 2;

/** What is written to clients and requests. */
const settings = /headers|defaults|base_?url/i;

/** Whether a call of something that may be a parameter is worth to be followed, by its name alone. */
function mayMatter({ callee }: CallNode, own: ReadonlySet<string>): boolean {
  if (callee.kind !== 'member') return callee.kind === 'name';
  return callee.property === undefined || asking.test(callee.property) || own.has(callee.property);
}

/** The names of the project's own methods: what is handed may be an instance of a class of its own. */
const ownMethods = (ev: Evaluation): Set<string> =>
  new Set(
    [...ev.world.modules.values()].flatMap(({ classes }) =>
      classes.flatMap(({ members }) => members.flatMap(({ role, name }) => (role === 'method' && name !== undefined ? [name] : []))),
    ),
  );

/** Functions that are called as parameters. */
function surveyHandedFunctions(ev: Evaluation, { call, module }: HandedCall, { callers }: Found): void {
  const args: Caller['args'] = (evaluation, frame) => evaluation.args(call, { module, frame });
  for (const { value } of waysTo(ev, callers, call.callee, module)) {
    for (const callee of optionsOf(value)) {
      if (callee.type === 'function') addCaller(callers, callee.node, { node: call, module, isHanded: true, args });
    }
  }
}

/**
 * A call of something that is a parameter, or of a parameter: a client, request or function only because of who calls.
 * @returns whether it makes a request on some way
 */
function surveyHanded(ev: Evaluation, { call, module }: HandedCall, found: Found): boolean {
  let makesRequest = false;
  for (const { frame } of waysTo(ev, found.callers, call.callee, module)) {
    const at: At = { module, frame };
    surveyCall(ev, call, at, found);
    makesRequest ||= isSink(ev, call, at);
  }
  return makesRequest;
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
};

/** A place calls a function once, on however many ways it is found to. */
function addCaller(callers: Found['callers'], fn: Node, caller: Caller): void {
  if (callers.get(fn)?.some(({ node }) => node === caller.node) !== true) push(callers, fn, caller);
}

function surveyCall(ev: Evaluation, call: CallNode, at: At, { callers, deeds }: Found): void {
  const { module, frame } = at;
  const caller: Caller = {
    node: call,
    module,
    isHanded: frame !== undefined,
    args: (evaluation, within) => evaluation.args(call, { module, frame: within }),
  };
  if (call.callee.kind === 'super') {
    const constructor = superConstructor(ev, call, at);
    if (constructor !== undefined) push(callers, constructor, caller);
    return;
  }
  surveyThen(ev, call, at, callers);
  if (isObjectAssign(call)) surveyAssign(ev, call, at, deeds);
  if (isCallOnThis(call) && call.callee.kind === 'member') {
    const parent = ev.evaluate(call.callee.object, at);
    const args: Caller['args'] = (evaluation, within) => caller.args(evaluation, within).slice(1);
    if (parent.type === 'class') addCaller(callers, madeBy(ev, parent), { ...caller, args });
  }
  for (const callee of optionsOf(ev.evaluate(call.callee, at))) {
    if (callee.type === 'function') addCaller(callers, callee.node, caller);
    else if (callee.type === 'class' && (call.isNew || isFunction(callee))) push(callers, madeBy(ev, callee), caller);
    else if (callee.type === 'external' && isKnown(ev, callee) && !makesRequest(ev, call, at))
      push(deeds, originOf(callee), { ...at, kind: 'call', node: call, path: pathOf(callee) });
    else if (callee.type === 'method') surveyMethod(ev, callee, call, at, { callers, deeds });
  }
}

/** `Object.assign(client.defaults.headers, { … })`: what is done to the client. */
function surveyAssign(ev: Evaluation, call: CallNode, at: At, deeds: Found['deeds']): void {
  const [target] = call.args;
  if (target?.kind !== 'member') return;
  for (const option of optionsOf(ev.evaluate(target, at))) {
    const of = option.type === 'method' ? option.receiver : option;
    const origin = of.type === 'http' ? madeAt(of) : of.type === 'external' ? originOf(of) : undefined;
    const path = option.type === 'method' ? option.path : option.type === 'external' ? pathOf(option) : [];
    if (origin !== undefined && path.length > 0) push(deeds, origin, { ...at, kind: 'call', node: call, path: [...path, 'assign'] });
  }
}

/** `import('axios').then((axios) => …)`: a function is given what a promise resolves to, which an answer is not. */
function surveyThen(ev: Evaluation, call: CallNode, at: At, callers: Found['callers']): void {
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

const pathOf = ({ source, path }: Extract<Value, { type: 'external' }>): readonly string[] => (source === '' ? path.slice(1) : path);

/** The constructor that `new` runs: the nearest one up the chain of classes. */
function madeBy(ev: Evaluation, value: Extract<Value, { type: 'class' }>): Node {
  const own = constructorOf(value.node);
  if (own !== undefined || value.node.superclass === undefined) return own ?? value.node;
  const superclass = ev.evaluate(value.node.superclass, { module: value.module, frame: value.frame });
  return superclass.type === 'class' && superclass.node !== value.node ? madeBy(ev, superclass) : value.node;
}

function superConstructor(ev: Evaluation, call: CallNode, at: At): Node | undefined {
  let around = call.parent;
  while (around !== undefined && around.kind !== 'class') around = around.parent;
  if (around?.kind !== 'class' || around.superclass === undefined) return undefined;
  const superclass = ev.evaluate(around.superclass, at);
  return superclass.type === 'class' ? madeBy(ev, superclass) : undefined;
}

/** Methods that call a function for each item. */
const perItem = new Set(['map', 'forEach', 'flatMap', 'filter', 'find', 'some', 'every']);

function surveyMethod(ev: Evaluation, callee: Extract<Value, { type: 'method' }>, call: CallNode, at: At, { callers, deeds }: Found): void {
  const { receiver, path } = callee;
  const { module } = at;
  if (receiver.type === 'http') {
    const made = madeAt(receiver);
    // A client that is asked for a request stays as it is; a request that is gone on with does not.
    if (made !== undefined && (receiver.stage === 'request' || !makesRequest(ev, call, at)))
      push(deeds, made, { ...at, kind: 'call', node: call, path });
    const rule = ev.rules.find(({ name }) => name === receiver.client);
    for (const { fn, args } of rule?.runs?.({ ...at, node: call, path, on: receiver, args: ev.args(call, at), ev }) ?? [])
      addCaller(callers, fn.node, { node: call, module, args: () => args });
  } else if (receiver.type === 'list' && perItem.has(path[0] ?? '')) {
    const [fn] = ev.args(call, at);
    if (fn?.type === 'function') addCaller(callers, fn.node, { node: call, module, args: () => [choiceOf(receiver.items)] });
  } else if (receiver.type === 'function' && path[0] === 'call') {
    push(callers, receiver.node, { node: call, module, args: (evaluation, frame) => evaluation.args(call, { module, frame }).slice(1) });
  }
}

/** Where a client or request was made itself: what is done to it is done to nothing that it was made from. */
const madeAt = ({ origins }: HttpValue): Node | string | undefined => origins.at(-1);

/** `a.b = c` or `delete a.b`. */
type Write = AssignNode | UnaryNode;
const targetOf = (write: Write): Node => (write.kind === 'assign' ? write.target : write.argument);

function rootOf(node: Node): Node {
  let at = node;
  while (at.kind === 'member') at = at.object;
  return at;
}

function surveyWrite(ev: Evaluation, write: Write, at: At, { deeds }: Found): void {
  const chain: Extract<Node, { kind: 'member' }>[] = [];
  let root = targetOf(write);
  while (root.kind === 'member') {
    chain.unshift(root);
    root = root.object;
  }
  // From the root up: the first that is a client or a package; what follows is the path into it.
  let owner: Node = root;
  for (const [index, member] of chain.entries()) {
    const value = ev.evaluate(owner, at);
    for (const option of optionsOf(value)) {
      const origin = option.type === 'http' ? madeAt(option) : option.type === 'external' ? originOf(option) : undefined;
      if (origin === undefined) continue;
      const path = [...(option.type === 'external' ? pathOf(option) : []), ...chain.slice(index).map(({ property }) => property)];
      const computed = chain.at(-1)?.computed;
      const done = { ...at, path, computed };
      push(
        deeds,
        origin,
        write.kind === 'assign' ? { ...done, kind: 'write', node: write, value: write.value } : { ...done, kind: 'delete', node: write },
      );
      return;
    }
    owner = member;
  }
}

/** Whether a call is a request and not just the beginning of one, as in `request.get(url).set(name, key)`. */
function isSink(ev: Evaluation, call: CallNode, at: At): boolean {
  if (!optionsOf(ev.evaluate(call.callee, at)).some((callee) => isKnown(ev, callee))) return false;
  const made = requestsAt(ev, call, at);
  if (made.length === 0) return false;
  const next = call.parent?.kind === 'member' && call.parent.object === call ? call.parent.parent : undefined;
  // Mocks of several requests may stand in one chain: each has its own address.
  const goesOn = (later: HttpValue): boolean => later.node === next && (later.isMock !== true || made.some(({ url }) => url === later.url));
  if (next?.kind === 'call' && requestsOf(ev.evaluate(next, at)).some(goesOn)) return false;
  return !continues(ev, call, at);
}

/** The requests that are made by this very call. */
const requestsAt = (ev: Evaluation, call: CallNode, at: At): HttpValue[] =>
  requestsOf(ev.evaluate(call, at)).filter(({ node }) => node === call);

const makesRequest = (ev: Evaluation, call: CallNode, at: At): boolean => requestsAt(ev, call, at).length > 0;

/** Whether some rule may know what is called. */
function isKnown(ev: Evaluation, callee: Value): boolean {
  if (callee.type === 'external')
    return ev.rules.some((rule) => rule.modules?.includes(callee.source) || rule.globals?.includes(callee.path[0] ?? ''));
  if (callee.type !== 'method') return callee.type === 'http';
  const { receiver, path } = callee;
  return (
    receiver.type === 'http' ||
    (receiver.type === 'unknown' &&
      ev.rules.some(({ methods }) => methods?.some((method) => path.some((name) => method.endsWith(`.${name}`)))))
  );
}

/** `req.set(…)` on a request in a variable: the request was made before. */
function continues(ev: Evaluation, { callee }: CallNode, at: At): boolean {
  if (callee.kind !== 'member' || callee.object.kind === 'call') return false;
  return requestsOf(ev.evaluate(callee.object, at)).length > 0;
}

const requestsOf = (value: Value): HttpValue[] =>
  optionsOf(value).filter((each): each is HttpValue => each.type === 'http' && each.stage === 'request');
