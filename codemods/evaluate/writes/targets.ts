/** What happens to an object or list at a place that names it, as far as the syntax says. */
import { filling } from '../../syntax/item-methods.ts';
import type { AssignNode, CallNode, Node, UnaryNode } from '../../syntax/tree.ts';

export const isChanging = ({ operator }: UnaryNode): boolean => operator === 'delete' || operator === '++' || operator === '--';

/** Whether a member is assigned to, alone or in a pattern. */
export const isTarget = (member: Node, around: Node): boolean => assignmentTo(member, around) !== undefined;

/** The assignment that a member is the target of, or stands in the target of. */
export function assignmentTo(member: Node, around: Node | undefined): AssignNode | undefined {
  let [inside, at] = [member, around];
  while (
    at?.kind === 'arrayPattern' ||
    (at?.kind === 'patternProperty' && at.target === inside) ||
    (at?.kind === 'objectPattern' && inside.kind !== 'name')
  )
    [inside, at] = [at, at.parent];
  return at?.kind === 'assign' && at.target === inside ? at : undefined;
}

/** Methods that put other items where some were. */
const reordering = new Set(['unshift', 'splice', 'fill', 'copyWithin']);

/** Methods that take items away, or put them elsewhere. */
const moving = new Set(['pop', 'shift', 'sort', 'reverse']);

/** `bases.push(…)`, and `bases.add(…)` of a Set. */
export function pushAt(reference: Node): CallNode | undefined {
  const { parent } = reference;
  if (parent?.kind !== 'member' || parent.object !== reference || (parent.property !== 'push' && parent.property !== 'add'))
    return undefined;
  return parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
}

/** Whether items may stand elsewhere than they did. */
export const isMoved = ({ parent: member }: Node): boolean =>
  member?.kind === 'member' && moving.has(member.property ?? '') && member.parent?.kind === 'call' && member.parent.callee === member;

/** `Array.prototype.push.call(bases, base)` */
const isOfPrototype = (callee: Node): boolean =>
  callee.kind === 'member' &&
  /^(?:apply|call)$/.test(callee.property ?? '') &&
  callee.object.kind === 'member' &&
  callee.object.object.kind === 'member' &&
  callee.object.object.property === 'prototype';

/** Whether other items may come where some were. */
export function isReordered(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind === 'call') return parent.args[0] === reference && isOfPrototype(parent.callee);
  if (parent?.kind !== 'member' || parent.object !== reference) return false;
  const around = parent.parent;
  // `bases['push'](base)`
  const name = parent.computed?.kind === 'string' ? parent.computed.value : parent.property;
  if (around?.kind === 'call' && around.callee === parent)
    return reordering.has(name ?? '') || (parent.computed !== undefined && filling.has(name ?? ''));
  // `bases.push.bind(bases)`
  if (filling.has(parent.property ?? '') || reordering.has(parent.property ?? '')) return true;
  return around !== undefined && (isTarget(parent, around) || (around.kind === 'unary' && isChanging(around)));
}
