/** Classes, their instances and what their fields hold, wherever these are set. */
import type { ClassNode, Expression, FunctionNode, MemberDeclaration, MemberNode, Node } from '../../syntax/tree.ts';
import { isAddressWritten } from '../writes/address-writes.ts';
import { type Call, forAllCallers } from '../calls/all-callers.ts';
import { applyFunction } from '../calls/apply.ts';
import { type Frame, frameOf } from '../calls/frame.ts';
import { clientOfType } from '../names/bindings.ts';
import { asArguments, givenFrom } from '../calls/callers.ts';
import { combined } from '../libraries/combined.ts';
import { classAround, functionAround } from '../calls/callees.ts';
import { constructorOf, isFieldOf, isMemberOf, isNamedIn, membersNamed, paramOf, writesToField } from './class-index.ts';
import { absent, isGiven, isLeftInherited } from './left-inherited.ts';
import { isAlwaysPut, isConstructor, isNeverPut, putAtOnce, writtenBy } from '../writes/field-writes.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { type Identity, identityOf, remembered } from '../calls/identity.ts';
import { mendedBy } from '../writes/mended-fields.ts';
import { writtenLoosely } from '../writes/instance-writes.ts';
import { verb } from './prototypes.ts';
import { isBoundInPlace } from '../writes/written-places.ts';
import { mayBeOf } from '../calls/receivers.ts';
import { heirsOf, subclassesWith, superclassOf } from './subclasses.ts';
import { superCall } from './super-calls.ts';
import { choiceOf, type ClassValue, type InstanceValue, optionsOf, plainText, unknown, type Value } from '../values/values.ts';
import { fieldWrites, isChangeable, writtenAt } from '../writes/writes.ts';
import {
  copiedFromOutside,
  instancesOf,
  isWrittenOutside,
  placesOutside,
  type WriteTarget,
  writtenFromOutside,
} from '../writes/external-writes.ts';

export const evaluateClass = (node: ClassNode, at: At): ClassValue => ({ type: 'class', node, module: at.module, frame: at.frame });

