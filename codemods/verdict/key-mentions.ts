/** Where code names v1's header of something that holds headers. */
import { isKeyHeader } from '../../src/contract/auth.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';

export interface Mention {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
}

/** @returns texts and properties with the name, in order */
export function mentionsIn(module: SourceModule): Mention[] {
  const { program } = module.tree;
  const texts = nodesOfKind(program, 'string').filter(({ value }) => isKeyHeader(value));
  const properties = nodesOfKind(program, 'property').filter(({ name }) => isKeyHeader(name));
  return [
    ...texts.map((node): Mention => ({ node, start: node.start, end: node.end })),
    ...properties.map((node): Mention => ({ node, start: node.keyStart, end: node.keyEnd })),
  ].toSorted((one, other) => one.start - other.start);
}

/** What a header is put into, deleted from or asked of. */
export function receiverOf(node: Node): Node | undefined {
  const { parent } = node;
  if (parent?.kind === 'member') return parent.object;
  if (parent?.kind === 'binary' && parent.operator === 'in') return parent.right;
  return parent?.kind === 'call' && parent.callee.kind === 'member' && parent.args[0] === node ? parent.callee.object : undefined;
}

/** What tells a variable, a property of what it holds, or a field of a class that holds headers from others. */
export function holderOf(node: Node, module: SourceModule): string | undefined {
  const receiver = receiverOf(node);
  if (receiver !== undefined) return pathOf(receiver, module);
  const owner = node.kind === 'property' ? node.parent?.parent : undefined;
  if (owner?.kind === 'classMember') return fieldOf(owner.name, node);
  const declared = owner?.kind === 'variable' && owner.target.kind === 'patternName' ? module.scopes.declaredBy(owner.target) : undefined;
  return declared && `${declared.declaration.start}`;
}

function pathOf(node: Node, module: SourceModule): string | undefined {
  if (node.kind === 'name') {
    const binding = module.scopes.bindingOf(node);
    return binding && `${binding.declaration.start}`;
  }
  if (node.kind !== 'member' || node.property === undefined) return undefined;
  if (node.object.kind === 'this') return fieldOf(node.property, node);
  const of = pathOf(node.object, module);
  return of && `${of}.${node.property}`;
}

function fieldOf(name: string | undefined, node: Node): string | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'class') at = at.parent;
  return name === undefined || at === undefined ? undefined : `${at.start} ${name}`;
}
