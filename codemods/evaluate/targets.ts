/** What happens to an object or list at a place that names it, as far as the syntax says. */
import type { AssignNode, CallNode, Node, UnaryNode } from '../syntax/tree.ts';

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
const reordering = new Set(['unshift', 'shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'pop']);

/** `bases.push(…)` */
export function pushAt(reference: Node): CallNode | undefined {
  const { parent } = reference;
  if (parent?.kind !== 'member' || parent.object !== reference || parent.property !== 'push') return undefined;
  return parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
}

/** Whether other items may come where some were. */
export function isReordered(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind !== 'member' || parent.object !== reference) return false;
  const around = parent.parent;
  if (around?.kind === 'call') return around.callee === parent && reordering.has(parent.property ?? '');
  return around !== undefined && (isTarget(parent, around) || (around.kind === 'unary' && isChanging(around)));
}
