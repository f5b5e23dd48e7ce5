/** AngularJS: what its modules register is given by name what it asks for, https://docs.angularjs.org/guide/di. */
import { assignmentsOf } from '../../evaluate/names/assignments.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { nameOf } from '../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { objectOf } from '../servers/incoming.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { ArrayNode, FunctionNode, NameNode, Node, ParamNode } from '../../syntax/tree.ts';

/** What a module registers by a function that is injected into: https://docs.angularjs.org/api/ng/type/angular.Module */
const registering = new Set(['config', 'controller', 'directive', 'factory', 'filter', 'provider', 'run', 'service']);

/** What a parameter is injected by, in a function or class that a module registers. */
export function injectedName(param: ParamNode, module: SourceModule): string | undefined {
  const fn = param.parent;
  const own = fn?.kind === 'function' ? registered(fn, module) : undefined;
  if (fn?.kind !== 'function' || own === undefined) return undefined;
  if (own.names === undefined) return param.target.kind === 'patternName' ? param.target.name : undefined;
  const name = own.names[fn.params.indexOf(param)];
  return name?.kind === 'string' ? name.value : undefined;
}

const registered = (fn: FunctionNode, module: SourceModule): Registered | undefined =>
  registeredAs(fn, module) ?? registeredByName(fn, module);

/** The names that are listed for it; undefined where those of its parameters are meant. */
interface Registered {
  readonly names: ArrayNode['elements'] | undefined;
}

/** `app.factory('Texts', it)`, `app.factory('Texts', ['$http', it])` */
function registeredAs(it: Node, module: SourceModule): Registered | undefined {
  const listed = it.parent?.kind === 'array' ? it.parent : undefined;
  const call = (listed ?? it).parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || !registering.has(call.callee.property ?? '')) return undefined;
  if (!isModule(call.callee.object, module) || (listed !== undefined && listed.elements.at(-1) !== it)) return undefined;
  return { names: listed?.elements };
}

/** A function or class that is registered by its name, and named for nothing else than what it is given: `Texts.$inject = ['$http']`. */
function registeredByName(fn: FunctionNode, module: SourceModule): Registered | undefined {
  const binding = bindingOf(fn, module);
  if (binding === undefined || binding.again.length > 0 || assignmentsOf(binding).all.length > 0) return undefined;
  const all = binding.references.map((each) => registeredAs(each, module));
  const isPlain = binding.references.every((each, index) => all[index] !== undefined || each.parent?.kind === 'member');
  const found = all.filter((each) => each !== undefined);
  const lists = [...listsOf(binding), ...found.flatMap(({ names }) => (names === undefined ? [] : [names]))];
  return found.length > 0 && isPlain && lists.length < 2 ? { names: lists[0] } : undefined;
}

/** The name of a function, or of the class that it makes. */
function bindingOf(fn: FunctionNode, { scopes }: SourceModule): Binding | undefined {
  const of = fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor' ? fn.parent.parent : fn;
  const name = of?.kind === 'class' || of?.kind === 'function' ? nameOf(of) : undefined;
  return name && scopes.declaredBy(name);
}

/** What is listed for a function or class, also as a static member of that. */
const listsOf = ({ owner, references }: Binding): ArrayNode['elements'][] => [
  ...references.flatMap(listOf),
  ...(owner.kind === 'class' ? owner.members : []).flatMap(({ name, value }) =>
    name === '$inject' ? [value?.kind === 'array' ? value.elements : []] : [],
  ),
];

/** `Texts.$inject = ['$http']` */
function listOf({ parent: member }: NameNode): ArrayNode['elements'][] {
  if (member?.kind !== 'member' || member.property !== '$inject') return [];
  const { parent: write } = member;
  return [write?.kind === 'assign' && write.target === member && write.value.kind === 'array' ? write.value.elements : []];
}

/** `angular.module('texts')`, also behind others of the same chain, and a variable that holds it. */
function isModule(node: Node, module: SourceModule): boolean {
  const root = rootOf(node);
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  const owner = binding?.owner;
  if (binding === undefined || owner?.kind !== 'variable') return isMade(root);
  const isOne = owner.init !== undefined && owner.target.kind === 'patternName' && binding.again.length === 0;
  return isOne && assignmentsOf(binding).all.length === 0 && isMade(rootOf(owner.init));
}

/** What a chain of calls begins with. */
function rootOf(node: Node): Node {
  let at = node;
  while (!isMade(at) && at.kind === 'call' && at.callee.kind === 'member') at = at.callee.object;
  return at;
}

const isMade = (node: Node): boolean =>
  node.kind === 'call' &&
  node.callee.kind === 'member' &&
  node.callee.property === 'module' &&
  node.callee.object.kind === 'name' &&
  node.callee.object.name === 'angular';

/** A service or controller is an object of its own: what it puts into itself it puts nowhere else. */
const thisIn = (_ev: Evaluation, node: FunctionNode, { module }: At): Value | undefined =>
  registered(node, module) && objectOf({}, { node, module });

export const angularJsLibrary: ClientRule = {
  name: 'angularjs modules',
  thisIn,
};
