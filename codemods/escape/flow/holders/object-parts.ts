/** What is had under one name of an object that is written out: who takes it apart has that, and none of what stands beside it. */
import { isPattern, namesIn } from '../../../syntax/scopes.ts';
import type { FunctionNode, Node, Pattern, PatternName } from '../../../syntax/tree.ts';
import { paramsFor } from '../functions/arguments.ts';

/** The name under which an object has what a property of it has. */
export const nameWithin = (node: Node, object: Node): string | undefined =>
  node.kind === 'property' && object.kind === 'object' ? node.name : undefined;

/** The names that a parameter gives to what an object has under a name: `({ client, id })` calls the id what it is. */
function namesOfPart(target: Pattern, under: string | undefined): readonly PatternName[] {
  if (under === undefined || target.kind !== 'objectPattern') return namesIn(target);
  const { properties, rest } = target;
  const parts = properties.filter(({ name }) => name === undefined || name === under).map((each) => each.target);
  return [...parts, ...(rest === undefined ? [] : [rest])].flatMap((each) => (isPattern(each) ? namesIn(each) : []));
}

/** What a function calls an argument, or a part of it. */
export const namesGiven = (fn: FunctionNode, arg: Node, under?: string): readonly PatternName[] =>
  paramsFor(fn, arg).flatMap(({ target }) => namesOfPart(target, under));
