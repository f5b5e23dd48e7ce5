/**
 * Lists, Sets and Maps that nothing is put into but where it is seen: each mention of one is a call of a method that is known, or goes through what it holds.
 * What is handed on, given back, exported or asked for something else may be filled by whoever has it.
 */
import { filling } from '../../syntax/item-methods.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { CallNode, ClassNode, Node } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { classAround, functionAround } from '../calls/callees.ts';
import { bindingExported } from '../names/declared.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../values/values.ts';
import { isInherited } from '../classes/subclasses.ts';

/** Methods that put something in, take something out, or go through it; what they give holds the same items, and is another. */
const methods = new Set(
  'add at clear concat delete entries every filter find findIndex findLast flat flatMap forEach get has includes indexOf join keys map pop push set shift slice some toSorted values'.split(
    ' ',
  ),
);
const inPlace = new Set(['reverse', 'sort']);
const sizes = new Set(['length', 'size']);
/** What makes another of it: `Array.from(tools)`, `new Map(tools)`. */
const copying = /^(?:Array|Map|Set)$/;

/** Whether nobody but its own file fills what a variable holds, and there only where it is seen. */
export function isClosedVariable(binding: Binding, module: SourceModule): boolean {
  const { owner, again, references } = binding;
  if (owner.kind !== 'variable' || again.length > 0 || assignmentsOf(binding).all.length > 0 || owner.each !== undefined) return false;
  const isOffered = [...module.exports.values()].some((each) => bindingExported(each, module) === binding);
  return !isOffered && references.every(isUnderstood);
}

const closed = new WeakMap<World, Map<ClassNode, Map<string, boolean>>>();

/** The same of a field: nothing but its class names it, and nothing inherits that. */
export function isClosedField(ev: Evaluation, of: ClassNode, name: string): boolean {
  const byClass = closed.get(ev.world) ?? new Map<ClassNode, Map<string, boolean>>();
  closed.set(ev.world, byClass);
  const byName = byClass.get(of) ?? new Map<string, boolean>();
  byClass.set(of, byName);
  const known = byName.get(name) ?? isOnlyNamedBy(ev, of, name);
  byName.set(name, known);
  return known;
}

function isOnlyNamedBy(ev: Evaluation, of: ClassNode, name: string): boolean {
  if (isInherited(ev, of) || of.superclass !== undefined) return false;
  return [...ev.world.modules.values()].every(({ calls, tree: { program } }) => {
    // `client[field].push(item)`, `Reflect.get(client, 'items')`
    const isNamedOtherwise = calls.some((call) => fillsByKey(call) || call.args.some((arg) => textOf(arg) === name));
    if (isNamedOtherwise && !name.startsWith('#')) return false;
    const members = nodesOfKind(program, 'member').filter(({ property, computed }) => (property ?? textOf(computed)) === name);
    const isOwn = members.every((member) => member.object.kind === 'this' && classAround(member) === of && isUnderstood(member));
    return isOwn && nodesOfKind(program, 'patternProperty').every((each) => each.name !== name);
  });
}

const filledFields = new WeakMap<World, ReadonlySet<string>>();

/** Whether something is put into a list that a field of such a name holds, of whatever instance: `registry.rows.push(row)`, `const { rows } = registry`. */
export function isFilledFromOutside({ world }: Evaluation, name: string): boolean {
  const known = filledFields.get(world) ?? new Set([...world.modules.values()].flatMap(fieldsFilledIn));
  filledFields.set(world, known);
  return known.has(name);
}

const fieldsFilledIn = ({ calls, scopes }: SourceModule): readonly string[] =>
  calls.flatMap(({ callee }) => {
    if (callee.kind !== 'member' || !filling.has(callee.property ?? '')) return [];
    const { object } = callee;
    const binding = object.kind === 'name' ? scopes.bindingOf(object) : undefined;
    const taken = binding?.declaration.parent;
    if (taken?.kind === 'patternProperty') return taken.name ?? [];
    const of = binding?.owner.kind === 'variable' ? binding.owner.init : object;
    return of?.kind === 'member' && of.object.kind !== 'this' ? (of.property ?? []) : [];
  });

/**
 * What is filled by calls is known where nobody else may fill it; a Set, and a Map that begins empty, is only that.
 * @param before what it begins with
 */
export function ifClosed(value: Value, before: Value, isClosed: () => boolean): Value {
  const least = Math.max(
    0,
    ...optionsOf(before).map((each) => (each.type === 'object' && each.entries.length > 0 ? each.entries.length : -1)),
  );
  if (!optionsOf(value).some((each) => isFilled(each, least)) || isClosed()) return value;
  return choiceOf(
    optionsOf(value).map((each): Value => {
      if (!isFilled(each, least)) return each;
      return each.type === 'list'
        ? unknown(undefined, each.module, 'assigned')
        : { ...each, ...(each.type === 'object' && { isMap: undefined }) };
    }),
  );
}

/** Whether it is a Set, or a Map with more in it than it began with. */
const isFilled = (value: Value, least: number): boolean =>
  (value.type === 'list' && value.isSet === true) || (value.type === 'object' && value.isMap === true && value.entries.length > least);

const textOf = (node: Node | undefined): string | undefined => (node?.kind === 'string' ? node.value : undefined);

function isUnderstood(mention: Node): boolean {
  const { parent } = mention;
  switch (parent?.kind) {
    case 'member': {
      if (parent.object !== mention || parent.property === undefined || parent.computed !== undefined) return false;
      const call = parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
      // These give back the same list.
      if (call !== undefined && inPlace.has(parent.property))
        return call.parent?.kind === 'other' && call.parent.what === 'ExpressionStatement';
      return sizes.has(parent.property) || (call !== undefined && methods.has(parent.property));
    }
    case 'variable':
      return parent.init === mention && parent.each === 'value';
    case 'assign':
      return parent.target === mention && parent.operator === '=' && isInConstructor(parent) && isMadeThere(parent.value);
    case 'spread':
      return parent.parent?.kind === 'array';
    case 'call':
      return parent.args[0] === mention && isCopying(parent.callee);
    default:
      return false;
  }
}

const fillsByKey = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' &&
  filling.has(callee.property ?? '') &&
  callee.object.kind === 'member' &&
  callee.object.property === undefined &&
  callee.object.computed?.kind !== 'string';

/** `this.tools = new Map()` */
const isMadeThere = (node: Node): boolean =>
  node.kind === 'array' || (node.kind === 'call' && node.isNew && node.callee.kind === 'name' && copying.test(node.callee.name));

function isInConstructor(node: Node): boolean {
  const { parent } = functionAround(node) ?? {};
  return parent?.kind === 'classMember' && parent.role === 'constructor';
}

const isCopying = (callee: Node): boolean =>
  callee.kind === 'member'
    ? callee.object.kind === 'name' && callee.object.name === 'Array' && callee.property === 'from'
    : callee.kind === 'name' && copying.test(callee.name);
