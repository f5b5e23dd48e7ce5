/** Texts that are kept for others than the code that is read: a package reads fields of what extends its class, and an export may be read by whoever takes it. */
import type { Place } from '../../evaluate/budget.ts';
import { superclassOf } from '../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript } from '../../evaluate/module.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { ClassNode, MemberDeclaration, Node, VariableNode } from '../../syntax/tree.ts';
import { propertyReads } from '../flow/property-reads.ts';
import { isExported, readersIn } from '../flow/readers.ts';

/**
 * @param isAsked whether an address that is asked came through a node
 * @returns whether a text stands in a field for a class of others, in an export of which nothing is read, or under a name of an object that nobody reads
 */
export function isKeptForOthers(ev: Evaluation, place: Place, isAsked: (node: Node) => boolean): boolean {
  let at = place.node;
  while (at.parent !== undefined && within.has(at.parent.kind)) at = at.parent;
  const { parent } = at;
  if (parent?.kind === 'variable') return isUnreadExport(ev, parent, place);
  if (parent?.kind === 'assign' && parent.value === at && parent.target.kind === 'member')
    return (propertyReads(ev).get(nameOf(place.node) ?? parent.target.property ?? '') ?? []).every(({ node }) => node === parent.target);
  if (parent?.kind !== 'classMember' || parent.parent?.kind !== 'class') return false;
  return isOfOthers(ev, parent.parent, place) && !readsOf(ev, parent).some(({ node }) => isAsked(node));
}

const within: ReadonlySet<Node['kind']> = new Set(['object', 'property', 'array', 'template', 'concat', 'conditional', 'logical']);

/** `{ TABLE: `contacts/v${VERSION}` }` */
function nameOf(node: Node): string | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'property' && within.has(at.kind)) at = at.parent;
  return at?.kind === 'property' ? at.name : undefined;
}

const readsOf = (ev: Evaluation, { name = '' }: MemberDeclaration): readonly Place[] => propertyReads(ev).get(name) ?? [];

function isUnreadExport(ev: Evaluation, { target }: VariableNode, { module }: Place): boolean {
  const binding = target.kind === 'patternName' && isScript(module) ? module.scopes.declaredBy(target) : undefined;
  if (binding === undefined || !isScript(module) || !isExported(binding, module)) return false;
  return readersIn(ev)
    .of(binding, module)
    .every(({ node: { parent } }) => parent?.kind === 'export' || parent?.kind === 'exportDeclaration');
}

/** `class Contact extends Model`, `@Entity() class Contact` */
function isOfOthers(ev: Evaluation, node: ClassNode, { module }: Place): boolean {
  if (node.decorators.length > 0) return true;
  if (node.superclass === undefined || !isScript(module)) return false;
  const value = ev.evaluate(node, { module, frame: undefined });
  return optionsOf(value).some((each) => each.type !== 'class' || superclassOf(ev, each)?.type !== 'class');
}
