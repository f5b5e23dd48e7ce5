/**
 * Whether anybody besides its own constructor may put something into a property, by whatever syntax: `client['apiKey'] = key`, `Reflect.set(client, …)`,
 * `Object.defineProperty(client, …)`, `[client.apiKey] = keys`. What such a place puts there need not be known, as that it may is enough.
 */
import { memoOf } from '../../once.ts';
import type { ClassNode, Expression } from '../../syntax/tree.ts';
import { classAround, functionAround } from '../calls/callees.ts';
import { superclassOf } from '../classes/subclasses.ts';
import type { Evaluation } from '../evaluation.ts';
import type { World } from '../program.ts';
import { type ClassValue, type InstanceValue, type ObjectValue, optionsOf, plainText, type Value } from '../values/values.ts';
import { isConstructor } from './field-writes.ts';
import { isOwnThis } from './loose-writes.ts';
import { type WrittenPlace, writtenPlaces } from './written-places.ts';

interface Places {
  readonly byName: ReadonlyMap<string, readonly WrittenPlace[]>;
  /** Whose property an expression names, or what is copied from something, or any of which is described. */
  readonly open: readonly WrittenPlace[];
}

const placesIn = memoOf(({ modules }: World): Places => {
  const byName = new Map<string, WrittenPlace[]>();
  const open: WrittenPlace[] = [];
  for (const place of [...modules.values()].flatMap(writtenPlaces)) {
    if (place.how === 'reordered') continue;
    const name = nameOf(place.property);
    if (name === undefined) open.push(place);
    else byName.set(name, [...(byName.get(name) ?? []), place]);
  }
  return { byName, open };
});

const nameOf = (property: WrittenPlace['property']): string | undefined =>
  typeof property === 'object' ? (property.kind === 'string' ? property.value : undefined) : property;

/** @param holder what has the property */
export function isWrittenByOthers(ev: Evaluation, holder: InstanceValue | ObjectValue, name: string): boolean {
  const { byName, open } = placesIn(ev.world);
  const mayBe = (place: WrittenPlace): boolean => !isOfMaking(place) && mayBeInto(ev, place, holder);
  return byName.get(name)?.some(mayBe) === true || open.some((place) => mayBe(place) && mayName(ev, place, name));
}

/** `this.name = name` of a constructor: whoever asks about a field asks what that gives. */
function isOfMaking({ node, object, property }: WrittenPlace): boolean {
  const fn = object.kind === 'this' && typeof property === 'string' ? functionAround(node) : undefined;
  return fn !== undefined && isConstructor(fn);
}

function mayName(ev: Evaluation, { property, value, how, module }: WrittenPlace, name: string): boolean {
  const at = { module, frame: undefined };
  if (property !== undefined && typeof property === 'object')
    return optionsOf(ev.evaluate(property, at)).some((key) => [undefined, name].includes(plainText(key)));
  if (how !== 'copied' || value?.kind !== 'object') return true;
  return value.properties.some((each) => each.kind !== 'property' || each.name === undefined || each.name === name);
}

function mayBeInto(ev: Evaluation, { object, module }: WrittenPlace, holder: InstanceValue | ObjectValue): boolean {
  const around = object.kind === 'this' && isOwnThis(object, module) ? classAround(object) : undefined;
  if (around !== undefined) return holder.type === 'instance' && lineOf(ev, holder.of).includes(around);
  return optionsOf(ev.evaluate(prototypeOwner(object), { module, frame: undefined })).some((into) => isSame(ev, into, holder));
}

/** `Api.prototype`: what it has, all instances have. */
const prototypeOwner = (object: Expression): Expression =>
  object.kind === 'member' && object.property === 'prototype' ? object.object : object;

function isSame(ev: Evaluation, into: Value, holder: InstanceValue | ObjectValue): boolean {
  if (holder.type === 'object') return into.type === 'object' && into.node === holder.node;
  const of = into.type === 'instance' ? into.of : into.type === 'class' ? into : undefined;
  if (of === undefined) return false;
  return lineOf(ev, holder.of).includes(of.node) || lineOf(ev, of).includes(holder.of.node);
}

/** A class with those that it inherits from. */
function lineOf(ev: Evaluation, first: ClassValue): readonly ClassNode[] {
  const line: ClassNode[] = [];
  for (let of: Value | undefined = first; of?.type === 'class' && !line.includes(of.node); of = superclassOf(ev, of)) line.push(of.node);
  return line;
}
