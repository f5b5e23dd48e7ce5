/**
 * Classes from before there were classes: `function Client() {}` with `Client.prototype.send = …`. Each is read as the class that
 * says the same, so that all that follows classes follows these. What is given to the prototype of a class is a member of that.
 */
import { walk } from '../../syntax/link.ts';
import type { Scopes } from '../../syntax/scopes.ts';
import type { CallNode, ClassNode, Expression, FunctionNode, MemberDeclaration, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { isObjectAssign } from '../writes/copies.ts';

/** What is given to the prototype of a function or class, or to itself. */
interface Gift {
  readonly to: NameNode;
  readonly isStatic: boolean;
  /** undefined where it is one of those that something else has: `Object.keys(routes)`. */
  readonly name: string | undefined;
  readonly computed?: Expression | undefined;
  readonly value: Expression;
}

export interface Prototypes {
  /** Functions with a prototype, and the classes that say the same. */
  readonly prototypes: ReadonlyMap<FunctionNode, ClassNode>;
  /** What classes have beside the members that they declare; of a function all but its constructor. */
  readonly added: ReadonlyMap<ClassNode, ReadonlySet<MemberDeclaration>>;
}

/**
 * Finds such classes in a file, and makes what they are made of know it: the functions' `parent` is then the class.
 * @param scopes of the same file; they were made before
 */
export function prototypesIn(
  { writes, calls }: { readonly writes: readonly Extract<Node, { kind: 'assign' }>[]; readonly calls: readonly CallNode[] },
  scopes: Scopes,
): Prototypes {
  const gifts = [...writes.flatMap(({ target, value }) => giftsOf(target, value, scopes)), ...calls.flatMap(assignedGifts)];
  const functionNamed = (name: NameNode): FunctionNode | undefined => functionOf(scopes.bindingOf(name)?.owner);
  const given = Map.groupBy(gifts, ({ to }) => functionNamed(to));
  const parents = new Map(inherited(writes, calls).map(({ name, parent }) => [functionNamed(name), parent]));
  const made = calls.flatMap(({ isNew, callee }) => (isNew && callee.kind === 'name' ? (functionNamed(callee) ?? []) : []));
  const withPrototype = [...given].flatMap(([fn, all]) => (all.every(({ isStatic }) => isStatic) ? [] : [fn]));
  const found = new Set([...withPrototype, ...parents.keys(), ...made.filter(writesToThis)]);
  const prototypes = new Map([...found].flatMap((fn) => (fn === undefined ? [] : [[fn, classOf(fn, parents.get(fn))] as const])));
  const classGiven = ({ to, isStatic }: Gift): ClassNode | undefined => {
    const fn = functionNamed(to);
    // What is written to a class itself is a write as any.
    return fn === undefined ? (isStatic ? undefined : classNamed(to, scopes)) : prototypes.get(fn);
  };
  const added = [...Map.groupBy(gifts, classGiven)].flatMap(([of, all]) =>
    of === undefined ? [] : [[of, new Set(all.map((gift) => belongTo(of, memberOf(gift))))] as const],
  );
  return { prototypes, added: new Map(added) };
}

function classNamed(name: NameNode, scopes: Scopes): ClassNode | undefined {
  const owner = scopes.bindingOf(name)?.owner;
  const of = owner?.kind === 'variable' ? owner.init : owner;
  return of?.kind === 'class' ? of : undefined;
}

function functionOf(owner: Node | undefined): FunctionNode | undefined {
  let at: Node | undefined = owner?.kind === 'variable' ? owner.init : owner;
  // `var Client = module.exports = function () {}`
  while (at?.kind === 'assign') at = at.value;
  return at?.kind === 'function' && !at.isArrow ? at : undefined;
}

/** `F.prototype.name = …`, `F.prototype = { … }` and `F.name = …`; `F.prototype[name] = …` for each name of a list. */
function giftsOf(target: Node, value: Expression, scopes: Scopes): Gift[] {
  if (target.kind !== 'member') return [];
  const ofPrototype = prototypeOf(target.object);
  if (ofPrototype !== undefined) {
    const names = namesOf(target, scopes) ?? [undefined];
    return names.map((name) => ({
      to: ofPrototype,
      isStatic: false,
      name,
      value,
      ...(name === undefined && { computed: target.computed }),
    }));
  }
  if (target.property === undefined) return [];
  const whole = prototypeOf(target);
  if (whole !== undefined) return value.kind === 'object' ? propertiesOf(whole, value.properties) : [];
  return target.object.kind === 'name' ? [{ to: target.object, isStatic: true, name: target.property, value }] : [];
}

/**
 * The names that a property has, one for each text of a list that is gone through.
 * @returns undefined where no list says them, and where they are methods of HTTP
 */
function namesOf({ property, computed }: MemberNode, scopes: Scopes): readonly string[] | undefined {
  if (property !== undefined) return [property];
  const each = computed?.kind === 'name' ? scopes.bindingOf(computed)?.owner : undefined;
  const call = each?.kind === 'param' && each.parent?.kind === 'function' ? each.parent.parent : undefined;
  const isFirst = call?.kind === 'call' && call.args[0] === each?.parent && methodName(call) === 'forEach';
  const list =
    each?.kind === 'variable' && each.each === 'value'
      ? each.init
      : isFirst && call.callee.kind === 'member'
        ? call.callee.object
        : undefined;
  const owner = list?.kind === 'name' ? scopes.bindingOf(list)?.owner : undefined;
  const items = owner?.kind === 'variable' ? owner.init : list;
  if (items?.kind !== 'array') return undefined;
  const names = items.elements.flatMap((item) => (item?.kind === 'string' ? item.value : []));
  return names.length < items.elements.length || names.some((name) => verb.test(name)) ? undefined : names;
}

/** Methods of HTTP. Which of several is called, nobody could tell of one function for all. */
export const verb = /^(?:get|post|put|patch|del(?:ete)?|head|options)$/i;

/** The `F` of `F.prototype`. */
const prototypeOf = (node: Node): NameNode | undefined =>
  node.kind === 'member' && node.property === 'prototype' && node.object.kind === 'name' ? node.object : undefined;

/** What a prototype is given one after the other. What is not written out may put anything in the place of what stands before it. */
function propertiesOf(to: NameNode, given: readonly Node[]): Gift[] {
  const lastOpen = given.findLastIndex((each) => each.kind !== 'property' || (each.name === undefined && each.value.kind !== 'function'));
  return given.flatMap((each, index) => {
    if (each.kind !== 'property' || each.name === undefined || each.name === 'constructor' || each.accessor !== undefined) return [];
    const gift = { to, isStatic: false, name: each.name, value: each.value };
    if (index > lastOpen) return [gift];
    const { start, end } = each;
    const open: Gift = { ...gift, value: { kind: 'other', what: 'Overwritten', children: [], start, end, parent: each } };
    return each.value.kind === 'function' ? [gift, open] : [open];
  });
}

/** `Object.assign(F.prototype, { … })`, and the same by jQuery or lodash. */
function assignedGifts(call: CallNode): Gift[] {
  const [target, ...sources] = call.args;
  const to = target === undefined ? undefined : prototypeOf(target);
  if (to === undefined || !(isObjectAssign(call) || methodName(call) === 'extend')) return [];
  return propertiesOf(
    to,
    sources.flatMap((source): readonly Node[] => (source.kind === 'object' ? source.properties : [source])),
  );
}

const methodName = ({ callee }: CallNode): string | undefined => (callee.kind === 'member' ? callee.property : undefined);

interface Inherited {
  readonly name: NameNode;
  readonly parent: Expression;
}

/** `util.inherits(F, Parent)`, `F.prototype = Object.create(Parent.prototype)` and `F.prototype = new Parent()`. */
function inherited(writes: readonly Extract<Node, { kind: 'assign' }>[], calls: readonly CallNode[]): Inherited[] {
  const written = writes.flatMap(({ target, value }): Inherited[] => {
    const name = prototypeOf(target);
    if (name === undefined || value.kind !== 'call') return [];
    const [first] = value.args;
    const parent = value.isNew ? value.callee : methodName(value) === 'create' && first !== undefined ? prototypeOf(first) : undefined;
    return parent === undefined ? [] : [{ name, parent }];
  });
  const called = calls.flatMap((call): Inherited[] => {
    const [name, parent] = call.args;
    const isInherits = methodName(call) === 'inherits' || (call.callee.kind === 'name' && call.callee.name === 'inherits');
    return isInherits && name?.kind === 'name' && parent !== undefined && parent.kind !== 'spread' ? [{ name, parent }] : [];
  });
  return [...written, ...called];
}

/** A function that is called with `new` and keeps what it is given, without any prototype. */
function writesToThis(fn: FunctionNode): boolean {
  let writes = false;
  walk(fn, (node) => {
    const isOther = node !== fn && (node.kind === 'class' || (node.kind === 'function' && !node.isArrow));
    writes ||= node.kind === 'assign' && (node.target as Partial<MemberNode>).object?.kind === 'this';
    return !isOther && !writes;
  });
  return writes;
}

function classOf(fn: FunctionNode, superclass: Expression | undefined): ClassNode {
  const place = { start: fn.start, end: fn.end };
  const constructor = {
    ...place,
    kind: 'classMember',
    role: 'constructor',
    isStatic: false,
    name: 'constructor',
    value: fn,
    decorators: [],
  } as const;
  const made: ClassNode = {
    ...place,
    kind: 'class',
    ...(fn.name === undefined ? {} : { name: fn.name }),
    ...(superclass === undefined ? {} : { superclass }),
    members: [constructor],
    decorators: [],
    isDeclaration: fn.isDeclaration,
    ...(fn.parent === undefined ? {} : { parent: fn.parent }),
  };
  belongTo(made, constructor);
  return made;
}

const isOwnMethod = (value: Expression): boolean => value.kind === 'function' && !value.isArrow;

const memberOf = ({ name, computed, isStatic, value }: Gift): MemberDeclaration => ({
  start: value.start,
  end: value.end,
  kind: 'classMember',
  role: computed !== undefined || isOwnMethod(value) ? 'method' : 'field',
  isStatic,
  ...(name !== undefined && { name }),
  ...(computed !== undefined && { computed }),
  value,
  decorators: [],
});

function belongTo(of: ClassNode, member: MemberDeclaration): MemberDeclaration {
  member.parent = of;
  if (member.value?.kind === 'function' && (member.computed === undefined || isOwnMethod(member.value))) member.value.parent = member;
  return member;
}
