/** Names that belong to a file and not to one of its calls, as constants do: what takes too much to find out is one only then. */
import type { Expression } from '../../syntax/tree.ts';
import { functionAround } from '../calls/callees.ts';
import type { SourceModule } from '../module.ts';

/** Whether a name, or what is read of it, is declared outside of all functions: `HEADER`, `ROUTES.contacts`. */
export function isOfFile(node: Expression, { scopes }: SourceModule): boolean {
  let root = node;
  while (root.kind === 'member') root = root.object;
  const declared = root.kind === 'name' ? scopes.bindingOf(root)?.declaration.parent : undefined;
  return declared !== undefined && declared.kind !== 'param' && functionAround(declared) === undefined;
}
