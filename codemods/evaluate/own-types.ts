/** Types of the project: an SDK's own `HttpClient` is not Angular's, and may say what a parameter is. */
import { escaped } from '../find/literals.ts';
import type { ClassNode, Node } from '../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { readsOf } from './by-name.ts';
import type { Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import type { World } from './program.ts';
import type { ClassValue, InstanceValue } from './values.ts';

/** Whether a type that is named in a module is declared by the project; one that is only handed on from a package is not. */
export function isOwnType({ world }: Evaluation, typeName: string, module: SourceModule): boolean {
  const owner = module.scopes.top(typeName)?.owner;
  if (owner?.kind !== 'import') return declares(module.text, typeName);
  const imported = owner.specifiers.find(({ local }) => local.name === typeName)?.imported ?? typeName;
  return isDeclaredBehind(world, module.file, owner.source.value, imported === 'default' ? typeName : imported, new Set());
}

const onlyMade = new WeakMap<Evaluation, Map<ClassNode, boolean>>();

/** The instance that a type names, where nothing else is known to stand for its class: none inherits from it or implements it, and no container is handed it. */
export function instanceOfType(ev: Evaluation, typeName: string, module: SourceModule): InstanceValue | undefined {
  const binding = module.scopes.top(typeName);
  const of = binding === undefined ? undefined : ev.binding(binding, { module, frame: undefined });
  if (of?.type !== 'class') return undefined;
  const known = onlyMade.get(ev) ?? new Map<ClassNode, boolean>();
  onlyMade.set(ev, known);
  const isOnly = known.get(of.node) ?? isOnlyMade(ev, of);
  known.set(of.node, isOnly);
  return isOnly ? { type: 'instance', of, args: undefined } : undefined;
}

function isOnlyMade({ world }: Evaluation, { node, module }: ClassValue): boolean {
  const binding = node.name === undefined ? undefined : module.scopes.declaredBy(node.name);
  if (binding === undefined || implementedIn(world).has(binding.name)) return false;
  const bindings = [binding, ...aliasesOf(world, binding).map((alias) => alias.binding)];
  const reads = readsOf(world, binding.name);
  return reads !== undefined && [...bindings.flatMap(({ references }) => references), ...reads.map((read) => read.node)].every(isPlain);
}

/** `new Http(key)`, `Http.withKey(key)`, `error instanceof Http`, `export { Http }`. */
function isPlain(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind === 'call') return parent.isNew && parent.callee === node;
  if (parent?.kind === 'member') return parent.object === node && parent.property !== undefined && parent.property !== 'prototype';
  return (
    parent?.kind === 'export' || parent?.kind === 'exportDeclaration' || (parent?.kind === 'binary' && parent.operator === 'instanceof')
  );
}

const implemented = new WeakMap<World, ReadonlySet<string>>();

function implementedIn(world: World): ReadonlySet<string> {
  const names = implemented.get(world) ?? new Set([...world.modules.values()].flatMap(namesImplemented));
  implemented.set(world, names);
  return names;
}

/** The names that stand behind `implements`. */
const namesImplemented = ({ text }: SourceModule): string[] =>
  (text.match(/\bimplements\s[^{]+/g) ?? []).flatMap((behind) => behind.match(/[\w$]+/g) ?? []);

function isDeclaredBehind(world: World, from: string, specifier: string, typeName: string, seen: Set<string>): boolean {
  const { file, text } = world.reached?.(from, specifier) ?? {};
  if (file === undefined || text === undefined || seen.has(file)) return false;
  seen.add(file);
  if (declares(text, typeName)) return true;
  const handedOn = [...text.matchAll(reExport)].filter(([, names]) => names === undefined || names.includes(typeName));
  return handedOn.some(([, , further = '']) => isDeclaredBehind(world, file, further, typeName, seen));
}

const reExport = /\bexport\s+(?:type\s+)?(?:\*|\{([^{}]*)\})\s*from\s*['"]([^'"]+)['"]/g;

const declares = (text: string, typeName: string): boolean => new RegExp(`\\b(?:class|interface)\\s+${escaped(typeName)}\\b`).test(text);
