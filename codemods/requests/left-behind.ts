/** What calls of a function leave outside of it: `current = options`. What one of them made may find there what another left, and so they are not told apart. */
import type { SourceModule } from '../evaluate/module.ts';
import type { ParamValue } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
import type { NameNode } from '../syntax/tree.ts';
import { rootOf } from './mutations.ts';

type Owner = ParamValue['owner'];

const known = new WeakMap<Owner, boolean>();

/** Whether a function puts something of its own into what stands around it. */
export function leavesBehind(owner: Owner, moduleOf: () => SourceModule | undefined): boolean {
  const found = known.get(owner) ?? isLeaving(owner, moduleOf());
  known.set(owner, found);
  return found;
}

function isLeaving(owner: Owner, module: SourceModule | undefined): boolean {
  const declaredAt = (name: NameNode): number | undefined => module?.scopes.bindingOf(name)?.declaration.start;
  const isOwn = (at: number | undefined): boolean => at !== undefined && owner.start <= at && at < owner.end;
  let isFound = false;
  walk(owner, (node) => {
    const target = node.kind === 'assign' ? rootOf(node.target) : undefined;
    const at = target?.kind === 'name' ? declaredAt(target) : undefined;
    if (node.kind === 'assign' && at !== undefined && !isOwn(at))
      walk(node.value, (each) => !(isFound ||= each.kind === 'name' && isOwn(declaredAt(each))));
    return !isFound;
  });
  return isFound;
}
