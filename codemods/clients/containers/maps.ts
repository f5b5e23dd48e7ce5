/** What a file keeps in a Map of its own: a client for each tenant, made when it is first asked for. */
import type { ClientRule } from '../../evaluate/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/provided.ts';
import { assignmentsOf } from '../../evaluate/assignments.ts';
import { classAround } from '../../evaluate/callees.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

const space = 'kept in a map';
/** All values count as one: the names are tenants, keys and objects, which nothing tells apart. */
const anyName = '';
const kinds: ReadonlySet<string> = new Set(['Map', 'WeakMap']);
/** What takes nothing out of it but `get`. */
const keeping: ReadonlySet<string> = new Set(['get', 'set', 'has', 'delete', 'clear', 'size']);

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  const holder = node.kind === 'call' ? mapOf(node, 'set', module) : undefined;
  const [, value] = node.kind === 'call' ? node.args : [];
  return holder === undefined || value === undefined || value.kind === 'spread' ? [] : [{ space, key: anyName, holder, node: value }];
}

function asks(node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined {
  const holder = node.kind === 'call' ? mapOf(node, 'get', module) : undefined;
  return holder && { space, key: anyName, holder };
}

/** The Map whose method is called, where no one but this file has it. */
function mapOf({ callee, isNew }: CallNode, method: string, module: SourceModule): Expression | undefined {
  if (isNew || callee.kind !== 'member' || callee.property !== method) return undefined;
  const { object } = callee;
  return isOwnVariable(object, module) || isOwnField(object, module) ? object : undefined;
}

/** A variable that holds an empty Map, and is only asked and filled. */
function isOwnVariable(node: Expression, module: SourceModule): boolean {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind !== 'variable' || binding.again.length > 0 || assignmentsOf(binding).all.length > 0) return false;
  const { target, init, parent } = binding.owner;
  if (target.kind !== 'patternName' || !isEmptyMap(init, module) || parent?.kind === 'exportDeclaration') return false;
  return binding.references.every((reference) => isAskedOrFilled(reference, module));
}

/** The same for a field that other files cannot name. */
function isOwnField(node: Expression, module: SourceModule): boolean {
  if (node.kind !== 'member' || node.object.kind !== 'this' || node.property === undefined) return false;
  const { property } = node;
  const field = classAround(node)?.members.find(({ name }) => name === property);
  if (field?.role !== 'field' || !isEmptyMap(field.value, module)) return false;
  const modifiers = module.text.slice(field.start, field.value?.start);
  if (!property.startsWith('#') && !/^\s*private\b/.test(modifiers)) return false;
  const { program } = module.tree;
  const isTaken = nodesOfKind(program, 'patternProperty').some(({ name }) => name === property);
  return !isTaken && nodesOfKind(program, 'member').every((member) => member.property !== property || isAskedOrFilled(member, module));
}

const isEmptyMap = (node: Node | undefined, { scopes }: SourceModule): boolean =>
  node?.kind === 'call' &&
  node.isNew &&
  node.args.length === 0 &&
  node.callee.kind === 'name' &&
  kinds.has(node.callee.name) &&
  scopes.bindingOf(node.callee) === undefined;

function isAskedOrFilled(node: Node, module: SourceModule): boolean {
  const { parent } = node;
  if (parent?.kind !== 'member' || parent.object !== node || !keeping.has(parent.property ?? '')) return false;
  const call = parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
  if (parent.property === 'size' || call === undefined) return parent.property === 'size' && call === undefined;
  return parent.property !== 'set' || isMadeHere(call.args[1], module);
}

/** Whether it is made where it is kept: what others register there goes by its name, and is a container's. */
function isMadeHere(value: Node | undefined, { scopes }: SourceModule): boolean {
  if (value?.kind === 'name') return scopes.bindingOf(value)?.owner.kind !== 'param';
  return value !== undefined && making.has(value.kind);
}

const making: ReadonlySet<Node['kind']> = new Set(['call', 'await', 'assign', 'conditional', 'logical']);

export const keptInMaps: ClientRule = {
  name: 'maps',
  carries: [{ where: /\bnew\s+(?:Weak)?Map\b/, puts, asks }],
};
