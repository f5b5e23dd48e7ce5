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

/** `Channel.Sms`, and no call of it; types are no references. What is called as no enum may hold classes that somebody is given: `{ useClass: Sdk.Client }`. */
function isMemberOfEnum(name: NameNode): boolean {
  const { parent } = name;
  if (parent?.kind !== 'member' || parent.object !== name) return false;
  const { property = '', parent: user } = parent;
  const isConstant = /^[A-Z][A-Z0-9_]*$/.test(property) || (ofEnum.test(name.name) && /^[A-Z]/.test(property));
  return isConstant && user?.kind !== 'member' && !(user?.kind === 'call' && user.callee === parent);
}

const ofEnum = /(?:Enum|Type|Status|State|Kind|Code|Channel|Level|Role|Mode|Method|Category)(?:e?s)?$/;
