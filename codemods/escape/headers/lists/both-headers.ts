/** Lists and tests of headers that have v2's beside v1's, as of what is not to be logged: what is asked of one it says of the key where it stands now, too. */
import { v1Auth, v2Auth } from '../../../../src/contract/auth.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { walk } from '../../../syntax/link.ts';
import type { BinaryNode, Node } from '../../../syntax/tree.ts';
import { isExported } from '../../flow/readers.ts';

/** Whether v1's header stands in such a list or test. */
export const isSaidOfBoth = (node: Node, module: SourceModule): boolean => isListedWithBoth(node, module) || isTestedWithBoth(node, module);

/** `['authorization', 'x-api-key'].includes(name.toLowerCase())`, by a name of the file as well; letters count where they are not made small. */
function isListedWithBoth(node: Node, module: SourceModule): boolean {
  const list = node.parent;
  if (node.kind !== 'string' || node.value !== v1Auth.field || list?.kind !== 'array') return false;
  if (!list.elements.some((each) => each?.kind === 'string' && each.value === v2Auth.field.toLowerCase())) return false;
  const made = list.parent?.kind === 'call' && list.parent.isNew && isSet(list.parent.callee) ? list.parent : list;
  const owner = made.parent;
  if (owner?.kind !== 'variable') return isAsked(made);
  const binding = owner.target.kind === 'patternName' ? module.scopes.declaredBy(owner.target) : undefined;
  return binding !== undefined && owner.declares === 'const' && !isExported(binding, module) && binding.references.every(isAsked);
}

/** `name.toLowerCase() === 'authorization' || name.toLowerCase() === 'x-api-key'`, also of what is neither of the two. */
function isTestedWithBoth(node: Node, { text }: SourceModule): boolean {
  const test = node.parent;
  if (node.kind !== 'string' || node.value !== v1Auth.field || test?.kind !== 'binary' || !/^[!=]==?$/.test(test.operator)) return false;
  const joins = test.operator.startsWith('=') ? '||' : '&&';
  let all: Node = test;
  while (all.parent?.kind === 'logical' && all.parent.operator === joins) all = all.parent;
  const leaves = joinedIn(all, joins);
  const subject = subjectOf(test, v1Auth.field);
  if (subject === undefined || !isMadeSmall(subject)) return false;
  return leaves.some((leaf) => {
    const other = leaf.kind === 'binary' && leaf.operator === test.operator ? subjectOf(leaf, v2Auth.field.toLowerCase()) : undefined;
    return other !== undefined && text.slice(other.start, other.end) === text.slice(subject.start, subject.end);
  });
}

const joinedIn = (node: Node, operator: string): Node[] =>
  node.kind === 'logical' && node.operator === operator ? [...joinedIn(node.left, operator), ...joinedIn(node.right, operator)] : [node];

/** What is compared with a text. */
function subjectOf({ left, right }: BinaryNode, said: string): Node | undefined {
  const isSaid = (each: Node): boolean => each.kind === 'string' && each.value === said;
  return isSaid(right) ? left : isSaid(left) ? right : undefined;
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
