/** One look at every call and write of an island: the requests, who calls which function, and what is done to clients. */
import type { Deed } from '../clients/rule.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { constructorOf } from './classes.ts';
import { originOf } from './evaluate.ts';
import type { At, Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, type Caller, type HttpValue, optionsOf, type Value } from './values.ts';

export interface Sink {
  readonly call: CallNode;
  readonly module: SourceModule;
}

export interface Survey {
  /** Calls that make a request; of a chain the whole. */
  readonly sinks: readonly Sink[];
  /** Calls by the function or constructor that they call. */
  readonly callers: ReadonlyMap<Node, readonly Caller[]>;
  /** What is done to clients, by where these come from. */
  readonly deeds: ReadonlyMap<Node | string, readonly Deed[]>;
}

export function survey(ev: Evaluation): Survey {
  const callers = new Map<Node, Caller[]>();
  const deeds = new Map<Node | string, Deed[]>();
  const sinks: Sink[] = [];
  for (const module of ev.world.modules.values()) {
    for (const call of module.calls) {
      surveyCall(ev, call, module, { callers, deeds });
      if (isSink(ev, call, { module, frame: undefined })) sinks.push({ call, module });
    }
    for (const write of module.writes) surveyWrite(ev, write, module, deeds);
  }
  return { sinks, callers, deeds };
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
};

function surveyCall(
  ev: Evaluation,
  call: CallNode,
  module: SourceModule,
  { callers, deeds }: { callers: Map<Node, Caller[]>; deeds: Map<Node | string, Deed[]> },
): void {
  const at: At = { module, frame: undefined };
  const caller: Caller = { node: call, module, args: (evaluation, frame) => evaluation.args(call, { module, frame }) };
  if (call.callee.kind === 'super') {
    const constructor = superConstructor(ev, call, at);
    if (constructor !== undefined) push(callers, constructor, caller);
    return;
  }
  for (const callee of optionsOf(ev.evaluate(call.callee, at))) {
    if (callee.type === 'function') push(callers, callee.node, caller);
    else if (callee.type === 'class' && call.isNew) push(callers, madeBy(ev, callee), caller);
    else if (callee.type === 'external') push(deeds, originOf(callee), { kind: 'call', node: call, module, path: pathOf(callee) });
    else if (callee.type === 'method') surveyMethod(ev, callee, call, module, { callers, deeds });
  }
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

function surveyMethod(
  ev: Evaluation,
  callee: Extract<Value, { type: 'method' }>,
  call: CallNode,
  module: SourceModule,
  { callers, deeds }: { callers: Map<Node, Caller[]>; deeds: Map<Node | string, Deed[]> },
): void {
  const { receiver, path } = callee;
  if (receiver.type === 'http') {
    for (const origin of receiver.origins) push(deeds, origin, { kind: 'call', node: call, module, path });
  } else if (receiver.type === 'list' && perItem.has(path[0] ?? '')) {
    const [fn] = ev.args(call, { module, frame: undefined });
    if (fn?.type === 'function') push(callers, fn.node, { node: call, module, args: () => [choiceOf(receiver.items)] });
  } else if (receiver.type === 'function' && path[0] === 'call') {
    push(callers, receiver.node, { node: call, module, args: (evaluation, frame) => evaluation.args(call, { module, frame }).slice(1) });
  }
}

function surveyWrite(ev: Evaluation, write: SourceModule['writes'][number], module: SourceModule, deeds: Map<Node | string, Deed[]>): void {
  const at: At = { module, frame: undefined };
  const chain: Extract<Node, { kind: 'member' }>[] = [];
  let root: Node = write.target;
  while (root.kind === 'member') {
    chain.unshift(root);
    root = root.object;
  }
  // From the root up: the first that is a client or a package; what follows is the path into it.
  let owner: Node = root;
  for (const [index, member] of chain.entries()) {
    const value = ev.evaluate(owner, at);
    for (const option of optionsOf(value)) {
      const origins = option.type === 'http' ? option.origins : option.type === 'external' ? [originOf(option)] : [];
      const path = [...(option.type === 'external' ? pathOf(option) : []), ...chain.slice(index).map(({ property }) => property)];
      const computed = chain.at(-1)?.computed;
      for (const origin of origins) push(deeds, origin, { kind: 'write', node: write, module, path, computed, value: write.value });
      if (origins.length > 0) return;
    }
    owner = member;
  }
}

/** Whether a call is a request and not just the beginning of one, as in `request.get(url).set(name, key)`. */
function isSink(ev: Evaluation, call: CallNode, at: At): boolean {
  const made = requestsOf(ev.evaluate(call, at)).filter(({ node }) => node === call);
  if (made.length === 0) return false;
  const next = call.parent?.kind === 'member' && call.parent.object === call ? call.parent.parent : undefined;
  if (next?.kind === 'call' && requestsOf(ev.evaluate(next, at)).some(({ node }) => node === next)) return false;
  return !continues(ev, call, at);
}

/** `req.set(…)` on a request in a variable: the request was made before. */
function continues(ev: Evaluation, { callee }: CallNode, at: At): boolean {
  if (callee.kind !== 'member' || callee.object.kind === 'call') return false;
  return requestsOf(ev.evaluate(callee.object, at)).length > 0;
}

const requestsOf = (value: Value): HttpValue[] =>
  optionsOf(value).filter((each): each is HttpValue => each.type === 'http' && each.stage === 'request');
