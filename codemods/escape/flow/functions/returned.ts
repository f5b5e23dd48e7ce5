/** What a function gives back, as it is written. */
import { walk } from '../../../syntax/link.ts';
import type { Expression, FunctionNode } from '../../../syntax/tree.ts';

/** The branches of conditions one by one. */
export function returnedBy({ body }: FunctionNode): Expression[] {
  if (body === undefined) return [];
  if (body.kind !== 'block') return branchesOf(body);
  const given: Expression[] = [];
  walk(body, (each) => {
    if (each.kind === 'return' && each.argument !== undefined) given.push(...branchesOf(each.argument));
    return each.kind !== 'function';
  });
  return given;
}

export const branchesOf = (node: Expression): Expression[] =>
  node.kind === 'conditional'
    ? [...branchesOf(node.whenTrue), ...branchesOf(node.whenFalse)]
    : node.kind === 'logical'
      ? [...branchesOf(node.left), ...branchesOf(node.right)]
      : [node];
