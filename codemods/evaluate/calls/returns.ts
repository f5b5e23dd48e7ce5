/** What a function returns, by its syntax. */
import { walk } from '../../syntax/link.ts';
import type { Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { isLeaving } from '../names/order.ts';

const returns = new WeakMap<FunctionNode, readonly Expression[]>();

/** The expressions that a function may return; of an async function what it resolves to. */
export function returnsOf(fn: FunctionNode): readonly Expression[] {
  const before = returns.get(fn);
  if (before !== undefined) return before;
  const found: Expression[] = [];
  returns.set(fn, found);
  const { body } = fn;
  if (body === undefined) return found;
  if (body.kind !== 'block') {
    found.push(body);
    return found;
  }
  walk(body, (node) => {
    if (node.kind === 'function' || node.kind === 'class') return false;
    if (node.kind === 'return' && node.argument !== undefined) found.push(node.argument);
    return true;
  });
  return found;
}

/** Whether a function never comes back to who calls it: it throws, or ends the program. */
export function neverReturns({ body }: FunctionNode): boolean {
  if (body?.kind !== 'block') return isExit(body);
  let isReturning = false;
  walk(body, (node) => {
    isReturning ||= node.kind === 'return';
    return node.kind !== 'function' && node.kind !== 'class';
  });
  return !isReturning && (isLeaving(body) || isExit(body.body.at(-1)));
}

/** `process.exit(1)` */
function isExit(node: Node | undefined): boolean {
  if (node?.kind === 'other' && node.what === 'ExpressionStatement') return isExit(node.children[0]);
  const callee = node?.kind === 'call' && node.callee.kind === 'member' ? node.callee : undefined;
  return callee?.property === 'exit' && callee.object.kind === 'name' && callee.object.name === 'process';
}
