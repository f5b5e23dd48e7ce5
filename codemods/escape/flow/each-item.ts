/** Functions that methods of lists call for each item. */
import type { MemberNode } from '../../syntax/tree.ts';

/** Methods of lists that call a function for each item, and give back nothing of it but what that does. */
export const perItem: ReadonlySet<string> = new Set(['map', 'flatMap', 'forEach', 'some', 'every', 'then']);

/** `clients.forEach(register)`: the function gets each. */
export const isGivenToEach = ({ property, parent }: MemberNode): boolean => parent?.kind === 'call' && perItem.has(property ?? '');
