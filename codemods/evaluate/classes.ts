/** Classes, their instances and what their fields hold, wherever these are set. */
import { walk } from '../syntax/link.ts';
import type { AssignNode, CallNode, ClassNode, Expression, FunctionNode, MemberDeclaration, Node } from '../syntax/tree.ts';
import { applyFunction } from './apply.ts';
import { clientOfType, frameOf } from './bindings.ts';
import type { At, Evaluation } from './evaluation.ts';
import { computedKeys } from './objects.ts';
import { copiedFrom } from './copies.ts';
import { choiceOf, type ClassValue, type Frame, type InstanceValue, optionsOf, unknown, type Value } from './values.ts';
import { componentOf } from './vue.ts';
import { fieldWrites, isObjectAssign, writtenAt } from './writes.ts';
import { placesOutside, writtenFromOutside, written } from './external-writes.ts';

export const evaluateClass = (node: ClassNode, at: At): ClassValue => ({ type: 'class', node, module: at.module, frame: at.frame });

/** What `this` is: the object whose method it stands in. */
export function selfOf(ev: Evaluation, node: Node, at: At): Value {
  let inside: Node | undefined = node;
  for (let around = node.parent; around !== undefined; inside = around, around = around.parent) {
    if (around.kind === 'function' && !around.isArrow) {
      const frame = frameOf(around, at.frame);
      const component = componentOf(ev, around, at);
      if (component !== undefined) return component;
      if (frame?.self !== undefined) return frame.self;
      if (around.parent?.kind === 'property' && around.parent.parent?.kind === 'object') return ev.evaluate(around.parent.parent, at);
    }
    if (around.kind === 'class') {
      const frame = frameOf(around, at.frame);
      if (frame?.self !== undefined) return frame.self;
      const of: ClassValue = { type: 'class', node: around, module: at.module, frame: at.frame };
      const isStatic = inside?.kind === 'classMember' && inside.isStatic;
      return isStatic ? of : { type: 'instance', of, args: undefined };
    }
  }
  return unknown(node, at.module);
}

/**
 * A field, method or accessor of an instance, or a static one of the class itself.
 * @param self whose member it is asked for, where the class is only inherited by that
 */
export function instanceMember(
  ev: Evaluation,
  value: InstanceValue | ClassValue,
  name: string,
  node: Node,
  at: At,
  self: Value = value,
): Value {
  const own = ownMember(ev, value, name, node, at, self);
  // Of an instance that nobody was seen to make, a subclass may say it too.
  const isOpen = value === self && value.type === 'instance' && value.args === undefined;
  const inSubclass = isOpen ? subclassField(ev, value.of, name, node, at) : undefined;
  if (own === undefined || inSubclass === undefined) return own ?? inSubclass ?? unknown(node, at.module);
  return choiceOf([own, inSubclass]);
}

function ownMember(ev: Evaluation, value: InstanceValue | ClassValue, name: string, node: Node, at: At, self: Value): Value | undefined {
  const isStatic = value.type === 'class';
  const of = isStatic ? value : value.of;
  const inClass: At = { module: of.module, frame: { owner: of.node, self, outer: of.frame } };
  const declared = of.node.members.filter((member) => member.name === name && member.isStatic === isStatic);
  const method = declared.findLast(({ role, value: fn }) => role === 'method' && fn?.kind === 'function' && fn.body !== undefined);
  if (method?.value?.kind === 'function') {
    return { type: 'function', node: method.value, module: of.module, frame: inClass.frame, self };
  }
  const getter = declared.find(({ role }) => role === 'get');
  if (getter?.value?.kind === 'function')
    return choiceOf([getterValue(ev, getter.value, self, inClass, node), ...writesFromOutside(ev, of, name, isStatic)]);
  const found = fieldValues(ev, value, of, name, declared, inClass);
  if (found.length > 0) {
    const inside = fieldWrites(ev, choiceOf(found), of, name, (member) => frameIn(member, value, inClass));
    return writtenFurther(ev, inside, name, isOfClass(ev, of, isStatic));
  }
  const inherited = isStatic ? superclassOf(ev, of) : superInstance(ev, value, of);
  if (inherited?.type === 'class' || inherited?.type === 'instance') return instanceMember(ev, inherited, name, node, at, self);
  const typed = declared.find(({ typeName }) => typeName !== undefined);
  return typed?.typeName === undefined ? undefined : clientOfType(ev, typed.typeName, typed, inClass);
}

