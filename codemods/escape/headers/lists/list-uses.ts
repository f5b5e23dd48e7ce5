/** Where a list of headers' names is used, in its file and in others: by its names, as what something has under a name, and by functions that are given it. */
import { lastName } from '../../../clients/names.ts';
import { callsOf } from '../../../evaluate/calls/all-callers.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { classAround, functionAround, functionsOf } from '../../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { namesIn } from '../../../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node, Pattern } from '../../../syntax/tree.ts';
import { exportedNames, readersIn } from '../../flow/readers.ts';
import { isExports } from '../../flow/uses.ts';

/** What has it, and the names by which it is taken from there. */
interface Held extends Place {
  readonly path: readonly string[];
}

/** Places that are looked at for one list. */
const maxPlaces = 300;

/** @returns the expressions that stand for the list, the first where it is made */
export function usesOfList(ev: Evaluation, list: Place): readonly Place[] {
  const found: Held[] = [{ ...list, path: [] }];
  const seen = new Map<Node, Set<string>>([[list.node, new Set([''])]]);
  // A list that grows while it is walked.
  for (const held of found)
    for (const next of holdersAround(ev, held)) {
      const paths = seen.get(next.node) ?? new Set<string>();
      const path = next.path.join('.');
      if (paths.has(path) || found.length >= maxPlaces) continue;
      seen.set(next.node, paths.add(path));
      found.push(next);
    }
  return found.filter(({ path }) => path.length === 0);
}

/** Methods that make another list of one. */
const copying = /^(?:map|filter|concat|slice|flat|sort|toSorted|values|keys)$/;

function holdersAround(ev: Evaluation, held: Held): readonly Held[] {
  const { node, module, path } = held;
  const { parent } = node;
  switch (parent?.kind) {
    case 'spread':
      return parent.parent?.kind === 'object' || (parent.parent?.kind === 'array' && path.length === 0)
        ? [{ ...held, node: parent.parent }]
        : [];
    case 'conditional':
    case 'logical':
    case 'await':
      return [{ ...held, node: parent }];
    case 'property':
      return parent.value === node && parent.name !== undefined && parent.parent !== undefined
        ? [{ module, node: parent.parent, path: [parent.name, ...path] }]
        : [];
    case 'variable':
      return parent.init === node && parent.each === undefined ? namedBy(ev, parent.target, held) : [];
    case 'param':
      return parent.default === node ? namedBy(ev, parent.target, held) : [];
    case 'member': {
      if (parent.object !== node) return [];
      const [name, ...rest] = path;
      if (name !== undefined) return parent.property === name ? [{ module, node: parent, path: rest }] : [];
      const call = parent.parent;
      return call?.kind === 'call' && call.callee === parent && copying.test(parent.property ?? '') ? [{ ...held, node: call }] : [];
    }
    case 'call':
      return parent.callee === node ? [] : givenTo(ev, parent, held);
    case 'assign':
      return parent.value === node ? assignedTo(ev, parent.target, held) : [];
    case 'classMember':
      return parent.name === undefined ? [] : fieldsOf(ev, parent, parent.name, held);
    case 'exportDeclaration':
      return parent.isDefault || parent.isAssignment ? takenOf(readersIn(ev).ofModule(module), ['default'], held) : [];
    case 'return':
      return returnedBy(ev, functionAround(parent), held);
    case 'function':
      return parent.body === node ? returnedBy(ev, parent, held) : [];
    // What stands in no statement is what a file of data holds.
    case 'program':
      return takenOf(readersIn(ev).ofModule(module), ['default'], held);
    default:
      return [];
  }
}

/** Where the names of a pattern are read that stand for it. */
function namedBy(ev: Evaluation, target: Pattern | Node, held: Held): readonly Held[] {
  const { module, path } = held;
  const [name, ...rest] = path;
  if (target.kind === 'objectPattern') {
    const taken = target.properties.find((each) => name !== undefined && each.name === name);
    return taken === undefined ? [] : namedBy(ev, taken.target, { ...held, path: rest });
  }
  if (target.kind !== 'patternName') return [];
  return namesIn(target).flatMap((each) => {
    const binding = module.scopes.declaredBy(each);
    if (binding === undefined) return [];
    const own = new Set<Node>(binding.references);
    const places = readersIn(ev).of(binding, module);
    return [
      ...binding.references.map((node): Held => ({ node, module, path })),
      ...takenOf(
        places.filter(({ node }) => !own.has(node)),
        exportedNames(binding, module),
        held,
      ),
    ];
  });
}

