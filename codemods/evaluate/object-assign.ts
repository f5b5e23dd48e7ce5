/** `Object.assign({}, a, b)` and what does the same. */
import type { CallNode } from '../syntax/tree.ts';
import type { At } from './evaluation.ts';
import { spread } from './objects.ts';
import type { Entry, ObjectValue, Value } from './values.ts';

export function merged(args: readonly Value[], node: CallNode, { module }: At): ObjectValue {
  const entries: Entry[] = [];
  const unknown: Value[] = [];
  for (const arg of args) spread(arg, entries, unknown);
  return { type: 'object', node, module, entries, unknown };
}
