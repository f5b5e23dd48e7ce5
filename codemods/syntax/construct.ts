/** Other words for `new`. */
import type { CallNode, Expression, SpreadNode } from './tree.ts';

/** `Reflect.construct(C, args)` is read as `new C(...args)`, and `new (C.bind(null, first))(second)` as `new C(first, second)`. */
export function callOrNew(call: CallNode): CallNode {
  const { callee, args } = call;
  if (callee.kind === 'member') return callee.property === 'construct' ? constructed(call, callee.object) : call;
  return call.isNew && callee.kind === 'call' && !callee.isNew ? boundBefore(call, callee, args) : call;
}

function constructed(call: CallNode, on: Expression): CallNode {
  const [made, list, as] = call.args;
  // With a class that it is made as, what it has is of another than the one that is called.
  if (on.kind !== 'name' || on.name !== 'Reflect' || as !== undefined) return call;
  if (made === undefined || made.kind === 'spread' || list === undefined || list.kind === 'spread') return call;
  return { ...call, callee: made, args: [spreadOf(list)], isNew: true };
}

function boundBefore(call: CallNode, { callee, args: [self, ...first] }: CallNode, args: CallNode['args']): CallNode {
  if (callee.kind !== 'member' || callee.property !== 'bind' || self?.kind === 'spread') return call;
  return { ...call, callee: callee.object, args: [...first, ...args] };
}

const spreadOf = (argument: Expression): SpreadNode => ({ kind: 'spread', argument, start: argument.start, end: argument.end });