/** What `this` is: the object whose method it stands in, and of a static one any class that inherits it. */
export function selfOf(ev: Evaluation, node: Node, at: At): Value {
  let inside: Node | undefined = node;
  for (let around = node.parent; around !== undefined; inside = around, around = around.parent) {
    if (around.kind === 'function' && !around.isArrow) {
      const frame = frameOf(around, at.frame);
      const component = combined(ev.rules).thisIn(ev, around, at);
      if (component !== undefined) return component;
      if (frame?.self !== undefined) return frame.self;
      if (around.parent?.kind === 'property' && around.parent.parent?.kind === 'object') return ev.evaluate(around.parent.parent, at);
    }
    if (around.kind === 'class') {
      const frame = frameOf(around, at.frame);
      if (frame?.self !== undefined) return frame.self;
      const of: ClassValue = { type: 'class', node: around, module: at.module, frame: at.frame };
      const isStatic = inside?.kind === 'classMember' && inside.isStatic;
      return isStatic ? choiceOf([of, ...heirsOf(ev, around)]) : { type: 'instance', of, args: undefined };
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
  if (name === 'constructor' && value.type === 'instance') return madeBy(ev, value);
  const found = memberInLine(ev, value, name, node, at, self);
  const before = value === self && value.type === 'instance' ? memberBefore(ev, value, name, node, at) : undefined;
  const own = found === undefined || before === undefined ? found : choiceOf([found, before]);
  // Of an instance that nobody was seen to make, a subclass may say it too.
  const isOpen = value === self && value.type === 'instance' && value.args === undefined;
  const inSubclass = isOpen ? subclassMember(ev, value, name, node, at) : undefined;
  const said = own === undefined || inSubclass === undefined ? (own ?? inSubclass) : choiceOf([own, inSubclass]);
  // A field of the instance's own stands before all that a prototype has.
  const mayBeGiven = said === undefined || optionsOf(said).some(({ type }) => type === 'function');
  const given = mayBeGiven ? givenMethods(ev, value, name, self, said !== undefined) : [];
  if (said === undefined && given.length === 0) return unknown(node, at.module);
  return choiceOf([...(said === undefined ? [] : [said]), ...given]);
}

/**
 * The methods that a prototype in its line is given by the names of something else, one of which may be this: they may come in the place of its own.
 * @param isSaid whether its line declares one, in whose place anything that is put there may come
 */
function givenMethods(ev: Evaluation, value: InstanceValue | ClassValue, name: string, self: Value, isSaid: boolean): Value[] {
  const found: Value[] = [];
  for (let holder: InstanceValue | ClassValue | undefined = value; holder?.type === 'instance'; holder = inheritedBy(ev, holder, self)) {
    const { node: of, module } = holder.of;
    const { frame } = identityOf(ev, holder, self);
    for (const { computed, value: given } of module.added.get(of) ?? []) {
      if (computed === undefined || given === undefined) continue;
      const isOwn = given.kind === 'function' && !given.isArrow;
      if (!isSaid && (!isOwn || verb.test(name))) continue;
      const names = optionsOf(forAllCallers(ev, undefined, (around) => ev.evaluate(computed, { module, frame: around }))).map(plainText);
      if (names.every((each) => each !== undefined && each !== name)) continue;
      found.push(isOwn ? { type: 'function', node: given, module, frame, self } : ev.evaluate(given, { module, frame }));
    }
  }
  return found;
}

/** `super.name`: what the class around it inherits, of the same `this`. */
export function superMember(ev: Evaluation, node: MemberNode, name: string, at: At): Value {
  const around = classAround(node);
  return choiceOf(
    optionsOf(selfOf(ev, node.object, at)).map((self): Value => {
      let holder: Value | undefined = self;
      while (holder?.type === 'class' || holder?.type === 'instance') {
        const parent = inheritedBy(ev, holder, self);
        if ((holder.type === 'class' ? holder : holder.of).node === around)
          return (
            (parent === undefined ? fromLibrary(ev, holder, name, at, self) : instanceMember(ev, parent, name, node, at, self)) ??
            unknown(node, at.module)
          );
        holder = parent;
      }
      return unknown(node, at.module);
    }),
  );
}

/** `this.constructor`: the class that made it; where nobody was seen to, any that inherits from it, and itself unless it is only inherited from. */
function madeBy(ev: Evaluation, { of, args }: InstanceValue): Value {
  const heirs = args === undefined ? heirsOf(ev, of.node) : [];
  const { name } = of.node;
  const isMade = ({ calls }: SourceModule): boolean =>
    calls.some(({ isNew, callee }) => isNew && callee.kind === 'name' && callee.name === name?.name);
  return choiceOf(heirs.length > 0 && ![...ev.world.modules.values()].some(isMade) ? heirs : [of, ...heirs]);
}

/** `new.target`: the class that is made where the constructor runs, be it one that inherits it. */
export function newTarget(ev: Evaluation, node: Node, at: At): Value {
  const around = classAround(node);
  const made = (around && frameOf(around, at.frame)?.self) ?? selfOf(ev, node, at);
  return choiceOf(optionsOf(made).map((self) => (self.type === 'instance' ? madeBy(ev, self) : unknown(node, at.module))));
}

/** What a field is in the constructor of an inherited class, where an heir puts something there after it. */
function memberBefore(ev: Evaluation, value: InstanceValue, name: string, node: Node, at: At): Value | undefined {
  let holder: InstanceValue | ClassValue | undefined = value.during === undefined ? undefined : value;
  let isSetLater = false;
  while (holder?.type === 'instance' && holder.of.node !== value.during) {
    const { node: of, module } = holder.of;
    const given = module.added.get(of);
    isSetLater ||=
      isFieldOf(of, module, name) ||
      membersNamed(of, module, name).some((member) => member.role === 'field' && given?.has(member) !== true);
    holder = inheritedBy(ev, holder, value);
  }
  return isSetLater && holder !== undefined ? memberInLine(ev, holder, name, node, at, value) : undefined;
}

/** A member of the first class up the line that says it. What other code puts into an instance, `source.get = fake`, another has as its line says. */
function memberInLine(ev: Evaluation, value: InstanceValue | ClassValue, name: string, node: Node, at: At, self: Value): Value | undefined {
  const found: Value[] = [];
  let left: Value | undefined;
  let holder: Value | undefined = value;
  while (holder?.type === 'class' || holder?.type === 'instance') {
    if (ev.budget.isExhausted) {
      ev.budget.cut();
      return unknown(node, at.module, 'depth');
    }
    const { node: of, module } = holder.type === 'class' ? holder : holder.of;
    const own = ownMember(ev, holder, name, node, at, self);
    const isLeft = own !== undefined && !isNamedIn(of, module, name) && optionsOf(own).every(isLeftInherited);
    if (own !== undefined && (!isLeft || optionsOf(own).some(isGiven))) found.push(own);
    else left ??= own;
    if (own !== undefined && !isLeft && isMemberOf(of, module, name, holder.type === 'class')) break;
    const inherited: InstanceValue | ClassValue | undefined = inheritedBy(ev, holder, self);
    const given = inherited === undefined ? (clientByType(ev, holder, name, self) ?? fromLibrary(ev, holder, name, at, self)) : undefined;
    if (given !== undefined) found.push(given);
    const isOpen = inherited === undefined && holder !== value && !isRoot(holder);
    if (isOpen && found.length === 0) return unknown(node, at.module);
    holder = inherited;
  }
  return found.length === 0 ? left : choiceOf(found);
}

/** Whether a class inherits from nothing: what nobody in its line says, others say who inherit from it. */
const isRoot = (value: InstanceValue | ClassValue): boolean => (value.type === 'class' ? value : value.of).node.superclass === undefined;

function inheritedBy(ev: Evaluation, value: InstanceValue | ClassValue, self: Value): InstanceValue | ClassValue | undefined {
  const inherited = value.type === 'class' ? superclassOf(ev, value) : superInstance(ev, value, value.of, identityOf(ev, value, self));
  return inherited?.type === 'class' || inherited?.type === 'instance' ? inherited : undefined;
}

/** What a class has from one of a package. */
function fromLibrary(ev: Evaluation, value: InstanceValue | ClassValue, name: string, at: At, self: Value): Value | undefined {
  if (value.type === 'class') return undefined;
  const superclass = superclassOf(ev, value.of);
  return superclass?.type === 'external' ? combined(ev.rules).inherited({ ...at, ev, superclass, of: value.of, self, name }) : undefined;
}

/** A field that is only declared, by the type of a client. */
function clientByType(ev: Evaluation, value: InstanceValue | ClassValue, name: string, self: Value): Value | undefined {
  const of = value.type === 'class' ? value : value.of;
  const typed = membersNamed(of.node, of.module, name).find(
    ({ isStatic, typeName }) => isStatic === (value.type === 'class') && typeName !== undefined,
  );
  return typed?.typeName === undefined
    ? undefined
    : clientOfType(ev, typed.typeName, typed, { module: of.module, frame: identityOf(ev, value, self).frame });
}

function ownMember(ev: Evaluation, value: InstanceValue | ClassValue, name: string, node: Node, at: At, self: Value): Value | undefined {
  const isStatic = value.type === 'class';
  const of = isStatic ? value : value.of;
  const known = identityOf(ev, value, self);
  const declared = membersNamed(of.node, of.module, name).filter((member) => member.isStatic === isStatic);
  const methods = methodsAmong(declared, of);
  const inClass: At = { module: of.module, frame: known.frame };
  if (methods.length > 0) {
    const own = methods.map((fn): Value =>
      fn.kind === 'function' ? { type: 'function', node: fn, ...inClass, self } : ev.evaluate(fn, inClass),
    );
    // `this.get = other.get`: an instance has its own then.
    const isPutOver = writesToField(of.node, of.module, name).some(
      ({ node: put }) => put.kind === 'assign' && !isBoundInPlace(put, of.module),
    );
    if (isPutOver)
      return remembered(ev, known, of, `put over ${name}`, () => choiceOf([...own, ...fieldValues(ev, value, of, name, [], known)]));
    return choiceOf(isWrittenOutside(ev, name) ? [...own, ...writesFromOutside(ev, of, name, isStatic)] : own);
  }
  const getter = declared.find(({ role }) => role === 'get')?.value;
  // What it gives is only asked for where it is read: `this.headers`, `const { headers } = this`.
  if (getter !== undefined && node.kind !== 'member' && node.kind !== 'patternName')
    return choiceOf([unknown(node, at.module), ...writesFromOutside(ev, of, name, isStatic)]);
  const find = (): Value | undefined => {
    if (getter?.kind === 'function')
      return choiceOf([getterValue(ev, getter, self, inClass), ...writesFromOutside(ev, of, name, isStatic)]);
    const found = fieldValues(ev, value, of, name, declared, known);
    if (found.length === 0) return undefined;
    const inside = fieldWrites(ev, choiceOf(found), of, name, (member) => frameIn(member, value, known));
    return writtenFurther(ev, inside, name, targetOf(of, isStatic));
  };
  const mayBeField = declared.length > 0 || isFieldOf(of.node, of.module, name) || isWrittenOutside(ev, name);
  return mayBeField ? remembered(ev, known, of, `field ${name}`, find) : undefined;
}

/** The method that a class declares under a name, and all that its prototype is given there, maybe by a condition or later. */
function methodsAmong(members: readonly MemberDeclaration[], { node: of, module }: ClassValue): readonly Expression[] {
  const given = module.added.get(of);
  const last = members.findLast((member) => given?.has(member) !== true && isMethod(member));
  const values = members.flatMap((member) => (member === last || given?.has(member) === true ? (member.value ?? []) : []));
  return values.some(({ kind }) => kind === 'function') ? values : [];
}

const isMethod = ({ role, value: fn }: MemberDeclaration): boolean => role === 'method' && fn?.kind === 'function' && fn.body !== undefined;

function getterValue(ev: Evaluation, getter: FunctionNode, self: Value, inClass: At): Value {
  const call = { kind: 'call', callee: getter, args: [], isNew: false, start: getter.start, end: getter.end } as const;
  return applyFunction(
    ev,
    { type: 'function', node: getter, module: inClass.module, frame: inClass.frame, self },
    asArguments([]),
    call,
    inClass,
  );
}

/** A decorator may put another text in the place of a field's: `@Input() base = '…'`. */
const decorated = (value: Value, { decorators }: MemberDeclaration, { module }: ClassValue): Value[] =>
  decorators[0] === undefined || value.type !== 'text' ? [value] : [value, unknown(decorators[0], module, 'assigned')];

const isEmpty = (value: Value): boolean => plainText(value) === '';

function fieldValues(
  ev: Evaluation,
  value: InstanceValue | ClassValue,
  of: ClassValue,
  name: string,
  declared: readonly MemberDeclaration[],
  known: Identity,
): Value[] {
  const inClass: At = { module: of.module, frame: known.frame };
  const fields = declared.filter(({ role }) => role === 'field');
  let initial = fields.flatMap((field) => (field.value === undefined ? [] : decorated(ev.evaluate(field.value, inClass), field, of)));
  const isStatic = value.type === 'class';
  let inside: Value[] = [];
  const writes = writesToField(of.node, of.module, name);
  for (const write of writes) {
    const { member, node } = write;
    // What a setter is given, those say who write to it.
    const { parent } = member;
    if (parent?.kind === 'classMember' && parent.role === 'set' && parent.name !== undefined)
      inside.push(...writesFromOutside(ev, of, parent.name, isStatic));
    else {
      const around = frameIn(member, value, known);
      // In the constructor it holds what it was declared with until something else is put there; a callback may run later.
      const isAtOnce = isConstructor(member) && functionAround(node) === member;
      const before = isAtOnce ? [...initial, ...inside] : [];
      const mended = isAtOnce ? mendedBy(ev, write, name, { module: of.module, frame: around }, before) : undefined;
      if (mended !== undefined) {
        [initial, inside] = [[], mended];
        continue;
      }
      const find = (frame: Frame | undefined): Value => writtenBy(ev, node, name, { module: of.module, frame }, before);
      // What a method is given, those say who call it: `setBase(url) { this.base = url; }`.
      const isBy = (call: Call): boolean => mayBeOf(ev, known.frame.self, member, call);
      const isMade = !isStatic && value.args !== undefined && isConstructor(member);
      if (isMade && isNeverPut(ev, write, { module: of.module, frame: around })) inside.push(absent);
      else inside.push(isConstructor(member) ? find(around) : forAllCallers(ev, around, find, { isOf: (fn) => fn === member, isBy }));
    }
  }
  const loose = isStatic ? [] : writtenLoosely(ev, of, name);
  const assigned = [...inside.filter(isGiven), ...writesFromOutside(ev, of, name, isStatic), ...loose];
  const param = paramOf(of.node, name);
  const binding = param?.target.kind === 'patternName' ? of.module.scopes.declaredBy(param.target) : undefined;
  const fromParam = binding === undefined ? [] : [ev.binding(binding, { module: of.module, frame: frameIn(param?.parent, value, known) })];
  const [first, another] = writes;
  // An empty address that a class declares is none where its constructor puts one there.
  const isOver =
    initial.some(isEmpty) &&
    first !== undefined &&
    inside[0] !== undefined &&
    optionsOf(inside[0]).every((each) => isGiven(each) && !isEmpty(each)) &&
    isAlwaysPut(ev, of.node, name, first, { module: of.module, frame: frameIn(first.member, value, known) });
  const isNone = (each: Value): boolean => (each.type === 'literal' && assigned.length > 0) || (isOver && isEmpty(each));
  const found = [...initial.filter((each) => !isNone(each)), ...assigned, ...fromParam];
  // What a constructor puts into a field that holds nothing else takes the place of nothing, as a parameter that declares it: `this.options = options`.
  const only = found.length === 1 && found[0] === inside[0] && another === undefined && first && putAtOnce(first, name);
  if (only) return [ev.evaluate(only, { module: of.module, frame: frameIn(first?.member, value, known) })];
  // What nobody gave a constructor is not there: `this.token = options.token`.
  return found.length === 0 ? inside.slice(0, 1) : found;
}

/** Whether a class is a function with a prototype: such are made without `new`, too. */
export function isFunction({ node, module }: ClassValue): boolean {
  const constructor = constructorOf(node);
  return constructor !== undefined && module.prototypes.has(constructor);
}

/** Inside the constructor its arguments count; inside other methods only the instance. */
function frameIn(fn: Node | undefined, value: InstanceValue | ClassValue, known: Identity): Frame | undefined {
  if (fn?.kind !== 'function' || value.type === 'class') return known.frame;
  if (!isConstructor(fn) || value.args === undefined) return known.frame;
  known.made ??= { owner: fn, args: asArguments(value.args), self: selfDuring(value, known), outer: known.frame };
  return known.made;
}

/** What `this` is in a constructor: what it asks of itself, the class that is made may say in its own way. */
function selfDuring(value: InstanceValue, { frame: { self } }: Identity): Value {
  if (self?.type !== 'instance' || self.of.node === value.of.node) return value;
  return { ...self, args: self.args && [...self.args], during: value.of.node };
}

/** The instance of the superclass inside an instance: made with the arguments of `super(…)`. */
function superInstance(ev: Evaluation, value: InstanceValue, of: ClassValue, known: Identity): Value | undefined {
  return remembered(ev, known, of, 'super', () => {
    const superclass = superclassOf(ev, of);
    if (superclass?.type !== 'class') return undefined;
    const constructor = constructorOf(of.node);
    const call = constructor === undefined ? undefined : superCall(constructor, isFunction(of));
    // Who made the instance says what its superclass was given, wherever that is declared.
    const parent = superclass.frame === undefined ? { ...superclass, frame: of.frame } : superclass;
    if (call === undefined) return { type: 'instance', of: parent, args: value.args };
    const args = ev.args(call, { module: of.module, frame: frameIn(constructor, value, known) });
    return { type: 'instance', of: parent, args: call.callee.kind === 'super' ? args : givenFrom(args, 1) };
  });
}

/** What other code writes into a field or through a setter: `client.base = …`. */
function writesFromOutside(ev: Evaluation, of: ClassValue, name: string, isStatic: boolean): Value[] {
  const target = targetOf(of, isStatic);
  return [...writtenFromOutside(ev, name, target), ...copiedFromOutside(ev, name, target)];
}

const targetOf = ({ node }: ClassValue, isStatic: boolean): WriteTarget => (isStatic ? node : instancesOf(node));

/** What a field holds with what other code writes into that: `client.headers['x-api-key'] = key`. */
function writtenFurther(ev: Evaluation, value: Value, name: string, target: WriteTarget): Value {
  if (!optionsOf(value).some((option) => isChangeable(option) || isAddressWritten(ev, option))) return value;
  const places = placesOutside(ev, name, target);
  return writtenAt(
    ev,
    value,
    places.map(({ place: node, module }) => ({ node, at: { module, frame: undefined }, isOwn: true })),
  );
}

/** A member that subclasses have: what any of them says it is. */
function subclassMember(ev: Evaluation, value: InstanceValue, name: string, node: Node, at: At): Value | undefined {
  const subclasses = subclassesWith(ev, value.of.node, name);
  if (subclasses.length === 0) return undefined;
  return remembered(ev, identityOf(ev, value, value), value.of, `subclasses' ${name}`, () =>
    choiceOf(subclasses.map((of) => instanceMember(ev, { type: 'instance', of, args: undefined }, name, node, at))),
  );
}
