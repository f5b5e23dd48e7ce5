/** What is thrown, or that a call failed with: `catch (error) { error.message = … }`. That is no client, and no settings. */
import { isCatch } from '../../evaluate/names/order.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';

/** Whether a name stands for an error: what a clause catches, or the first parameter of a function that has the type or the name of one, or that a rejected promise is given to. */
export function isError(node: Node, { scopes }: SourceModule): boolean {
  const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
  if (binding === undefined || binding.references.some(isAssigned)) return false;
  const { owner, name } = binding;
  if (isCatch(owner)) return owner.kind === 'block' && owner.params.includes(binding.declaration);
  if (owner.kind !== 'param' || owner.target !== binding.declaration || owner.parent?.kind !== 'function') return false;
  if (owner.parent.params[0] !== owner) return false;
  const { typeName } = owner;
  // A type of the program's own may be a client's, whatever it is called.
  if (typeName !== undefined && (!error.test(typeName) || isOwnType(scopes.top(typeName)?.owner))) return false;
  return typeName !== undefined || /^_*(?:err|error|exception)$/.test(name) || isOfRejected(owner.parent);
}

const error = /(?:Error|Exception)(?:<|$)/;
const isOwnType = (owner: Node | undefined): boolean =>
  owner !== undefined && (owner.kind !== 'import' || /^[./]/.test(owner.source.value));

const isOfRejected = ({ parent }: FunctionNode & { readonly parent?: Node }): boolean =>
  parent?.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property === 'catch';

const isAssigned = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;
