/**
 * By which names a program speaks of functions, whatever their own are: an import, a variable, a property or an export may give them another. Told
 * apart by nothing but the name, so there may be too many; who asks looks then at what each of them is.
 */
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { isPattern, namesIn } from '../../syntax/scopes.ts';
import type { ClassNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { requiredBy } from '../../syntax/required.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';

/** What a file exports without a name, as others import it under names of theirs. No name has a blank. */
const defaultOf = ({ file }: Pick<SourceModule, 'file'>): string => `default ${file}`;

/** The names of one function, which is asked about more than once. */
export function namesOfFunction(world: World, fn: Node): ReadonlySet<string> {
  const { ofOne } = aboutNames(world);
  const names = ofOne.get(fn) ?? namesOfFunctions(world, [fn]);
  ofOne.set(fn, names);
  return names;
}

/** @returns the functions' own names, and all that any of these is given on: over-approximated, as names of other things are among them */
export function namesOfFunctions(world: World, functions: Iterable<Node>): ReadonlySet<string> {
  const { renamed, fileOf, byOwn } = aboutNames(world);
  const own = new Set([...functions].flatMap((node) => (node.kind === 'function' ? ownNames(node, fileOf) : [])));
  // Hundreds of functions have one name, and what goes by a name of a large program goes by thousands.
  const key = [...own].toSorted().join(' ');
  const before = byOwn.get(key);
  if (before !== undefined) return before;
  const names = new Set(own);
  // A set that grows while it is walked: new names come up later.
  for (const name of names) for (const other of renamed.get(name) ?? []) names.add(other);
  byOwn.set(key, names);
  return names;
}

interface Known {
  readonly renamed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fileOf: ReadonlyMap<Node, string>;
  /** By the own names of functions. */
  readonly byOwn: Map<string, ReadonlySet<string>>;
  readonly ofOne: WeakMap<Node, ReadonlySet<string>>;
}

const aboutNames = memoOf((world: World): Known => ({
  renamed: renamings(world),
  fileOf: filesOf(world),
  byOwn: new Map(),
  ofOne: new WeakMap(),
}));

const filesOf = ({ modules }: World): ReadonlyMap<Node, string> =>
  new Map([...modules.values()].map(({ file, tree }) => [tree.program, file]));

/** Of each name, the others that what goes by it is given. */
function renamings(world: World): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from === to || from === '') return;
    const before = found.get(from);
    if (before === undefined) found.set(from, new Set([to]));
    else before.add(to);
  };
  for (const module of world.modules.values()) {
    const { tree, writes, exports, whole } = module;
    const { program } = tree;
    const gives = (value: Expression | undefined, to: string): void => {
      for (const from of value === undefined ? [] : spokenNames(value)) add(from, to);
      const source = requiredBy(value)?.value;
      const required = source === undefined ? undefined : world.resolve(module, source);
      if (required !== undefined) add(defaultOf(required), to);
    };
    const taken = (specifier: string, name: string, to: string): void => {
      const from = name === 'default' || name === '*' ? world.resolve(module, specifier) : undefined;
      add(from === undefined ? name : defaultOf(from), to);
    };
    const exported = (name: string): string => (name === 'default' ? defaultOf(module) : name);
    for (const { source, specifiers } of nodesOfKind(program, 'import'))
      for (const { imported, local } of specifiers) taken(source.value, imported, local.name);
    for (const [name, target] of exports) {
      if ('specifier' in target) taken(target.specifier, target.name, exported(name));
      else if ('reference' in target) add(target.reference.name, exported(name));
      else if ('declared' in target) add(target.declared.name, exported(name));
      else if (target.node.kind === 'name') add(target.node.name, exported(name));
    }
    gives(whole, defaultOf(module));
    for (const { target, init } of nodesOfKind(program, 'variable')) for (const { name } of namesIn(target)) gives(init, name);
    for (const { name = '', target } of nodesOfKind(program, 'patternProperty')) if (target.kind === 'patternName') add(name, target.name);
    for (const { name, value } of nodesOfKind(program, 'property')) if (name !== undefined) gives(value, name);
    for (const { name, value } of nodesOfKind(program, 'classMember')) if (name !== undefined && value?.kind === 'name') gives(value, name);
    for (const { target, value } of writes) for (const to of isPattern(target) ? [] : spokenNames(target)) gives(value, to);
  }
  return found;
}

/** By what an expression may speak of a function: a name, the last of a path, either side of a choice, what is bound. */
export function spokenNames(node: Expression): readonly string[] {
  switch (node.kind) {
    case 'name':
      return [node.name];
    case 'member':
      return node.property === undefined ? [] : [node.property];
    case 'conditional':
      return [...spokenNames(node.whenTrue), ...spokenNames(node.whenFalse)];
    case 'logical':
      return [...spokenNames(node.left), ...spokenNames(node.right)];
    case 'call': {
      const { callee } = node;
      return callee.kind === 'member' && callee.property === 'bind' ? spokenNames(callee.object) : [];
    }
    default:
      return [];
  }
}

/** Its own name, and that of the variable, property, method or export that it is; of a constructor, those of its class. */
function ownNames({ name, parent }: FunctionNode | ClassNode, fileOf: Known['fileOf']): readonly string[] {
  const own = name === undefined ? [] : [name.name];
  if (parent?.kind === 'classMember' && parent.role === 'constructor' && parent.parent?.kind === 'class')
    return ownNames(parent.parent, fileOf);
  switch (parent?.kind) {
    case 'variable':
      return parent.target.kind === 'patternName' ? [...own, parent.target.name] : own;
    case 'property':
    case 'classMember':
      return parent.name === undefined ? own : [...own, parent.name];
    case 'exportDeclaration':
      return parent.isDefault || parent.isAssignment ? [...own, ...defaultAround(parent, fileOf)] : own;
    case 'assign':
      return isPattern(parent.target) ? own : [...own, ...spokenNames(parent.target), ...defaultAround(parent, fileOf)];
    default:
      return own;
  }
}

function defaultAround(node: Node, fileOf: Known['fileOf']): readonly string[] {
  let at = node;
  while (at.parent !== undefined) at = at.parent;
  const file = fileOf.get(at);
  return file === undefined ? [] : [defaultOf({ file })];
}
