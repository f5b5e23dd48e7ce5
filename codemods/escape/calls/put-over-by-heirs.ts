/**
 * What a constructor puts into a field, and nobody sees: it only runs for classes that inherit it, and each of these puts something else there right behind,
 * `super(options); this.base = OURS`.
 */
import { functionAround } from '../../evaluate/calls/callees.ts';
import { constructorOf, membersNamed, writesToField } from '../../evaluate/classes/class-index.ts';
import { heirsOf, superclassOf } from '../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isForked } from '../../evaluate/names/order.ts';
import { type ClassValue, optionsOf } from '../../evaluate/values/values.ts';
import { isConstructor, putAtOnce } from '../../evaluate/writes/field-writes.ts';
import type { WrittenPlace } from '../../evaluate/writes/written-places.ts';
import { memo } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { readersIn } from '../flow/readers.ts';

/** Whether something before an offset may ask for the field. */
type IsAsked = (within: Node, until?: number) => boolean;

export function isPutOverByHeirs(ev: Evaluation, { node, object, property: name, module }: WrittenPlace): boolean {
  if (node.kind !== 'assign' || object.kind !== 'this' || typeof name !== 'string') return false;
  const member = functionAround(node);
  const around = member?.parent?.parent;
  if (member === undefined || !isConstructor(member) || around?.kind !== 'class') return false;
  const of: ClassValue = { type: 'class', node: around, module, frame: undefined };
  const heirs = heirsOf(ev, around);
  if (heirs.length === 0 || !isOnlyInherited(ev, of)) return false;
  const isAccessor = memo((each: string): boolean => [of, ...heirs].some((line) => hasAccessor(ev, line, each)));
  const isAsked = askingFor(name, isAccessor);
  if (isAccessor(name) || isAsked(member)) return false;
  return heirs.every((heir) => {
    const [parent, ...more] = optionsOf(superclassOf(ev, heir) ?? heir);
    if (parent?.type !== 'class' || more.length > 0) return false;
    return parent.node !== around || declares(heir, name, isAsked) || putsAtOnce(heir, name, isAsked);
  });
}

/** Whether nobody makes one of a class itself: it is abstract, or named nowhere but where others inherit from it. */
function isOnlyInherited(ev: Evaluation, { node: { name }, module }: ClassValue): boolean {
  if (name === undefined) return false;
  if (/\babstract\s+class\s+$/.test(module.text.slice(Math.max(0, name.start - 80), name.start))) return true;
  if (isHandedOn(ev, name.name, module)) return false;
  const binding = module.scopes.declaredBy(name);
  const places = binding === undefined ? undefined : readersIn(ev).of(binding, module);
  return places?.every(({ node: { parent, start } }) => parent?.kind === 'class' && parent.superclass?.start === start) === true;
}

/** `export { Base } from './base.js'`, `export * from './clients'`, or the file of the package itself: whoever has the package may make one. */
function isHandedOn({ world }: Evaluation, name: string, module: ClassValue['module']): boolean {
  if (/(?:^|\/)index\.\w+$/.test(module.file)) return module.exports.has(name) || module.exports.has('default');
  const isOfIt = (from: ClassValue['module'], specifier: string): boolean => world.resolve(from, specifier) === module;
  return [...world.modules.values()].some(
    (from) =>
      from.stars.some((specifier) => isOfIt(from, specifier)) ||
      [...from.exports.values()].some(
        (handed) => 'specifier' in handed && [name, 'default', '*'].includes(handed.name) && isOfIt(from, handed.specifier),
      ),
  );
}

/** Whether what is asked for or put under a name runs code, of the class itself or of one that it inherits from. */
function hasAccessor(ev: Evaluation, of: ClassValue, name: string): boolean {
  const { node, module } = of;
  if (membersNamed(node, module, name).some(({ role, isStatic }) => !isStatic && (role === 'get' || role === 'set'))) return true;
  const superclass = superclassOf(ev, of);
  return superclass?.type === 'class' && hasAccessor(ev, superclass, name);
}

/** A field with a value is made as soon as the inherited constructor has run. */
function declares({ node, module }: ClassValue, name: string, isAsked: IsAsked): boolean {
  const isDeclared = membersNamed(node, module, name).some(
    ({ role, isStatic, value }) => role === 'field' && !isStatic && value !== undefined,
  );
  return isDeclared && !isAskedByFields(node.members, isAsked);
}

/** A method that is declared as a field runs later: `list = () => this.get('/contacts')`. */
const isAskedByFields = (members: ClassValue['node']['members'], isAsked: IsAsked): boolean =>
  members.some(
    ({ role, isStatic, value }) => role === 'field' && !isStatic && value !== undefined && value.kind !== 'function' && isAsked(value),
  );

/** Whether a constructor puts something into a field whenever it runs, and nobody asks for what is there until then. */
function putsAtOnce({ node, module }: ClassValue, name: string, isAsked: IsAsked): boolean {
  const member = constructorOf(node);
  if (member === undefined || isAskedByFields(node.members, isAsked)) return false;
  return writesToField(node, module, name).some(
    (write) =>
      write.member === member &&
      putAtOnce(write, name) !== undefined &&
      !isForked(write.node, (around) => around === member) &&
      !mayReturnBefore(member, write.node) &&
      !isAsked(member, write.node.end),
  );
}

/**
 * Asked for is what is read there or by what runs there, `this.base`, `super.base`, `this.ask()`, `this.url` of a getter, or by whoever is handed all of the
 * instance: `create(this)`. What is only put there, or read and put under other names, is not.
 */
function askingFor(name: string, isAccessor: (name: string) => boolean): IsAsked {
  const isOther = ({ parent: field }: Node): boolean => {
    if (field?.kind !== 'member' || field.property === undefined) return false;
    const { parent } = field;
    if (field.property === name) return parent?.kind === 'assign' && parent.operator === '=' && parent.target === field;
    return !(parent?.kind === 'call' && parent.callee === field) && !isAccessor(field.property);
  };
  return (within, until = Infinity) => {
    let isAsked = false;
    walk(within, (node) => {
      if (isAsked || node.start >= until) return false;
      isAsked = (node.kind === 'this' && !isOther(node)) || (node.kind === 'super' && node.parent?.kind === 'member');
      return true;
    });
    return isAsked;
  };
}

function mayReturnBefore(member: FunctionNode, { start }: Node): boolean {
  let isReturning = false;
  walk(member, (node) => {
    isReturning ||= node.kind === 'return' && node.start < start && functionAround(node) === member;
    return !isReturning;
  });
  return isReturning;
}
