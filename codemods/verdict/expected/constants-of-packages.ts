/** Packages of which a file takes constants and types alone: `Channel.SMS`. Such a file has them ask for nothing. */
import type { SourceModule } from '../../evaluate/module.ts';
import { importedBy } from '../../evaluate/names/specifiers.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { NameNode, PatternName } from '../../syntax/tree.ts';

/** Whether a file imports a package by declarations alone, and does nothing with what it gets but to read members of enums. */
export function isForConstants({ specifier, module }: { readonly specifier: string; readonly module: SourceModule }): boolean {
  const imports = nodesOfKind(module.tree.program, 'import').filter(({ source }) => source.value === specifier);
  const isDeclared = importedBy(module).filter((each) => each === specifier).length === imports.length;
  const isByName = imports.every(({ isType, specifiers }) => isType || specifiers.length > 0);
  return isDeclared && isByName && imports.every(({ specifiers }) => specifiers.every(({ local }) => isReadForMembers(local, module)));
}

const isReadForMembers = (local: PatternName, { scopes }: SourceModule): boolean =>
  /^[A-Z]/.test(local.name) && scopes.declaredBy(local)?.references.every(isMemberOfEnum) === true;

/** `Channel.Sms`, and neither a call of it nor a class that somebody is given; types are no references. */
function isMemberOfEnum(name: NameNode): boolean {
  const { parent } = name;
  if (parent?.kind !== 'member' || parent.object !== name || !/^[A-Z]/.test(parent.property ?? '')) return false;
  const user = parent.parent;
  if (user?.kind !== 'call') return user?.kind !== 'member';
  return user.callee !== parent && /^[A-Z][A-Z0-9_]*$/.test(parent.property ?? '');
}
