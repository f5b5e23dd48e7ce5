/** Types of the project: an SDK's own `HttpClient` is not Angular's, and may say what a parameter is. */
import { escaped } from '../../find/words/literals.ts';
import type { CallNode, ClassNode, Node, ParamNode } from '../../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { readsOf } from '../calls/by-name.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { type InstanceValue, optionsOf } from '../values/values.ts';

/** Whether a type that is named in a module is declared by the project; one that is only handed on from a package is not. */
export function isOwnType({ world }: Evaluation, typeName: string, module: SourceModule): boolean {
  const owner = module.scopes.top(typeName)?.owner;
  if (owner?.kind !== 'import') return declares(module.text, typeName);
  const imported = owner.specifiers.find(({ local }) => local.name === typeName)?.imported ?? typeName;
  return isDeclaredBehind(world, module.file, owner.source.value, imported === 'default' ? typeName : imported, new Set());
}

const fetchTypes = new WeakMap<SourceModule, ReadonlySet<string>>();

/** `typeof fetch`, and what a file calls that: `type Fetch = typeof globalThis.fetch;`. A function of its own may be called `fetch`, too. */
export function isTypeOfFetch(typeName: string, module: SourceModule): boolean {
  const known = fetchTypes.get(module) ?? new Set([...module.text.matchAll(fetchAlias)].flatMap(([, name]) => name ?? []));
  fetchTypes.set(module, known);
  return (known.has(typeName) || fetchQuery.test(typeName)) && module.scopes.top('fetch') === undefined;
}

const fetchQuery = /^typeof (?:(?:globalThis|window|self)\.)?fetch$/;
const fetchAlias = /\btype\s+(\w+)\s*=\s*typeof\s+(?:(?:globalThis|window|self)\.)?fetch\s*(?:;|$)/gm;

const onlyMade = new WeakMap<Evaluation, Map<ClassNode, boolean>>();

/**
 * The instance that the type of a constructor's parameter names, where nothing else is known to stand for its class: none inherits from it or implements
 * it, and no container is handed it. So it has to be with the class that is constructed; what is loaded by any name, anybody may make.
 */
export function instanceOfType(ev: Evaluation, { typeName, parent: fn }: ParamNode, module: SourceModule): InstanceValue | undefined {
  const binding = typeName === undefined ? undefined : module.scopes.top(typeName);
  const member = fn?.parent;
  const made = member?.kind === 'classMember' && member.role === 'constructor' ? member.parent : undefined;
  if (binding === undefined || made?.kind !== 'class' || mayBeMade(ev, module)) return undefined;
  const of = ev.binding(binding, { module, frame: undefined });
  return of.type === 'class' && isOnlyMade(ev, made, module) && isOnlyMade(ev, of.node, of.module)
    ? { type: 'instance', of, args: undefined }
    : undefined;
}

const making = new WeakMap<Evaluation, boolean>();

/** Whether a class may be made by who does not name it: what loads its file by any name, `new parts[name](client)`, `(Part) => new Part(client)`. */
function mayBeMade(ev: Evaluation, module: SourceModule): boolean {
  const { world } = ev;
  if (world.mayBeLoaded?.(module) === true) return true;
  const found = making.get(ev) ?? [...world.modules.values()].some((each) => each.calls.some((call) => makesAny(ev, call, each)));
  making.set(ev, found);
  return found;
}

function makesAny(ev: Evaluation, { isNew, callee }: CallNode, module: SourceModule): boolean {
  if (!isNew || (callee.kind === 'member' && callee.property !== undefined)) return false;
  const owner = callee.kind === 'name' ? module.scopes.bindingOf(callee)?.owner.kind : 'computed';
  if (owner === undefined || owner === 'class' || owner === 'import' || owner === 'function') return false;
  const made = optionsOf(ev.evaluate(callee, { module, frame: undefined }));
  return made.length === 0 || made.some(({ type }) => type === 'unknown' || type === 'param');
}

function isOnlyMade(ev: Evaluation, node: ClassNode, module: SourceModule): boolean {
  const known = onlyMade.get(ev) ?? new Map<ClassNode, boolean>();
  onlyMade.set(ev, known);
  const isOnly = known.get(node) ?? isUsedPlainly(ev, node, module);
  known.set(node, isOnly);
  return isOnly;
}

function isUsedPlainly({ world }: Evaluation, node: ClassNode, module: SourceModule): boolean {
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
