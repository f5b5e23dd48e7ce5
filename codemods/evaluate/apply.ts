/** Calls of the project's own functions and classes. */
import { walk } from '../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { choiceOf, type ClassValue, type Frame, type FunctionValue, type InstanceValue, unknown, type Value } from './values.ts';

/** How deep calls are followed; wrappers around wrappers end long before. */
const deepestCall = 16;

/** What a function returns, with its parameters bound to the arguments. */
export function applyFunction(ev: Evaluation, fn: FunctionValue, args: readonly Value[], call: CallNode, at: At): Value {
  if (depthOf(at.frame) > deepestCall || isActive(at.frame, fn.node)) return unknown(call, at.module, 'depth');
  // Nothing in it depends on the call: asked once, without a frame, it is remembered.
  if (fn.node.params.length === 0 && fn.self === undefined && fn.frame === undefined) {
    const plain = returnsOf(fn.node).map((expression) => ev.evaluate(expression, { module: fn.module, frame: undefined }));
    return plain.length === 0 ? unknown(call, at.module, 'call') : choiceOf(plain);
  }
  const frame: Frame = { owner: fn.node, args, ...(fn.self === undefined ? {} : { self: fn.self }), outer: fn.frame ?? at.frame };
  const returned = returnsOf(fn.node).map((expression) => ev.evaluate(expression, { module: fn.module, frame }));
  return returned.length === 0 ? unknown(call, at.module, 'call') : choiceOf(returned);
}

/** An instance that `new` makes. */
export const instanceOf = (of: ClassValue, args: readonly Value[]): InstanceValue => ({ type: 'instance', of, args });

/** The expressions that a function may return; of an async function what it resolves to. */
export function returnsOf(fn: FunctionNode): readonly Expression[] {
  const { body } = fn;
  if (body === undefined) return [];
  if (body.kind !== 'block') return [body];
  const found: Expression[] = [];
  walk(body, (node) => {
    if (node.kind === 'function' || node.kind === 'class') return false;
    if (node.kind === 'return' && node.argument !== undefined) found.push(node.argument);
    return true;
  });
  return found;
}

function depthOf(frame: Frame | undefined): number {
  let depth = 0;
  for (let at = frame; at !== undefined; at = at.outer) depth++;
  return depth;
}

function isActive(frame: Frame | undefined, owner: Node): boolean {
  for (let at = frame; at !== undefined; at = at.outer) if (at.owner === owner && at.args !== undefined) return true;
  return false;
}
