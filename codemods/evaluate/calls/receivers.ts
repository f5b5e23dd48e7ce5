/**
 * Which calls of a method may be of an instance: what is made with another address is another one, so `Builder.to(ours).path('contacts')` says nothing of
 * `Builder.to(theirs)`.
 */
import type { Expression, FunctionNode } from '../../syntax/tree.ts';
import type { Call } from './all-callers.ts';
import { classAround } from './callees.ts';
import { membersNamed, paramOf, writesToField } from '../classes/class-index.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { writesOf } from '../writes/property-writes.ts';
import { isSame } from '../values/same.ts';
import { subclassesWith } from '../classes/subclasses.ts';
import { optionsOf, type Value } from '../values/values.ts';

/** @param self the instance */
export function mayBeOf(ev: Evaluation, self: Value | undefined, method: FunctionNode, { node, module }: Call): boolean {
  const isMethod = method.parent?.kind === 'classMember' && !method.parent.isStatic;
  if (self?.type !== 'instance' || self.args === undefined || !isMethod || node.callee.kind !== 'member') return true;
  const { args, of } = self;
  return optionsOf(ev.evaluate(node.callee.object, { module, frame: undefined })).some(
    (each) => each.type !== 'instance' || each.args === undefined || each.of.node !== of.node || !areOthers(args, each.args),
  );
}

/** Whether each instance has an object of its own in a field: `this.headers = {}`, as long as nobody puts another under that name anywhere. */
export function isMadeForEach(ev: Evaluation, field: Expression | undefined, module: SourceModule): boolean {
  const of = field?.kind === 'member' && field.object.kind === 'this' ? classAround(field) : undefined;
  const name = field?.kind === 'member' ? field.property : undefined;
  if (of === undefined || name === undefined || paramOf(of, name) !== undefined || subclassesWith(ev, of, name).length > 0) return false;
  const declared = membersNamed(of, module, name).flatMap((member) => member.value ?? []);
  const copied = writesToField(of, module, name).filter(({ node }) => node.kind !== 'assign');
  const values = [...declared, ...writesOf(ev.world, name).map(({ value }) => value)];
  return (
    copied.length === 0 && values.length > 0 && values.every((value) => value.kind === 'object' || (value.kind === 'call' && value.isNew))
  );
}

const areOthers = (some: readonly Value[], others: readonly Value[]): boolean =>
  some.some((each, index) => {
    const other = others[index];
    return other !== undefined && isOther(each, other);
  });

/** Whether all is known that each of two values may be, and nothing may be both. */
function isOther(one: Value, other: Value): boolean {
  if (one.type === 'object' && other.type === 'object')
    return one.entries.some(({ name, value }) => {
      const same = other.entries.filter((entry) => entry.name === name);
      return name !== undefined && same.length === 1 && same.every((entry) => isOther(value(), entry.value()));
    });
  const [ones, others] = [optionsOf(one), optionsOf(other)];
  return ones.every(isKnown) && others.every(isKnown) && !ones.some((each) => others.some((option) => isSame(each, option)));
}

/** A text that is written out, or a variable of the environment. */
const isKnown = (value: Value): boolean =>
  value.type === 'env' || (value.type === 'text' && value.parts.every((part) => 'text' in part || part.unknownPart.type === 'env'));
