/** What tests put in the place of something that the program has: a fake of the settings has what one service reads of them, and another asks for more. */
import type { Node } from '../../syntax/tree.ts';
import type { At } from '../evaluation.ts';
import { isNullish } from '../language/or-default.ts';
import { isTest } from './test-files.ts';
import { optionsOf, plainText, type Value } from '../values/values.ts';

/** What one of several values gives where all are asked for the same. */
export interface Given {
  readonly by: Value;
  readonly value: Value;
}

/** What the program gets of all of them: where a fake has nothing, only what the others give, unless the program has something else for that. */
export function givenByAll(given: readonly Given[], node: Node, { module }: At): readonly Value[] {
  const all = given.map(({ value }) => value);
  if (given.length < 2 || isTest(module) || !given.some(({ by }) => isFake(by)) || hasDefault(node)) return all;
  const said = given.flatMap(({ by, value }) => (isFake(by) ? optionsOf(value).filter((option) => !isNothing(option)) : [value]));
  return said.length > 0 ? said : all;
}

/** `settings.apiUrl ?? 'https://sandbox.example.dev'` */
function hasDefault(node: Node): boolean {
  for (let { parent } = node; parent !== undefined && !ends.has(parent.kind); { parent } = parent)
    if (parent.kind === 'logical' && parent.left.start <= node.start && node.end <= parent.left.end) return true;
  return false;
}

const ends: ReadonlySet<Node['kind']> = new Set<Node['kind']>(['variable', 'property', 'assign', 'function', 'block', 'return', 'program']);

const isNothing = (value: Value): boolean => isNullish(value) || plainText(value) === '';

function isFake(by: Value): boolean {
  const of = by.type === 'method' ? by.receiver : by;
  return (of.type === 'function' || of.type === 'object') && isTest(of.module);
}
