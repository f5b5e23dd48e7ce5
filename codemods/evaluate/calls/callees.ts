/** Which functions of the project a callee names, by the syntax alone. */
import { walk } from '../../syntax/link.ts';
import type { ClassNode, Expression, FunctionNode, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { membersNamed } from '../classes/class-index.ts';
import { declaredAs } from '../names/declared.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Frame } from './frame.ts';

/** A function or class of the project. */
export interface Callee {
  readonly node: FunctionNode | ClassNode;
  readonly module: SourceModule;
  /** The call that made it, where that is known. */
  readonly frame?: Frame | undefined;
}

/** The functions and classes of the project that a callee names. */
export function functionsOf(ev: Evaluation, callee: Expression, at: At): readonly Callee[] {
  const { module } = at;
  if (callee.kind === 'function') return [{ node: callee, module }];
  if (callee.kind === 'member') {
    const own = methodsOf(callee.object, callee.property, module);
    return own.length > 0 ? own : importedMethodsOf(ev, callee, module);
  }
  if (callee.kind !== 'name') return [];
  const owner = module.scopes.bindingOf(callee)?.owner;
  if (owner?.kind === 'class' || (owner?.kind === 'function' && owner.body !== undefined)) return [{ node: owner, module }];
  if (owner?.kind === 'variable' && owner.init?.kind === 'function') return [{ node: owner.init, module }];
  if (owner?.kind !== 'import' && owner?.kind !== 'function') return [];
  const value = ev.evaluate(callee, { module, frame: undefined });
  return value.type === 'function' || value.type === 'class' ? [{ node: value.node, module: value.module }] : [];
}

/** The methods that a class has itself which another file declares: `Builder.to(…)`. */
function importedMethodsOf(ev: Evaluation, { object, property }: MemberNode, module: SourceModule): readonly Callee[] {
  const owner = object.kind === 'name' ? module.scopes.bindingOf(object)?.owner : undefined;
  const declared = owner?.kind === 'import' ? declaredAs(ev, object, module) : undefined;
  if (declared?.node.kind !== 'class' || property === undefined) return [];
  return membersNamed(declared.node, declared.module, property).flatMap(({ value, isStatic }) =>
    isStatic && value?.kind === 'function' ? [{ node: value, module: declared.module }] : [],
  );
}

/** The methods of a name that an object, an instance or a class has, where it is written in this file. */
export function methodsOf(object: Expression, name: string | undefined, module: SourceModule): readonly Callee[] {
  if (name === undefined) return [];
  const of = object.kind === 'this' ? classAround(object) : classOf(object, module);
  if (of !== undefined)
    return membersNamed(of, module, name).flatMap(({ value }) => (value?.kind === 'function' ? [{ node: value, module }] : []));
  const init = object.kind === 'name' ? initOf(object, module) : object;
  const value = init?.kind === 'object' ? init.properties.find((each) => each.kind === 'property' && each.name === name) : undefined;
  return value?.kind === 'property' && value.value.kind === 'function' ? [{ node: value.value, module }] : [];
}

const initOf = (name: NameNode, { scopes }: SourceModule): Expression | undefined => {
  const owner = scopes.bindingOf(name)?.owner;
  return owner?.kind === 'variable' && owner.target.kind === 'patternName' ? owner.init : undefined;
};

/** The class that a name holds an instance of, or is. */
function classOf(object: Expression, module: SourceModule): ClassNode | undefined {
  const init = object.kind === 'name' ? (initOf(object, module) ?? object) : object;
  const name = init.kind === 'call' && init.isNew ? init.callee : init;
  const owner = name.kind === 'name' ? module.scopes.bindingOf(name)?.owner : undefined;
  return owner?.kind === 'class' ? owner : undefined;
}

/** Whether `x.name` may be a field that a class has: in another class, `this` is another. */
export const mayRead = ({ object }: MemberNode, of: ClassNode): boolean => {
  const around = object.kind === 'this' ? classAround(object) : undefined;
  return around === undefined || (around !== of && around.superclass !== undefined);
};

export function classAround(node: Node): ClassNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'class') return at;
  return undefined;
}

export function functionAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function') return at;
  return undefined;
}

/** The name that a function is declared by. */
export function nameOf(fn: FunctionNode | ClassNode): FunctionNode['name'] {
  const { parent } = fn;
  return parent?.kind === 'variable' && parent.init === fn && parent.target.kind === 'patternName' ? parent.target : fn.name;
}

const known = new WeakMap<FunctionNode, boolean>();

/** Whether a function may get hold of what no parameter takes: by `arguments`. */
export function hasArguments(fn: FunctionNode): boolean {
  const before = known.get(fn);
  if (before !== undefined) return before;
  let has = false;
  walk(fn, (node) => {
    has ||= node.kind === 'name' && node.name === 'arguments';
    return !has;
  });
  known.set(fn, has);
  return has;
}
