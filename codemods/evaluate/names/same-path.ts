/** Expressions that name the same place: `options.headers` here and `options.headers` there. */
import type { Scopes } from '../../syntax/scopes.ts';
import type { AssignNode, Expression, Node } from '../../syntax/tree.ts';

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

/** `options.path = options.path + query`, `` options.path = `${options.path}?${query}` `` */
export function isOfItself({ operator, target, value }: AssignNode, { scopes }: { readonly scopes: Scopes }): boolean {
  const first = operator === '=' && target.kind === 'member' ? firstOf(value) : undefined;
  return first !== undefined && isSamePath(first, target, scopes);
}

/** What a text begins with that is made of several; undefined where it is made of none. */
function firstOf(value: Expression): Expression | undefined {
  if (value.kind === 'template') return value.texts[0]?.value === '' ? value.expressions[0] : undefined;
  let first: Expression = value;
  while (first.kind === 'concat') first = first.left;
  return first === value ? undefined : first;
}