function getterValue(ev: Evaluation, getter: FunctionNode, self: Value, inClass: At, node: Node): Value {
  if (node.kind !== 'member') return unknown(node, inClass.module);
  const call = { kind: 'call', callee: node, args: [], isNew: false, start: node.start, end: node.end } as const;
  return applyFunction(ev, { type: 'function', node: getter, module: inClass.module, frame: inClass.frame, self }, [], call, inClass);
}

/** A decorator may put another text in the place of a field's: `@Input() base = '…'`. */
const decorated = (value: Value, { decorators }: MemberDeclaration, { module }: ClassValue): Value[] =>
  decorators[0] === undefined || value.type !== 'text' ? [value] : [value, unknown(decorators[0], module, 'assigned')];

const isGiven = (value: Value): boolean => !(value.type === 'literal' && value.value === undefined);

function fieldValues(
  ev: Evaluation,
  value: InstanceValue | ClassValue,
  of: ClassValue,
  name: string,
  declared: readonly MemberDeclaration[],
  inClass: At,
): Value[] {
  const fields = declared.filter(({ role }) => role === 'field');
  const initial = fields.flatMap((field) => (field.value === undefined ? [] : decorated(ev.evaluate(field.value, inClass), field, of)));
  const isStatic = value.type === 'class';
  const inside = assignmentsTo(of, name).flatMap(({ member, node }) => {
    // What a setter is given, those say who write to it.
    const { parent } = member ?? {};
    if (parent?.kind === 'classMember' && parent.role === 'set' && parent.name !== undefined)
      return writesFromOutside(ev, of, parent.name, isStatic);
    const place: At = { module: of.module, frame: frameIn(member, value, inClass) };
    if (node.kind === 'assign' && !mayBeNamed(ev, node, name, place)) return [];
    return written(node.kind === 'assign' ? ev.evaluate(node.value, place) : ev.member(ev.evaluate(node, place), name, node, place));
  });
  const assigned = [...inside.filter(isGiven), ...writesFromOutside(ev, of, name, isStatic)];
  const params = constructorOf(of.node)?.params.filter(
    (param) => param.isField && param.target.kind === 'patternName' && param.target.name === name,
  );
  const fromParams = (params ?? []).map((param) => {
    const constructor = constructorOf(of.node);
    const binding = param.target.kind === 'patternName' ? of.module.scopes.declaredBy(param.target) : undefined;
    if (binding === undefined || constructor === undefined) return unknown(param, of.module);
    return ev.binding(binding, { module: of.module, frame: frameIn(constructor, value, inClass) });
  });
  return [...initial.filter((each) => !(each.type === 'literal' && assigned.length > 0)), ...assigned, ...fromParams];
}

/** Whether `this[key] = …` may be about a name. */
function mayBeNamed(ev: Evaluation, { target }: AssignNode, name: string, at: At): boolean {
  if (target.kind !== 'member' || target.computed === undefined || target.property !== undefined) return true;
  return computedKeys(ev, target.computed, at).some((key) => key.name === undefined || key.name === name);
}

export const constructorOf = (node: ClassNode): FunctionNode | undefined => {
  const found = node.members.find(({ role }) => role === 'constructor')?.value;
  return found?.kind === 'function' ? found : undefined;
};

/** Whether a class is a function with a prototype: such are made without `new`, too. */
export function isFunction({ node, module }: ClassValue): boolean {
  const constructor = constructorOf(node);
  return constructor !== undefined && module.prototypes.has(constructor);
}

/** Inside the constructor its arguments count; inside other methods only the instance. */
function frameIn(fn: Node | undefined, value: InstanceValue | ClassValue, inClass: At): Frame | undefined {
  if (fn?.kind !== 'function' || value.type === 'class') return inClass.frame;
  const isConstructor = fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor';
  if (!isConstructor || value.args === undefined) return inClass.frame;
  return { owner: fn, args: value.args, self: value, outer: inClass.frame };
}

/** `this.name = …` and `Object.assign(this, …)` anywhere in the class, with the method it stands in. */
function assignmentsTo(
  { node: of, module }: ClassValue,
  name: string,
): { readonly node: AssignNode | Expression; readonly member: Node | undefined }[] {
  const found: { node: AssignNode | Expression; member: Node | undefined }[] = [];
  for (const declaration of of.members) {
    if (declaration.value?.kind !== 'function') continue;
    const member = declaration.value;
    walk(member, (node) => {
      if (node.kind === 'class') return false;
      if (node.kind === 'assign' && node.target.kind === 'member' && node.target.object.kind === 'this' && node.target.property === name) {
        found.push({ node, member });
      }
      if (
        node.kind === 'assign' &&
        node.target.kind === 'member' &&
        node.target.object.kind === 'this' &&
        node.target.property === undefined
      )
        found.push({ node: copiedFrom(node, module) ?? node, member });
      if (node.kind === 'call' && isObjectAssign(node) && node.args[0]?.kind === 'this')
        for (const arg of node.args.slice(1)) if (arg.kind !== 'spread') found.push({ node: arg, member });
      return true;
    });
  }
  return found;
}

