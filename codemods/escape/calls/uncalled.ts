/** Requests that nobody makes: the `remove` that a resource inherits, and a function beside those that others take from its file. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { isInherited } from '../../evaluate/classes/subclasses.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { makerIn } from '../../requests/call-paths.ts';
import { mentionsThis } from '../../requests/mentions-this.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import { placeOfCall, type RequestSite } from '../../verdict/request-sites.ts';
import { readersIn } from '../flow/readers.ts';
import { isAnything, isForOthers, isNamed } from './named.ts';
import { unusedOfHeir } from './uncalled-heirs.ts';

/** Says of a request that nobody makes what it is of: a method that heirs have, or something of its own. */
export type Callers = (site: RequestSite) => 'inherited' | 'own' | undefined;

/** Tells of a request whether nobody makes it, as far as that can be seen; what frameworks may call by its name counts as called. */
export function uncalledIn(ev: Evaluation, found: CallGraph): Callers {
  const readers = readersIn(ev);
  const known = new Map<Node, boolean>();
  const isUncalled = (fn: FunctionNode, module: SourceModule): boolean => {
    const names = namesOf(fn).flatMap((name) => [name, ...aliasesIn(module, name)]);
    if (names.length === 0 || found.escapingCallbacks.has(fn) || (found.callers.get(fn)?.length ?? 0) > 0) return false;
    return readers.ofModule(module).length > 0 && !isForOthers(ev, fn, module) && !names.some((name) => isNamed(ev, name, fn));
  };
  const isUnused = unusedOfMaker(ev, found, readers);
  const isUnusedByHeir = unusedOfHeir(ev, found, readers);
  return (site) => {
    if (isUnused(site)) return 'own';
    if (isUnusedByHeir(site)) return 'inherited';
    const { node, module } = placeOfCall(site);
    const fn = isScript(module) ? functionAround(node) : undefined;
    if (fn === undefined || !isScript(module)) return undefined;
    const result = known.get(fn) ?? isUncalled(fn, module);
    known.set(fn, result);
    if (!result) return undefined;
    const of = fn.parent?.kind === 'classMember' ? fn.parent.parent : undefined;
    return of?.kind === 'class' && isInherited(ev, of) ? 'inherited' : 'own';
  };
}

/**
 * `crud('campaigns').get`, of which nobody can take another, and `campaigns.list` where only `contacts.list` is called: what one call of a factory made has no
 * caller, though what another made has.
 */
function unusedOfMaker(ev: Evaluation, found: CallGraph, readers: ReturnType<typeof readersIn>): (site: RequestSite) => boolean {
  const known = new Map<Node, Map<FunctionNode, boolean>>();
  const isUnused = (fn: FunctionNode, maker: CallNode, factory: FunctionNode, module: SourceModule): boolean => {
    const names = namesOf(fn);
    if (names.length === 0 || found.escapingCallbacks.has(fn) || isForOthers(ev, fn, module)) return false;
    const taken = maker.parent?.kind === 'member' && maker.parent.object === maker ? maker.parent.property : undefined;
    if (taken !== undefined) return !names.includes(taken) && !mentionsThis(fn) && !names.some((name) => isNamedIn(factory, name));
    const isOfMaker = (value: Value): boolean => {
      if (value.type !== 'function') return isAnything(value);
      const by = value.node === fn ? makerIn(value.frame, factory) : undefined;
      return value.node === fn && (by === undefined || by === maker);
    };
    return readers.ofModule(module).length > 0 && !names.some((name) => isNamed(ev, name, fn, { isIt: isOfMaker }));
  };
  return ({ request: { call, module, callers } }) => {
    const places = [{ node: call, module }, ...callers];
    return places.some((place, index) => {
      const fn = isScript(place.module) ? functionAround(place.node) : undefined;
      const factory = fn && factoryAround(fn);
      const maker = places
        .slice(index + 1)
        .find(({ node }) => node.kind === 'call' && factory !== undefined && calls(found, factory, node));
      if (fn === undefined || factory === undefined || maker?.node.kind !== 'call' || !isScript(place.module)) return false;
      const ofMaker = known.get(maker.node) ?? new Map<FunctionNode, boolean>();
      known.set(maker.node, ofMaker);
      const result = ofMaker.get(fn) ?? isUnused(fn, maker.node, factory, place.module);
      ofMaker.set(fn, result);
      return result;
    });
  };
}

const calls = ({ callers }: CallGraph, fn: Node, call: Node): boolean => callers.get(fn)?.some(({ node }) => node === call) === true;

/** The function that gives back an object with another one: `(name) => ({ list: () => get(name) })`. */
function factoryAround(fn: FunctionNode): FunctionNode | undefined {
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  const holder = object?.kind === 'object' ? object.parent : undefined;
  if (holder?.kind === 'function') return holder.body === object ? holder : undefined;
  return holder?.kind === 'return' ? functionOf(holder) : undefined;
}

function functionOf(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}

/** Whether a function has another by its name within itself: `list` beside it calls `get`. */
function isNamedIn(factory: Node, name: string): boolean {
  let isFound = false;
  walk(factory, (node) => {
    isFound ||= (node.kind === 'name' && node.name === name) || (node.kind === 'member' && node.property === name);
    return !isFound;
  });
  return isFound;
}

/** The function around a place that goes by a name; what is given to a call where it is written is part of what is around it. */
function functionAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function' && at.parent?.kind !== 'call') return at;
  return undefined;
}

/** What a function goes by; nothing where it is part of what a call is given. */
function namesOf(fn: FunctionNode): string[] {
  for (let at: Node | undefined = fn.parent; at?.kind === 'property' || at?.kind === 'object'; at = at.parent)
    if (at.parent?.kind === 'call') return [];
  const { parent, name } = fn;
  const own = name === undefined ? [] : [name.name];
  if (parent?.kind === 'variable' && parent.target.kind === 'patternName') return [...own, parent.target.name];
  if (parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.property !== undefined)
    return [...own, parent.target.property];
  const isMember = parent?.kind === 'property' || (parent?.kind === 'classMember' && parent.role === 'method');
  return isMember && parent.name !== undefined ? [...own, parent.name] : own;
}

/** What else a function goes by in the objects of its file: `delete` of `{ delete: remove }`. */
const aliasesIn = ({ tree }: SourceModule, name: string): string[] =>
  nodesOfKind(tree.program, 'property').flatMap((property) =>
    property.value.kind === 'name' && property.value.name === name && property.name !== undefined && property.name !== name
      ? property.name
      : [],
  );
