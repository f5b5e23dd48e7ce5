/** Promises that a function settles, and what is made of one: `new Promise((resolve) => server.listen(0, () => resolve({ host })))` is what it resolves to. */
import { asArguments } from './callers.ts';
import type { CallNode, Expression, FunctionNode, NameNode, Node } from '../../syntax/tree.ts';
import { functionAround, hasArguments } from './callees.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Frame } from './frame.ts';
import { choiceOf, type FunctionValue, unknown, type Value } from '../values/values.ts';

/** What `new Promise(executor)` resolves to; undefined where that is not seen. */
export function promisedValue(ev: Evaluation, executor: Value | undefined, node: CallNode): Value | undefined {
  if (!node.isNew || executor?.type !== 'function') return undefined;
  const { node: fn, module } = executor;
  const target = fn.params[0]?.target;
  if (target?.kind !== 'patternName' || hasArguments(fn)) return undefined;
  const places = module.scopes.declaredBy(target)?.references ?? [];
  return places.length === 0 ? undefined : choiceOf(places.map((place) => resolvedAt(ev, place, executor)));
}

/** What the promise is given at a place that names its `resolve`: whoever else gets hold of that may give it anything. */
function resolvedAt(ev: Evaluation, place: NameNode, executor: FunctionValue): Value {
  const { parent: call } = place;
  const at: At = { module: executor.module, frame: frameAt(place, executor) };
  if (call?.kind !== 'call' || call.callee !== place) return unknown(place, at.module, 'call');
  return ev.args(call, at)[0] ?? { type: 'literal', value: undefined };
}

/** Within the executor, and within callbacks of whose arguments nothing is known. */
function frameAt(place: Node, { node: executor, module, frame }: FunctionValue): Frame | undefined {
  const around: FunctionNode[] = [];
  for (let fn = functionAround(place); fn !== undefined && fn !== executor; fn = functionAround(fn)) around.unshift(fn);
  return around.reduce<Frame | undefined>(
    (outer, owner) => ({ owner, args: asArguments(owner.params.map((param) => unknown(param, module))), outer }),
    {
      owner: executor,
      args: asArguments([]),
      outer: frame,
    },
  );
}

/** The promise that a call settles with what it is given. */
export function settledBy({ callee }: CallNode, { scopes }: SourceModule): CallNode | undefined {
  const param = callee.kind === 'name' ? scopes.bindingOf(callee)?.owner : undefined;
  const fn = param?.kind === 'param' ? param.parent : undefined;
  const call = fn?.kind === 'function' && fn.params[0] === param ? fn.parent : undefined;
  if (call?.kind !== 'call' || !call.isNew || call.args[0] !== fn || call.callee.kind !== 'name') return undefined;
  return call.callee.name === 'Promise' && scopes.bindingOf(call.callee) === undefined ? call : undefined;
}

/** What `new Promise(executor)` is settled with, as far as its executor stands there. */
export function settlementsOf(promise: Node, { scopes }: SourceModule): readonly Expression[] {
  const [fn] = promise.kind === 'call' && promise.isNew ? promise.args : [];
  const target = fn?.kind === 'function' ? fn.params[0]?.target : undefined;
  const places = (target?.kind === 'patternName' ? scopes.declaredBy(target) : undefined)?.references ?? [];
  return places.flatMap(({ parent, ...place }) => {
    const [given] = parent?.kind === 'call' && parent.callee.start === place.start ? parent.args : [];
    return given === undefined || given.kind === 'spread' ? [] : [given];
  });
}
