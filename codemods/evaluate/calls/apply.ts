/** Calls of the project's own functions and classes. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { CallNode, Expression } from '../../syntax/tree.ts';
import { mayReturn } from '../language/chosen.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isLeaving } from '../names/order.ts';
import { returnsOf } from './returns.ts';
import type { Arguments, Frame } from './frame.ts';
import { choiceOf, type ClassValue, type FunctionValue, type InstanceValue, optionsOf, unknown, type Value } from '../values/values.ts';

/** How deep calls are followed; wrappers around wrappers end long before. */
const maxCallDepth = 16;

/** What a function returns, with its parameters bound to the arguments. */
export function applyFunction(ev: Evaluation, fn: FunctionValue, args: Arguments, call: CallNode, at: At): Value {
  if (depthOf(at.frame) > maxCallDepth || isActive(at.frame, fn)) return unknown(call, at.module, 'depth');
  const returned = returnsOf(fn.node);
  if (returned.length === 0) return unknown(call, at.module, 'call');
  // Nothing in it depends on the call: asked once, without a frame, it is remembered.
  if (fn.node.params.length === 0 && fn.self === undefined && fn.frame === undefined) return returnedIn(ev, fn, returned, undefined);
  const frame: Frame = {
    owner: fn.node,
    args,
    by: call,
    from: at.frame,
    callee: fn.provenance,
    ...(fn.self === undefined ? {} : { self: fn.self }),
    outer: fn.frame ?? at.frame,
  };
  return returnedIn(ev, fn, returned, frame);
}

function returnedIn(ev: Evaluation, { module, node }: FunctionValue, returned: readonly Expression[], frame: Frame | undefined): Value {
  const at: At = { module, frame };
  const values = returned
    .filter((expression) => mayReturn(ev, expression, node, at))
    .flatMap((expression) => {
      const value = ev.evaluate(expression, at);
      return isWithoutKey(value) && !mayReturn(ev, expression, node, at, true) ? [] : value;
    });
  return choiceOf(node.body?.kind !== 'block' || isLeaving(node.body) ? values : [...values, { type: 'literal', value: undefined }]);
}

/** Headers all of which are known, without v1's key: `if (auth.token) return { Authorization: … }`. */
const isWithoutKey = (value: Value): boolean =>
  optionsOf(value).every(
    (each) =>
      each.type === 'object' && each.unknown.length === 0 && each.entries.every(({ name }) => name !== undefined && !isKeyHeader(name)),
  );

/** An instance that `new` makes. */
export const instanceOf = (of: ClassValue, args: readonly Value[]): InstanceValue => ({ type: 'instance', of, args });

function depthOf(frame: Frame | undefined): number {
  let depth = 0;
  for (let at = frame; at !== undefined; at = at.outer) if (at.args !== undefined) depth++;
  return depth;
}

/** Whether a call of the function is on the way: around this one, or of the same object. */
function isActive(frame: Frame | undefined, { node, frame: of }: FunctionValue): boolean {
  const isCall = ({ owner, args }: Frame): boolean => owner === node && args !== undefined;
  for (let at = frame; at !== undefined; at = at.outer) if (isCall(at)) return true;
  for (let at = frame; at !== undefined; at = at.from ?? at.outer) if (isCall(at) && at.outer === of) return true;
  return false;
}
