/** What a file keeps in a Map of its own: a client for each tenant, made when it is first asked for. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { assignmentsOf } from '../../evaluate/names/assignments.ts';
import { classAround } from '../../evaluate/calls/callees.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, MemberDeclaration, Expression, Node, VariableNode } from '../../syntax/tree.ts';

/** All values count as one: the names are tenants, keys and objects, which nothing tells apart. */
const anyName = '';
const kinds: ReadonlySet<string> = new Set(['Map', 'WeakMap']);
/** What takes nothing out of it but `get`. */
const keeping: ReadonlySet<string> = new Set(['get', 'set', 'has', 'delete', 'clear', 'size']);

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  const space = node.kind === 'call' ? spaceOf(node, 'set', module) : undefined;
  const [, value] = node.kind === 'call' ? node.args : [];
  return space === undefined || value === undefined || value.kind === 'spread' ? [] : [{ space, key: anyName, node: value }];
}

function asks(node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined {
  const space = node.kind === 'call' ? spaceOf(node, 'get', module) : undefined;
  return space === undefined ? undefined : { space, key: anyName };
}

/** The Map whose method is called, where no one but this file has it: by where it is declared, so that nobody has to find out which it is. */
function spaceOf({ callee, isNew }: CallNode, method: string, module: SourceModule): string | undefined {
  if (isNew || callee.kind !== 'member' || callee.property !== method) return undefined;
  const { object } = callee;
  const declared = ownVariable(object, module) ?? ownField(object, module);
  return declared && `map ${module.file} ${declared.start}`;
}

/** A variable that holds an empty Map, and is only asked and filled. */
function ownVariable(node: Expression, module: SourceModule): VariableNode | undefined {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind !== 'variable' || binding.again.length > 0 || assignmentsOf(binding).all.length > 0) return undefined;
  const { target, init, parent } = binding.owner;
  if (target.kind !== 'patternName' || !isEmptyMap(init, module) || parent?.kind === 'exportDeclaration') return undefined;
  return binding.references.every((reference) => isAskedOrFilled(reference, module)) ? binding.owner : undefined;
}

/** The same for a field that other files cannot name. */
function ownField(node: Expression, module: SourceModule): MemberDeclaration | undefined {
  if (node.kind !== 'member' || node.object.kind !== 'this' || node.property === undefined) return undefined;
  const { property } = node;
  const field = classAround(node)?.members.find(({ name }) => name === property);
  if (field?.role !== 'field' || !isEmptyMap(field.value, module)) return undefined;
  const modifiers = module.text.slice(field.start, field.value?.start);
  if (!property.startsWith('#') && !/^\s*private\b/.test(modifiers)) return undefined;
  const { program } = module.tree;
  const isTaken = nodesOfKind(program, 'patternProperty').some(({ name }) => name === property);
  const isKept = nodesOfKind(program, 'member').every((member) => member.property !== property || isAskedOrFilled(member, module));
  return isKept && !isTaken ? field : undefined;
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
