/** On the way to a request, the function whose callers decide what it is. */
import type { Node } from '../syntax/tree.ts';
import { classAround } from '../evaluate/calls/callees.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isInherited } from '../evaluate/classes/subclasses.ts';
import { flat, mapText, sliceParts } from '../evaluate/values/text.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { type HttpValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { withMutations } from './additions.ts';
import type { CallGraph } from './call-graph.ts';
import type { Frames, Owner, Step } from './call-paths.ts';
import { selfAt } from './self-at.ts';
import { handedBack, paramsIn } from './returned-paths.ts';
import { functionsAround } from './left-to-default.ts';
import { mentionsThis } from './mentions-this.ts';
import type { Sink } from './sinks.ts';
import { addressOf } from './addresses.ts';

/** The function whose caller has to be chosen next: the nearest around the request first, as its callers decide the rest. */
export function openOwner(
  ev: Evaluation,
  found: CallGraph,
  made: readonly HttpValue[],
  sink: Sink,
  { steps, frame, frames }: { readonly steps: readonly Step[]; readonly frame: Frame | undefined; readonly frames: Frames },
  owners: Set<Owner>,
): Owner | undefined {
  for (const each of made) collectOwners(ev, found, each, frame, owners);
  const before = steps.filter(({ owner }) => owners.delete(owner));
  if (owners.size === 0) {
    const inherited =
      borrowedMethod(ev, found, sink, steps) ?? (made.some(isOfSeveral) ? inheritedMethod(ev, found, sink, steps) : undefined);
    if (inherited !== undefined || before.length === 0) return inherited;
    const hangsOn = made.flatMap((each) => decisive(ev, found, each, frame)).flatMap(paramsIn);
    return handedBack(ev, hangsOn, { steps, frame, frames });
  }
  const around = [...functionsAround(sink.call)];
  const nearest = around.find((fn) => owners.has(fn));
  if (nearest !== undefined) return nearest;
  // What hangs on an instance is decided by the calls of the method, if there are any, before those of the constructor.
  const method = around.find(
    (fn) => fn.parent?.kind === 'classMember' && fn.parent.role === 'method' && !steps.some(({ owner }) => owner === fn),
  );
  const constructors = [...owners].filter((owner) => owner.parent?.kind === 'classMember' && owner.parent.role === 'constructor');
  // Of what a container makes, many a method is called on what nobody sees.
  const hangsOnInstance = constructors.length > 0 && !constructors.some((owner) => frames.isRunByContainer(owner));
  if (hangsOnInstance && method !== undefined && (found.callers.get(method)?.length ?? 0) > 0) return method;
  // Who calls the methods further out says of which class the instance is.
  return (hangsOnInstance ? inheritedMethod(ev, found, sink, steps) : undefined) ?? [...owners][0];
}

/** A method on the way of the class whose instance a constructor makes: those who call it say which instance that is, and so who made it. */
export function ownMethod(found: CallGraph, steps: readonly Step[], { parent: constructor }: Owner): Owner | undefined {
  const isOpen = ({ parent }: Owner): boolean =>
    parent?.kind === 'classMember' && parent.role === 'method' && parent.parent === constructor?.parent;
  return steps
    .flatMap(({ caller }) => (caller === undefined ? [] : [...functionsAround(caller.node)]))
    .find((fn) => isOpen(fn) && !steps.some(({ owner }) => owner === fn) && (found.callers.get(fn)?.length ?? 0) > 0);
}

const isOfSeveral = ({ base, url }: HttpValue): boolean => [base, url].some((value) => value !== undefined && optionsOf(value).length > 1);

/** A method on the way that subclasses inherit: which of them is asked, those who call it say. */
function inheritedMethod(ev: Evaluation, found: CallGraph, sink: Sink, steps: readonly Step[]): Owner | undefined {
  const places = [sink.call, ...steps.flatMap(({ caller }) => caller?.node ?? [])];
  const isOpen = (fn: Owner): boolean => {
    const { parent } = fn;
    if (parent?.kind !== 'classMember' || parent.role !== 'method' || parent.parent?.kind !== 'class') return false;
    if (steps.some(({ owner }) => owner === fn) || !mentionsThis(fn)) return false;
    return isInherited(ev, parent.parent) && (found.callers.get(fn)?.length ?? 0) > 0;
  };
  return places.flatMap((place) => [...functionsAround(place)]).find(isOpen);
}

/** A method on the way that is called on another object than the one it stands in, `{ ...texts, host }.contacts()`: which `this` it has, those who call it say. */
function borrowedMethod(ev: Evaluation, found: CallGraph, sink: Sink, steps: readonly Step[]): Owner | undefined {
  const places = [sink.call, ...steps.flatMap(({ caller }) => caller?.node ?? [])];
  const isBorrowed = (fn: Owner): boolean => {
    if (fn.kind !== 'function' || fn.isArrow || steps.some(({ owner }) => owner === fn) || !mentionsThis(fn)) return false;
    const own = holderOf(fn);
    return own !== undefined && (found.callers.get(fn) ?? []).some((caller) => isOfAnother(selfAt(ev, caller, undefined, fn), own));
  };
  return places.flatMap((place) => [...functionsAround(place)]).find(isBorrowed);
}

/** What a method stands in: an object, or a class, also as `this.list = function () { … }`. */
function holderOf({ parent }: Owner): Node | undefined {
  if (parent?.kind === 'assign')
    return parent.target.kind === 'member' && parent.target.object.kind === 'this' ? classAround(parent) : undefined;
  return parent?.kind === 'property' || parent?.kind === 'classMember' ? parent.parent : undefined;
}

const isOfAnother = (self: Value | undefined, own: Node): boolean =>
  self !== undefined && optionsOf(self).some((each) => each.type === 'object' && each.node !== own);

function collectOwners(ev: Evaluation, found: CallGraph, http: HttpValue, frame: Frame | undefined, owners: Set<Owner>): void {
  const { base, headers } = withMutations(ev, found, http, frame);
  for (const origin of http.origins) {
    // A client that is known by its type: those who call say which one it is, if they are seen.
    if (typeof origin === 'string' || origin.kind !== 'param' || origin.parent?.kind !== 'function') continue;
    if (found.callers.has(origin.parent)) owners.add(origin.parent);
  }
  const isOpen = found.isForeign === undefined || http.mock !== undefined || !isAllForeign(addressOf(base, http), found.isForeign);
  const values = [...(isOpen ? [base, http.url] : []), typeof http.method === 'string' ? undefined : http.method];
  const params = [...values, ...headers].flatMap((value) => (value === undefined ? [] : paramsIn(value)));
  for (const { owner } of params) owners.add(owner);
}

const isAllForeign = (address: Value | undefined, isForeign: NonNullable<CallGraph['isForeign']>): boolean =>
  address !== undefined && optionsOf(address).every((each) => each.type === 'text' && isForeign(each.parts));

/** What says where a request goes, and with which key. */
function decisive(ev: Evaluation, found: CallGraph, http: HttpValue, frame: Frame | undefined): Value[] {
  const { base, headers } = withMutations(ev, found, http, frame);
  const url = http.url && mapText(http.url, (parts) => sliceParts(parts, 0, /^[^?#]*/.exec(flat(parts))?.[0].length ?? 0));
  return [base, url, ...headers].filter((value) => value !== undefined);
}
