/** What tests put in the place of something that the program has: a fake of the settings has what one service reads of them, and another asks for more. */
import type { Node } from '../syntax/tree.ts';
import { isFieldOf, membersNamed } from './class-index.ts';
import type { At, Evaluation } from './evaluation.ts';
import { isNullish } from './or-default.ts';
import { isTest } from './test-files.ts';
import { type ChoiceValue, choiceOf, optionsOf, plainText, type Value } from './values.ts';

/** What one of several values gives where all are asked for the same. */
interface Given {
  readonly by: Value;
  readonly value: Value;
}

/** What the program gets of all of them: where a fake has nothing, only what the others give. */
export function givenByAll(given: readonly Given[], { module }: At): readonly Value[] {
  const all = given.map(({ value }) => value);
  if (given.length < 2 || isTest(module) || !given.some(({ by }) => isFake(by))) return all;
  const said = given.flatMap(({ by, value }) => (isFake(by) ? optionsOf(value).filter((option) => !isNothing(option)) : [value]));
  return said.length > 0 ? said : all;
}

/** What a property of any of several values is. */
export function memberOfAll(ev: Evaluation, choice: ChoiceValue, name: string, node: Node, at: At): Value {
  const given = optionsOf(choice).map((by) => {
    const value = ev.member(by, name, node, at);
    return { by, value: isFake(by) && lacks(by, name) ? orMissing(value) : value };
  });
  return choiceOf(givenByAll(given, at));
}

/** Whether the class of an instance stands by itself and has nothing by a name. */
function lacks(by: Value, name: string): boolean {
  if (by.type !== 'instance') return false;
  const { node, module } = by.of;
  return node.superclass === undefined && membersNamed(node, module, name).length === 0 && !isFieldOf(node, module, name);
}

/** What is found all the same was put there from outside. */
const orMissing = (value: Value): Value => (value.type === 'unknown' ? { type: 'literal', value: undefined } : value);

const isNothing = (value: Value): boolean => isNullish(value) || plainText(value) === '';

function isFake(by: Value): boolean {
  const given = by.type === 'method' ? by.receiver : by;
  const of = given.type === 'instance' ? given.of : given;
  return (of.type === 'function' || of.type === 'object' || of.type === 'class') && isTest(of.module);
}
