/** The parameters of setters: an assignment passes their value, and no call does. */
import { superclassOf } from '../../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { type Binding, namesIn } from '../../../syntax/scopes.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { Place } from '../../../evaluate/budget.ts';

/** @returns where the setters of a name, in an object or in the class of an owner and in those that it inherits from, have what they are given */
export function givenToSetters(ev: Evaluation, owner: Value, name: string): Place[] {
  const found: Place[] = [];
  const bindParams = (fn: Node | undefined, module: SourceModule): void => {
    const params = fn?.kind === 'function' ? fn.params : [];
    for (const binding of params.flatMap(({ target }) => namesIn(target)).flatMap((each) => module.scopes.declaredBy(each) ?? []))
      found.push(...binding.references.map((reference) => ({ node: reference, module })));
  };
  if (owner.type === 'object' && owner.node.kind === 'object' && isScript(owner.module))
    for (const each of owner.node.properties) if (each.kind === 'property' && each.name === name) bindParams(each.value, owner.module);
  const seen = new Set<unknown>();
  for (let at: Value | undefined = owner.type === 'instance' ? owner.of : owner; at?.type === 'class' && !seen.has(at.node);) {
    const { node, module }: typeof at = at;
    seen.add(node);
    for (const member of node.members) if (member.role === 'set' && member.name === name) bindParams(member.value, module);
    at = superclassOf(ev, at);
  }
  return found;
}

const known: ReadonlySet<Value['type']> = new Set(['object', 'list', 'function', 'class', 'instance', 'namespace']);

/** Whether the rules know all of something, so that what is written into it is read from it again. */
export const isReadAgain = ({ type }: Value): boolean => known.has(type);

/** `const url = new URL(base)`: a path that is put into it is asked for by whoever has it, by that name or by one that it is given. */
export function isMadeUrl({ owner }: Binding, { scopes }: SourceModule): boolean {
  const made = owner?.kind === 'variable' && owner.target.kind === 'patternName' ? owner.init : undefined;
  const isUrl = made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'URL';
  return isUrl && scopes.bindingOf(made.callee) === undefined;
}
