/** `Object.assign({}, a, b)` and what does the same. */
import type { CallNode } from '../syntax/tree.ts';
import type { At } from './evaluation.ts';
import { Shape } from './shape.ts';
import type { ObjectValue, Value } from './values.ts';

export function merged(args: readonly Value[], node: CallNode, { module }: At): ObjectValue {
  const shape = new Shape();
  for (const arg of args) shape.spread(arg);
  return { type: 'object', node, module, ...shape.end() };
}
