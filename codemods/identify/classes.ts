/** Classes, their instances and what their fields hold, wherever these are set. */
import { walk } from '../syntax/link.ts';
import type { AssignNode, ClassNode, FunctionNode, MemberDeclaration, Node } from '../syntax/tree.ts';
import { applyFunction } from './apply.ts';
import { clientOfType, frameOf } from './bindings.ts';
import type { At, Evaluation } from './evaluation.ts';
import { choiceOf, type ClassValue, type Frame, type InstanceValue, unknown, type Value } from './values.ts';
import { fieldWrites } from './writes.ts';

export const evaluateClass = (node: ClassNode, at: At): ClassValue => ({ type: 'class', node, module: at.module, frame: at.frame });

/** What `this` is: the object whose method it stands in. */
export function selfOf(ev: Evaluation, node: Node, at: At): Value {
  let inside: Node | undefined = node;
  for (let around = node.parent; around !== undefined; inside = around, around = around.parent) {
    if (around.kind === 'function' && !around.isArrow) {
      const frame = frameOf(around, at.frame);
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

/** A field, method or accessor of an instance, or a static one of the class itself. */
export function instanceMember(ev: Evaluation, value: InstanceValue | ClassValue, name: string, node: Node, at: At): Value {
  const isStatic = value.type === 'class';
  const of = isStatic ? value : value.of;
  const inClass: At = { module: of.module, frame: { owner: of.node, self: value, outer: of.frame } };
  const declared = of.node.members.filter((member) => member.name === name && member.isStatic === isStatic);
  const method = declared.findLast(({ role, value: fn }) => role === 'method' && fn?.kind === 'function' && fn.body !== undefined);
  if (method?.value?.kind === 'function') {
    return { type: 'function', node: method.value, module: of.module, frame: inClass.frame, self: value };
  }
  const getter = declared.find(({ role }) => role === 'get');
  if (getter?.value?.kind === 'function') return getterValue(ev, getter.value, value, inClass, node);
  const found = fieldValues(ev, value, of, name, declared, inClass);
  if (found.length > 0) return fieldWrites(ev, choiceOf(found), of, name, (member) => frameIn(member, value, inClass));
  const inherited = isStatic ? superclassOf(ev, of) : superInstance(ev, value, of);
  if (inherited?.type === 'class' || inherited?.type === 'instance') return instanceMember(ev, inherited, name, node, at);
  const typed = declared.find(({ typeName }) => typeName !== undefined);
  const client = typed?.typeName === undefined ? undefined : clientOfType(ev, typed.typeName, typed, inClass);
  return client ?? subclassField(ev, of, name, node, at) ?? unknown(node, at.module);
}

function getterValue(ev: Evaluation, getter: FunctionNode, self: Value, inClass: At, node: Node): Value {
  if (node.kind !== 'member') return unknown(node, inClass.module);
  const call = { kind: 'call', callee: node, args: [], isNew: false, start: node.start, end: node.end } as const;
  return applyFunction(ev, { type: 'function', node: getter, module: inClass.module, frame: inClass.frame, self }, [], call, inClass);
}

function fieldValues(
  ev: Evaluation,
  value: InstanceValue | ClassValue,
  of: ClassValue,
  name: string,
  declared: readonly MemberDeclaration[],
  inClass: At,
): Value[] {
  const fields = declared.filter(({ role }) => role === 'field');
  const initial = fields.flatMap((field) => (field.value === undefined ? [] : [ev.evaluate(field.value, inClass)]));
  const assigned = assignmentsTo(of.node, name).map(({ member, node }) =>
    ev.evaluate(node.value, { module: of.module, frame: frameIn(member, value, inClass) }),
  );
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

export const constructorOf = (node: ClassNode): FunctionNode | undefined => {
  const found = node.members.find(({ role }) => role === 'constructor')?.value;
  return found?.kind === 'function' ? found : undefined;
};

/** Inside the constructor its arguments count; inside other methods only the instance. */
function frameIn(fn: Node | undefined, value: InstanceValue | ClassValue, inClass: At): Frame | undefined {
  if (fn?.kind !== 'function' || value.type === 'class') return inClass.frame;
  const isConstructor = fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor';
  if (!isConstructor || value.args === undefined) return inClass.frame;
  return { owner: fn, args: value.args, self: value, outer: inClass.frame };
}

/** `this.name = …` anywhere in the class, with the method it stands in. */
function assignmentsTo(of: ClassNode, name: string): { readonly node: AssignNode; readonly member: Node | undefined }[] {
  const found: { node: AssignNode; member: Node | undefined }[] = [];
  for (const declaration of of.members) {
    if (declaration.value?.kind !== 'function') continue;
    const member = declaration.value;
    walk(member, (node) => {
      if (node.kind === 'class') return false;
      if (node.kind === 'assign' && node.target.kind === 'member' && node.target.object.kind === 'this' && node.target.property === name) {
        found.push({ node, member });
      }
      return true;
    });
  }
  return found;
}

function superclassOf(ev: Evaluation, of: ClassValue): Value | undefined {
  return of.node.superclass === undefined ? undefined : ev.evaluate(of.node.superclass, { module: of.module, frame: of.frame });
}

/** The instance of the superclass inside an instance: made with the arguments of `super(…)`. */
function superInstance(ev: Evaluation, value: InstanceValue, of: ClassValue): Value | undefined {
  const superclass = superclassOf(ev, of);
  if (superclass?.type !== 'class') return undefined;
  const constructor = constructorOf(of.node);
  const call = constructor === undefined ? undefined : superCall(constructor);
  if (call === undefined) return { type: 'instance', of: superclass, args: value.args };
  const inClass: At = { module: of.module, frame: { owner: of.node, self: value, outer: of.frame } };
  return { type: 'instance', of: superclass, args: ev.args(call, { module: of.module, frame: frameIn(constructor, value, inClass) }) };
}

function superCall(constructor: FunctionNode): Extract<Node, { kind: 'call' }> | undefined {
  let found: Extract<Node, { kind: 'call' }> | undefined;
  walk(constructor, (node) => {
    if (node.kind === 'call' && node.callee.kind === 'super') found = node;
    return found === undefined;
  });
  return found;
}

/** A field that only subclasses set: what any of them sets. */
function subclassField(ev: Evaluation, of: ClassValue, name: string, node: Node, at: At): Value | undefined {
  const found: Value[] = [];
  for (const module of ev.world.modules.values()) {
    for (const each of module.classes) {
      if (each === of.node || each.superclass === undefined || !each.members.some((member) => member.name === name)) continue;
      const superclass = ev.evaluate(each.superclass, { module, frame: undefined });
      if (superclass.type !== 'class' || superclass.node !== of.node) continue;
      const subclass: ClassValue = { type: 'class', node: each, module, frame: undefined };
      found.push(instanceMember(ev, { type: 'instance', of: subclass, args: undefined }, name, node, at));
    }
  }
  return found.length === 0 ? undefined : choiceOf(found);
}