export function superclassOf(ev: Evaluation, of: ClassValue): Value | undefined {
  return of.node.superclass === undefined ? undefined : ev.evaluate(of.node.superclass, { module: of.module, frame: of.frame });
}

/** The instance of the superclass inside an instance: made with the arguments of `super(…)`. */
function superInstance(ev: Evaluation, value: InstanceValue, of: ClassValue): Value | undefined {
  const superclass = superclassOf(ev, of);
  if (superclass?.type !== 'class') return undefined;
  const constructor = constructorOf(of.node);
  const call = constructor === undefined ? undefined : superCall(constructor, isFunction(of));
  // Who made the instance says what its superclass was given, wherever that is declared.
  const parent = superclass.frame === undefined ? { ...superclass, frame: of.frame } : superclass;
  if (call === undefined) return { type: 'instance', of: parent, args: value.args };
  const inClass: At = { module: of.module, frame: { owner: of.node, self: value, outer: of.frame } };
  const args = ev.args(call, { module: of.module, frame: frameIn(constructor, value, inClass) });
  return { type: 'instance', of: parent, args: call.callee.kind === 'super' ? args : args.slice(1) };
}

/** `Parent.call(this, …)`, as `super(…)` is for functions with a prototype. */
export const isCallOnThis = ({ callee, args }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'call' && args[0]?.kind === 'this';

function superCall(constructor: FunctionNode, isOld: boolean): Extract<Node, { kind: 'call' }> | undefined {
  let found: Extract<Node, { kind: 'call' }> | undefined;
  walk(constructor, (node) => {
    if (node.kind === 'call' && (node.callee.kind === 'super' || (isOld && isCallOnThis(node)))) found = node;
    return found === undefined;
  });
  return found;
}

/** What other code writes into a field or through a setter: `client.base = …`. */
function writesFromOutside(ev: Evaluation, of: ClassValue, name: string, isStatic: boolean): Value[] {
  return writtenFromOutside(ev, name, isOfClass(ev, of, isStatic));
}

/** Tells the instances of a class and of those that inherit from it, or these classes themselves. */
const isOfClass =
  (ev: Evaluation, of: ClassValue, isStatic: boolean) =>
  (value: Value): boolean => {
    if (value.type !== (isStatic ? 'class' : 'instance')) return false;
    for (let at = value.type === 'instance' ? value.of : value; ;) {
      if (at.node === of.node) return true;
      const superclass = superclassOf(ev, at);
      if (superclass?.type !== 'class' || superclass.node === at.node) return false;
      at = superclass;
    }
  };

/** What a field holds with what other code writes into that: `client.headers['x-api-key'] = key`. */
function writtenFurther(ev: Evaluation, value: Value, name: string, isMeant: (target: Value) => boolean): Value {
  if (!optionsOf(value).some(({ type }) => type === 'object')) return value;
  return placesOutside(ev, name, isMeant).reduce(
    (whole, { place, module }) => writtenAt(ev, whole, [place], { module, frame: undefined }),
    value,
  );
}

/** A field that subclasses set: what any of them sets. */
function subclassField(ev: Evaluation, of: ClassValue, name: string, node: Node, at: At): Value | undefined {
  const found: Value[] = [];
  for (const module of ev.world.modules.values()) {
    for (const each of module.classes) {
      if (each === of.node || each.superclass === undefined || !each.members.some((member) => member.name === name)) continue;
      const superclass = ev.evaluate(each.superclass, { module, frame: undefined });
      // A mixin's superclass is whatever it is given.
      if (superclass.type !== 'param' && (superclass.type !== 'class' || superclass.node !== of.node)) continue;
      const subclass: ClassValue = { type: 'class', node: each, module, frame: undefined };
      found.push(instanceMember(ev, { type: 'instance', of: subclass, args: undefined }, name, node, at));
    }
  }
  return found.length === 0 ? undefined : choiceOf(found);
}
