/**
 * What classes of one line say of themselves: `abstract class Provider { send() { return fetch(this.url, { headers: this.headers() }); } }`. An instance is of one
 * class, so the address of one and the headers of another go together in no request.
 */
import { classAround } from '../evaluate/callees.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { copiedFromOutside, instancesOf, isWrittenOutside } from '../evaluate/external-writes.ts';
import { isOneWay, nodesOf, type Provenance } from '../evaluate/provenance.ts';
import { heirsOf } from '../evaluate/subclasses.ts';
import type { Entry, Part } from '../evaluate/values.ts';
import type { ClassNode, FunctionNode, Node } from '../syntax/tree.ts';

/** What a method reads of `this`, and in which class that is said. */
interface Own {
  readonly method: FunctionNode;
  readonly name: string;
  readonly of: ClassNode;
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
  return nodesOf(provenance).flatMap(({ node }) => {
    const read = node.kind === 'call' ? node.callee : node;
    const name = read.kind === 'member' && read.object.kind === 'this' ? read.property : undefined;
    const method = methodAround(read);
    return method === undefined || name === undefined ? [] : { method, name, of };
  });
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
  const isOfBoth = both.every((each) => heirs.includes(each)) && !isBelow(ev, one.of, other.of) && !isBelow(ev, other.of, one.of);
  const isGiven = ({ name }: Own): boolean =>
    isWrittenOutside(ev, name) || both.some((each) => copiedFromOutside(ev, name, instancesOf(each)).length > 0);
  return one.of !== other.of && isOfBoth && ![one, other].some(isGiven);
}

const isBelow = (ev: Evaluation, one: ClassNode, other: ClassNode): boolean => heirsOf(ev, other).some(({ node }) => node === one);
