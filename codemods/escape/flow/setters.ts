/** The parameters of setters: an assignment passes their value, and no call does. */
import { superclassOf } from '../../evaluate/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { Value } from '../../evaluate/values.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { Place } from '../../evaluate/budget.ts';

/** @returns where the setters of a name, in the class of an owner and in those that it inherits from, have what they are given */
export function givenToSetters(ev: Evaluation, owner: Value, name: string): Place[] {
  const found: Place[] = [];
  const seen = new Set<unknown>();
  for (let at: Value | undefined = owner.type === 'instance' ? owner.of : owner; at?.type === 'class' && !seen.has(at.node);) {
    const { node, module }: typeof at = at;
    seen.add(node);
    const setters = node.members.flatMap((member) => (member.role === 'set' && member.name === name ? (member.value ?? []) : []));
    const params = setters.flatMap((setter) => (setter.kind === 'function' ? setter.params : []));
    for (const binding of params.flatMap(({ target }) => namesIn(target)).flatMap((each) => module.scopes.declaredBy(each) ?? []))
      found.push(...binding.references.map((reference) => ({ node: reference, module })));
    at = superclassOf(ev, at);
  }
  return found;
}

const known: ReadonlySet<Value['type']> = new Set(['object', 'list', 'function', 'class', 'instance', 'namespace']);

/** Whether the rules know all of something, so that what is written into it is read from it again. */
export const isReadAgain = ({ type }: Value): boolean => known.has(type);
