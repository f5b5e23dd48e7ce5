/** Functions that methods of lists call for each item. */
import type { Place } from '../../evaluate/budget.ts';
import type { MemberNode } from '../../syntax/tree.ts';
import type { DataflowQuery } from './dataflow-query.ts';

/** Methods of lists that call a function for each item, and give back nothing of it but what that does. */
export const perItem: ReadonlySet<string> = new Set(['map', 'flatMap', 'forEach', 'some', 'every', 'then']);

/** `clients.forEach(register)`: the function gets each. */
export const isGivenToEach = ({ property, parent }: MemberNode): boolean => parent?.kind === 'call' && perItem.has(property ?? '');

/** `headers.forEach((value, name) => …)` of headers or a map, where nobody can tell what is made of them. */
export function isGoneThrough(
  { values, carried }: DataflowQuery,
  { node, module }: Place,
  { property, parent: call }: MemberNode,
): boolean {
  if (call?.kind !== 'call' || !/^(?:forEach|entries|keys)$/.test(property ?? '')) return false;
  return values({ node, module }).some(({ type }) => type === 'object') && carried({ node: call, module }).length === 0;
}
