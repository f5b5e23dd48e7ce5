/** What may be given as it is, or by a function: `typeof url === 'function' ? url() : url`. */
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { At } from '../evaluation.ts';
import { isSamePath } from '../names/same-path.ts';
import type { Value } from '../values/values.ts';
import { guardsAround } from './guards.ts';
import { isLeftToDefault } from './or-default.ts';

/** What a call gives of something that nobody is seen to give, where it is called only if that is a function: the same as what is given without one. */
export function suppliedValue(callee: Value, { callee: called, args, isNew }: CallNode, { module }: At): Value | undefined {
  if (isNew || args.length > 0 || callee.type === 'env' || !isLeftToDefault(callee)) return undefined;
  const isAsked = (test: Node): boolean => {
    const asked = askedForFunction(test);
    return asked !== undefined && isSamePath(asked, called, module.scopes);
  };
  return guardsAround(called).some(isAsked) ? callee : undefined;
}

/** `typeof url === 'function'`, `url instanceof Function` */
function askedForFunction(test: Node): Node | undefined {
  if (test.kind !== 'binary') return undefined;
  const { operator, left, right } = test;
  if (operator === 'instanceof') return right.kind === 'name' && right.name === 'Function' ? left : undefined;
  const isOfType = /^===?$/.test(operator) && left.kind === 'unary' && left.operator === 'typeof';
  return isOfType && right.kind === 'string' && right.value === 'function' ? left.argument : undefined;
}
