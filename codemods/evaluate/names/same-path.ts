/** Expressions that name the same place: `options.headers` here and `options.headers` there. */
import type { Scopes } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';

/** Whether two expressions go to the same by the same names, and by nothing else. */
export function isSamePath(one: Node, other: Node, scopes: Scopes): boolean {
  if (one.kind === 'name') return other.kind === 'name' && one.name === other.name && scopes.bindingOf(one) === scopes.bindingOf(other);
  if (one.kind !== 'member' || other.kind !== 'member') return one.kind === 'this' && other.kind === 'this';
  const isSameName =
    one.computed === undefined || other.computed === undefined
      ? one.computed === other.computed && one.property !== undefined && one.property === other.property
      : isSamePath(one.computed, other.computed, scopes);
  return isSameName && isSamePath(one.object, other.object, scopes);
}
