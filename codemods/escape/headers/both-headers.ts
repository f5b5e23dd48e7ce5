/** Lists of headers that have v2's beside v1's, as of what is not to be logged: what is asked of one it says of the key where it stands now, too. */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isExported } from '../flow/readers.ts';

/** `['authorization', 'x-api-key'].includes(name.toLowerCase())`, by a name of the file as well; letters count where they are not made small. */
export function isListedWithBoth(node: Node, module: SourceModule): boolean {
  const list = node.parent;
  if (node.kind !== 'string' || node.value !== v1Auth.field || list?.kind !== 'array') return false;
  if (!list.elements.some((each) => each?.kind === 'string' && each.value === v2Auth.field.toLowerCase())) return false;
  const made = list.parent?.kind === 'call' && list.parent.isNew && isSet(list.parent.callee) ? list.parent : list;
  const owner = made.parent;
  if (owner?.kind !== 'variable') return isAsked(made);
  const binding = owner.target.kind === 'patternName' ? module.scopes.declaredBy(owner.target) : undefined;
  return binding !== undefined && owner.declares === 'const' && !isExported(binding, module) && binding.references.every(isAsked);
}

const isSet = (callee: Node): boolean => callee.kind === 'name' && callee.name === 'Set';

function isAsked(list: Node): boolean {
  const { parent } = list;
  if (parent?.kind !== 'member' || parent.object !== list || !/^(?:includes|has|indexOf)$/.test(parent.property ?? '')) return false;
  return parent.parent?.kind === 'call' && parent.parent.callee === parent && parent.parent.args.some(isMadeSmall);
}

function isMadeSmall(node: Node): boolean {
  let isSmall = false;
  walk(node, (each) => {
    isSmall ||= each.kind === 'member' && each.property === 'toLowerCase';
    return !isSmall;
  });
  return isSmall;
}
