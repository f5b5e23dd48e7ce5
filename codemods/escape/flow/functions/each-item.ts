/** Functions that methods of lists call for each item. */
import type { Place } from '../../../evaluate/budget.ts';
import type { MemberNode } from '../../../syntax/tree.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { mapping, telling } from '../../../syntax/item-methods.ts';

/** They call a function for each item, and give back nothing of it but what that does: not those which give back an item or its place, as these go on elsewhere. */
export const givingEach: ReadonlySet<string> = new Set([...mapping, ...telling, 'then']);

/** `clients.forEach(register)`: the function gets each. */
export const isGivenToEach = ({ property, parent }: MemberNode): boolean => parent?.kind === 'call' && givingEach.has(property ?? '');

/** `headers.forEach((value, name) => …)` of headers or a map, where nobody can tell what is made of them. */
export function isGoneThrough(
  { values, carried }: DataflowQuery,
  { node, module }: Place,
  { property, parent: call }: MemberNode,
): boolean {
  if (call?.kind !== 'call' || !/^(?:forEach|entries|keys)$/.test(property ?? '')) return false;
  return values({ node, module }).some(({ type }) => type === 'object') && carried({ node: call, module }).length === 0;
}
