/**
 * What classes of one line say of themselves: `abstract class Provider { send() { return fetch(this.url, { headers: this.headers() }); } }`. An instance is of one
 * class, so the address of one and the headers of another go together in no request.
 */
import { classAround } from '../evaluate/calls/callees.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isObjectAssign } from '../evaluate/writes/copies.ts';
import { isWrittenOutside } from '../evaluate/writes/external-writes.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isOneWay, nodesOf, type Provenance } from '../evaluate/values/provenance.ts';
import { heirsOf } from '../evaluate/classes/subclasses.ts';
import type { Entry, Part } from '../evaluate/values/values.ts';
import type { AssignNode, CallNode, ClassNode, FunctionNode, Node } from '../syntax/tree.ts';

/** What a method reads of `this`, and in which class that is said. */
interface Own {
  readonly method: FunctionNode;
  readonly name: string;
  readonly of: ClassNode;
  /** The classes that it came through: one of them may take it from another. */
  readonly through: ReadonlySet<ClassNode>;
}

/** Whether an address and a header may be of one instance, as far as one method reads both. */
export function areOfOneInstance(ev: Evaluation, url: readonly Part[], { node, provenance }: Entry): boolean {
  const others = readOfThis(node, provenance);
  if (others.length === 0) return true;
  const own = url.flatMap((part) => ('text' in part && part.source !== undefined ? readOfThis(part.source.node, part.provenance) : []));
  return !own.some((one) => others.some((other) => one.method === other.method && areApart(ev, one, other)));
}

function readOfThis(said: Node, provenance: Provenance): readonly Own[] {
  const of = classAround(said);
  if (of === undefined || !isOneWay(provenance)) return [];
  const way = nodesOf(provenance).map(({ node }) => node);
  const through = new Set(way.flatMap((node) => classAround(node) ?? []));
  return way.flatMap((node) => {
    const read = node.kind === 'call' ? node.callee : node;
    const name = read.kind === 'member' && read.object.kind === 'this' ? read.property : undefined;
    const method = methodAround(read);
    return method === undefined || name === undefined || !isSaidAs(name, said) ? [] : { method, name, of, through };
  });
}

/** Whether it stands in a member of that name, or in what is put there: what another object says under it comes by another name. */
function isSaidAs(name: string, said: Node): boolean {
  for (let at: Node | undefined = said; at !== undefined && at.kind !== 'class'; at = at.parent) {
    if (at.kind === 'classMember') return at.name === name;
    if (at.kind === 'assign' && at.target.kind === 'member' && at.target.object.kind === 'this') return at.target.property === name;
  }
  return false;
}

/** The function whose `this` it is. */
function methodAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function' && !at.isArrow) return at;
  return undefined;
}

/** Whether two classes inherit a method, and neither inherits from the other, nor is given what that says. */
function areApart(ev: Evaluation, one: Own, other: Own): boolean {
  const base = classAround(one.method);
  const heirs = base === undefined ? [] : heirsOf(ev, base).map(({ node }) => node);
  const both = [one.of, other.of];
  const isOwn = ({ of, through }: Own): boolean => heirs.every((heir) => heir === of || !through.has(heir));
  const isOfBoth = both.every((each) => heirs.includes(each)) && !isBelow(ev, one.of, other.of) && !isBelow(ev, other.of, one.of);
  return one.of !== other.of && isOfBoth && [one, other].every(isOwn) && ![one, other].some(({ name }) => isTaken(ev, name));
}

const isBelow = (ev: Evaluation, one: ClassNode, other: ClassNode): boolean => heirsOf(ev, other).some(({ node }) => node === one);

const known = new WeakMap<Evaluation, Map<string, boolean>>();

/** Whether an instance may have under a name what another class says: something is written or copied there, or classes are put together by hand. */
function isTaken(ev: Evaluation, name: string): boolean {
  const names = known.get(ev) ?? new Map<string, boolean>();
  known.set(ev, names);
  const isSo = names.get(name) ?? (isWrittenOutside(ev, name) || [...ev.world.modules.values()].some((module) => isCopiedIn(module, name)));
  names.set(name, isSo);
  return isSo;
}

const byHand = /\bsetPrototypeOf\b|__proto__|\.prototype\b/;

const isCopiedIn = ({ text, calls, writes }: SourceModule, name: string): boolean =>
  byHand.test(text) || calls.some((call) => assigns(call, name)) || writes.some(copiesByName);

/** `Object.assign(theirs, { url: ours.url })`, `Object.assign(theirs, ours)` */
const assigns = (call: CallNode, name: string): boolean =>
  isObjectAssign(call) &&
  call.args[0]?.kind !== 'object' &&
  call.args
    .slice(1)
    .some((source) => source.kind !== 'object' || source.properties.some((each) => each.kind !== 'property' || each.name === name));

/** `theirs[name] = ours[name]` */
const copiesByName = ({ target, value }: AssignNode): boolean =>
  target.kind === 'member' && target.property === undefined && value.kind === 'member' && value.property === undefined;
