/**
 * Properties that a statement puts there at some time, `if (isTest) options.base = …`, `use(base) { this.base = base; }`: whoever asks before that finds nothing, and goes
 * on with the default behind `??` or `||`.
 */
import type { CallNode, Node } from '../../syntax/tree.ts';
import { functionAround } from '../calls/callees.ts';
import { constructorOf, membersNamed, paramOf, writesToField } from '../classes/class-index.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { answersAround } from '../language/guards.ts';
import { isWithin } from '../names/named.ts';
import { superclassOf } from '../classes/subclasses.ts';
import { type ClassValue, type ObjectValue, optionsOf, plainText } from '../values/values.ts';

/** Whether what is read may be missing, though all that is seen to be put there is known. */
export function isWrittenLater(ev: Evaluation, read: Node, at: At): boolean {
  if (read.kind === 'call') return isPutIntoMap(ev, read, at);
  if (read.kind !== 'member') return false;
  const { property, object } = read;
  if (property === undefined) return false;
  return optionsOf(ev.evaluate(object, at)).some((option) => {
    if (option.type === 'object') return isPutAfterwards(option, property, read);
    return option.type === 'instance' && isSetByMethods(ev, option.of, property);
  });
}

/** Of an object that is written out without the property. */
function isPutAfterwards({ node, entries, unknown }: ObjectValue, name: string, read: Node): boolean {
  const own = entries.filter((entry) => entry.name === name);
  return (
    node.kind === 'object' &&
    unknown.length === 0 &&
    own.length > 0 &&
    own.every((entry) => (entry.node.kind === 'assign' || entry.node.kind === 'call') && !isDoneBefore(entry.node, read))
  );
}

/** `overrides.get('base') ?? ours.base`: of a Map that is made without it. */
function isPutIntoMap(ev: Evaluation, { callee, args: [key] }: CallNode, at: At): boolean {
  if (callee.kind !== 'member' || callee.property !== 'get' || key === undefined || key.kind === 'spread') return false;
  const name = plainText(ev.evaluate(key, at));
  return optionsOf(ev.evaluate(callee.object, at)).some((option) => {
    if (option.type !== 'object' || option.isMap !== true) return false;
    const own = option.entries.filter((entry) => entry.name === name);
    return own.length > 0 && own.every(({ node }) => !isWithin(option.node, node) && !isDoneBefore(node, callee));
  });
}

/** In the same function, above it, and whatever happens. */
const isDoneBefore = (write: Node, read: Node): boolean =>
  functionAround(write) === functionAround(read) && write.start < read.start && answersAround(write).length === 0;

/** Of a class that neither declares it with a value nor sets it where an instance is made. */
function isSetByMethods(ev: Evaluation, of: ClassValue, name: string): boolean {
  const { node, module } = of;
  const isDeclared = membersNamed(node, module, name).some(({ value }) => value !== undefined && !isNothing(value));
  if (isDeclared || paramOf(node, name) !== undefined || superclassOf(ev, of) !== undefined) return false;
  const writes = writesToField(node, module, name);
  return writes.length > 0 && writes.every(({ member }) => member !== constructorOf(node));
}

const isNothing = (value: Node): boolean =>
  (value.kind === 'literal' && value.value === null) || (value.kind === 'name' && value.name === 'undefined');
