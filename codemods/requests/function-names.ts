/**
 * By which names a program speaks of functions, whatever their own are: an import, a variable, a property or an export may give them another. Told
 * apart by nothing but the name, so there may be too many; who asks looks then at what each of them is.
 */
import type { World } from '../evaluate/program.ts';
import { nodesOfKind } from '../syntax/link.ts';
import { isPattern, namesIn } from '../syntax/scopes.ts';
import type { Expression, FunctionNode, Node } from '../syntax/tree.ts';

/** Whose default it is nobody looks up: one for all files. */
const asDefault = 'default';

export function namesOfFunctions(world: World, functions: Iterable<Node>): ReadonlySet<string> {
  const renamed = renamedIn.get(world) ?? renamings(world);
  renamedIn.set(world, renamed);
  const names = new Set([...functions].flatMap((node) => (node.kind === 'function' ? ownNames(node) : [])));
  // A set that grows while it is walked: new names come up later.
  for (const name of names) for (const other of renamed.get(name) ?? []) names.add(other);
  return names;
}

const renamedIn = new WeakMap<World, ReadonlyMap<string, ReadonlySet<string>>>();

/** Of each name, the others that what goes by it is given. */
function renamings({ modules }: World): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from === to || from === '') return;
    const known = found.get(from);
    if (known === undefined) found.set(from, new Set([to]));
    else known.add(to);
  };
  const gives = (value: Expression | undefined, to: string): void => {
    for (const from of value === undefined ? [] : spokenNames(value)) add(from, to);
  };
  for (const { tree, writes, exports, whole } of modules.values()) {
    const { program } = tree;
    for (const { specifiers } of nodesOfKind(program, 'import')) for (const { imported, local } of specifiers) add(imported, local.name);
    for (const [name, target] of exports) {
      if ('reference' in target) add(target.reference.name, name);
      else if ('specifier' in target) add(target.name, name);
      else if ('declared' in target) add(target.declared.name, name);
      else if (target.node.kind === 'name') add(target.node.name, name);
    }
    gives(whole, asDefault);
    for (const { target, init } of nodesOfKind(program, 'variable')) for (const { name } of namesIn(target)) gives(init, name);
    for (const { name = '', target } of nodesOfKind(program, 'patternProperty')) if (target.kind === 'patternName') add(name, target.name);
    for (const { name, value } of nodesOfKind(program, 'property')) if (name !== undefined) gives(value, name);
    for (const { name, value } of nodesOfKind(program, 'classMember')) if (name !== undefined && value?.kind === 'name') gives(value, name);
    for (const { target, value } of writes) for (const to of isPattern(target) ? [] : spokenNames(target)) gives(value, to);
  }
  return found;
}

/** By what an expression may speak of a function: a name, the last of a path, either side of a choice, what is bound or required. */
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
      if (callee.kind === 'name' && callee.name === 'require') return [asDefault];
      return callee.kind === 'member' && callee.property === 'bind' ? spokenNames(callee.object) : [];
    }
    default:
      return [];
  }
}

/** Its own name, and that of the variable, property, method or export that it is. */
function ownNames({ name, parent }: FunctionNode): readonly string[] {
  const own = name === undefined ? [] : [name.name];
  switch (parent?.kind) {
    case 'variable':
      return parent.target.kind === 'patternName' ? [...own, parent.target.name] : own;
    case 'property':
    case 'classMember':
      return parent.name === undefined ? own : [...own, parent.name];
    case 'exportDeclaration':
      return parent.isDefault || parent.isAssignment ? [...own, asDefault] : own;
    case 'assign':
      return isPattern(parent.target) ? own : [...own, ...spokenNames(parent.target), asDefault];
    default:
      return own;
  }
}