/** What of the places where a file is taken stands for what it exports under one of these names. */
const takenOf = (places: readonly Place[], names: readonly string[], { path }: Held): Held[] =>
  places.flatMap(({ node, module }): Held[] => {
    const at = (by: readonly string[]): Held => ({ node, module, path: by });
    const below = names.map((name) => at([name, ...path]));
    const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
    if (node.kind !== 'name' || owner?.kind !== 'import') return names.includes('default') ? [at(path), ...below] : below;
    const imported = owner.specifiers.find(({ local }) => local.name === node.name)?.imported;
    if (imported !== undefined && names.includes(imported)) return [at(path)];
    if (imported === '*') return names.includes('default') ? [at(path), ...below] : below;
    if (imported === 'default') return below;
    return imported !== undefined && path[0] === imported ? [at(path.slice(1))] : [];
  });

/** What makes another of one: `new Set(names)`, `Object.freeze(names)`, `Array.from(names)`, `others.concat(names)`. */
const isCopy = ({ callee, isNew }: CallNode): boolean =>
  (isNew && lastName(callee) === 'Set') || (!isNew && /^(?:freeze|from|of|concat)$/.test(lastName(callee)));

/** A function of the project has it under the name of a parameter. */
function givenTo(ev: Evaluation, call: CallNode, held: Held): readonly Held[] {
  if (isCopy(call)) return [{ ...held, node: call }];
  const index = call.args.findIndex((arg) => arg === held.node);
  const { value } = ev.budget.question({ node: call, module: held.module }, () =>
    functionsOf(ev, call.callee, { module: held.module, frame: undefined }),
  );
  return value.flatMap(({ node, module }) => {
    const fn = node.kind === 'function' ? node : node.members.find(({ role }) => role === 'constructor')?.value;
    const param = fn?.kind === 'function' ? fn.params[index] : undefined;
    if (param === undefined || param.isRest) return [];
    const given: Held = { ...held, module };
    const fields = param.isField && param.target.kind === 'patternName' ? membersNamed(module, param.target.name, given) : [];
    return [...namedBy(ev, param.target, given), ...fields];
  });
}

function assignedTo(ev: Evaluation, target: Node, held: Held): readonly Held[] {
  const { module, path } = held;
  if (target.kind === 'name') {
    const binding = module.scopes.bindingOf(target);
    return binding === undefined ? [] : namedBy(ev, binding.declaration, held);
  }
  if (target.kind !== 'member') return [];
  if (!isExports(target)) return target.property === undefined ? [] : membersNamed(module, target.property, held);
  const isWhole = target.property === 'exports' && target.object.kind === 'name' && target.object.name === 'module';
  const by = isWhole || target.property === undefined ? path : [target.property, ...path];
  return takenOf(readersIn(ev).ofModule(module), ['default'], { ...held, path: by });
}

/** A field of a class is read in its file, or of the class. */
function fieldsOf(ev: Evaluation, member: Node, name: string, held: Held): readonly Held[] {
  const of = classAround(member);
  const ofClass = of?.name === undefined ? [] : namedBy(ev, of.name, { ...held, path: [name, ...held.path] });
  return [...membersNamed(held.module, name, held), ...ofClass];
}

const membersNamed = (module: SourceModule, name: string, held: Held): Held[] =>
  nodesOfKind(module.tree.program, 'member').flatMap((node) => (node.property === name ? [{ ...held, module, node }] : []));

const returnedBy = (ev: Evaluation, fn: FunctionNode | undefined, held: Held): readonly Held[] =>
  fn === undefined ? [] : callsOf(ev, fn).map(({ node, module }) => ({ ...held, node, module }));
