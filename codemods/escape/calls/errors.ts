/** What is thrown, or that a call failed with: `catch (error) { error.message = … }`. That is no client, and no settings. */
import { isCatch } from '../../evaluate/names/order.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Node } from '../../syntax/tree.ts';

/** Whether a name stands for an error: what a clause catches, or the parameter that has the type or the name of one and comes first or alone. */
export function isError(node: Node, { scopes }: SourceModule): boolean {
  const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
  if (binding === undefined || binding.references.some(isAssigned)) return false;
  const { owner, name } = binding;
  if (isCatch(owner)) return owner.kind === 'block' && owner.params.includes(binding.declaration);
  if (owner.kind !== 'param' || owner.target !== binding.declaration || owner.parent?.kind !== 'function') return false;
  return owner.typeName === undefined
    ? error.test(name) && owner.parent.params[0] === owner
    : /(?:Error|Exception)(?:<|$)/.test(owner.typeName);
}

const error = /^_*(?:e|er|err|error|ex|exception)$/;

const isAssigned = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;
