/**
 * Clients of the project's own that are copied in ways that are not followed, `Object.create(client, …)`, `list.reduce((all, each) => ({ ...all, ...each }))`,
 * and asked by what came out of that: where the base has a name that something else is put under, the copy may have it.
 */
import { functionAround } from '../../evaluate/calls/callees.ts';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { memo, once } from '../../once.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { mentionsThis } from '../../requests/mentions-this.ts';
import { walk } from '../../syntax/link.ts';
import type { Scopes } from '../../syntax/scopes.ts';
import type { BinaryNode, FunctionNode, NameNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { type BaseHolder, baseHolderOf, reckonedIn } from '../flow/holders/base-holders.ts';
import { isCopying } from '../flow/holders/copying.ts';
import { outOfSight } from '../flow/functions/out-of-sight.ts';
import type { Problem } from '../problems.ts';
import { moves } from './overwrites.ts';

/** What is put under a name. */
interface Named {
  readonly node: Node;
  /** undefined where it is asked which name it is: `name === 'host' ? … : client[name]`. */
  readonly value: Node | undefined;
  readonly module: SourceModule;
}

export function overwrittenInCopies(ev: Evaluation, found: CallGraph, sites: readonly RequestSite[], bases: Bases): Problem[][] {
  const index = once(() => namedIn(ev, sites));
  const bound = once(() => boundIn(ev));
  // What is called by itself, `read(path)`, is called on a copy only where it was bound to that.
  const isBound = ({ parent }: FunctionNode): boolean =>
    bound().has(undefined) || !(parent !== undefined && 'name' in parent && typeof parent.name === 'string') || bound().has(parent.name);
  const overwritesOf = memo((site: RequestSite): Problem[][] => {
    const holder = baseHolderOf(ev, site);
    return [...holder.ownNames].flatMap((name) =>
      (index().get(name) ?? []).flatMap((place): Problem[][] =>
        mayBeElsewhere(ev, place, name, holder, bases)
          ? [[{ code: 'base-overwritten', node: place.node, module: place.module, detail: { name }, site }]]
          : [],
      ),
    );
  });
  return [...methodsIn(sites)].flatMap(([fn, { module, sites: own }]) => {
    // What does not ask who it is called on has the same base in every copy, and what was made with the original asks that.
    if (!mentionsThis(fn) || fn.isArrow) return [];
    const overwrites = [...own].flatMap(overwritesOf);
    // Where copies are goes through all of a program, and most have nothing put there.
    const isAsked = (): boolean =>
      outOfSight(ev, found)
        .callsOf(fn, module)
        .some(
          ({ call, module: by, isOfCopy, isOfSpread }) =>
            (isOfCopy || (isOfSpread && isOwn(fn))) && !isTest(by) && (call.callee.kind === 'member' || isBound(fn)),
        );
    return overwrites.length > 0 && isAsked() ? overwrites : [];
  });
}

/** The names of the methods that the program binds to what they are called on, `client.get.bind(copy)`; undefined is one that may have any. */
function boundIn({ world }: Evaluation): ReadonlySet<string | undefined> {
  const found = new Set<string | undefined>();
  for (const { calls, scopes } of world.modules.values())
    for (const { callee } of calls) {
      // `_.bindAll(copy)`, `autoBind(this)`
      if (callee.kind === 'name' ? /bind/i.test(callee.name) : callee.kind === 'member' && /bind./i.test(callee.property ?? ''))
        found.add(undefined);
      if (callee.kind !== 'member' || callee.property !== 'bind') continue;
      const { object } = callee;
      if (object.kind === 'member') found.add(object.property);
      else if (object.kind === 'name') found.add(takenAs(object, scopes));
      else if (object.kind !== 'function') found.add(undefined);
    }
  found.delete('');
  return found;
}

/** Under which name a method was taken of something: none for a function that is declared by itself. */
function takenAs(name: NameNode, scopes: Scopes): string | undefined {
  const { owner, declaration } = scopes.bindingOf(name) ?? {};
  if (owner?.kind === 'function' || owner?.kind === 'class') return '';
  if (owner?.kind !== 'variable') return undefined;
  if (declaration?.parent?.kind === 'patternProperty') return declaration.parent.name;
  if (owner.init?.kind === 'function') return '';
  return owner.init?.kind === 'member' ? owner.init.property : undefined;
}

/** The methods by which our requests are made. */
function methodsIn(
  sites: readonly RequestSite[],
): ReadonlyMap<FunctionNode, { readonly module: SourceModule; readonly sites: ReadonlySet<RequestSite> }> {
  const found = new Map<FunctionNode, { module: SourceModule; sites: Set<RequestSite> }>();
  for (const site of sites) {
    const { request, verdict } = site;
    if (verdict.kind !== 'ours') continue;
    for (const { node, module } of [{ node: request.call, module: request.module }, ...request.callers]) {
      if (!isScript(module)) continue;
      for (const fn of functionsAround(node)) {
        if (!isMethod(fn)) continue;
        const known = found.get(fn);
        if (known === undefined) found.set(fn, { module, sites: new Set([site]) });
        else known.sites.add(site);
      }
    }
  }
  return found;
}

/** Whether `{ ...client }` has it, too: what a class declares as a method, or a getter, stands in its prototype. */
const isOwn = ({ parent }: FunctionNode): boolean =>
  parent?.kind !== 'classMember' || parent.isStatic || !/^(?:method|get|set)$/.test(parent.role);

const isMethod = ({ parent }: FunctionNode): boolean =>
  parent?.kind === 'property' || (parent?.kind === 'classMember' && parent.role !== 'constructor');

/** What is put under each name, but for what some request is known to have. */
function namedIn(ev: Evaluation, sites: readonly RequestSite[]): ReadonlyMap<string, readonly Named[]> {
  const reckoned = new Set<Node>();
  for (const node of reckonedIn(sites))
    for (let at: Node | undefined = node; at !== undefined && !reckoned.has(at); at = at.parent) reckoned.add(at);
  const found = new Map<string, Named[]>();
  const add = (name: string, each: Named): void => void (found.get(name)?.push(each) ?? found.set(name, [each]));
  for (const module of ev.world.modules.values()) {
    if (isTest(module)) continue;
    walk(module.tree.program, (node) => {
      const { parent } = node;
      if ((node.kind === 'property' && parent?.kind === 'object') || node.kind === 'classMember') {
        if (node.name !== undefined && node.value !== undefined && !reckoned.has(node)) add(node.name, { node, value: node.value, module });
      } else if (node.kind === 'assign' && node.target.kind === 'member' && node.target.property !== undefined) {
        if (!reckoned.has(node)) add(node.target.property, { node, value: node.value, module });
      } else if (node.kind === 'string' && parent?.kind === 'binary' && isAskedAsKey(parent, node, module))
        add(node.value, { node, value: undefined, module });
      return true;
    });
  }
  return found;
}

/** `(client, name) => (name === 'host' ? … : client[name])`: what is compared is the name of a property there, as a proxy or a fold is asked for it, with what it is a property of beside. */
function isAskedAsKey({ operator, left, right }: BinaryNode, text: Node, { scopes, text: source }: SourceModule): boolean {
  if (!/^[!=]==?$/.test(operator)) return false;
  const asked = left === text ? right : left;
  // `upload.type === 'url'` is about what that is, and `args[1]` may be the name.
  if (asked.kind === 'member' && asked.computed === undefined) return false;
  if (mentionsParam(asked, scopes)) return true;
  if (asked.kind !== 'name') return false;
  const owner = functionAround(asked);
  if (owner !== undefined && /\b(?:arguments|Reflect)\b/.test(source.slice(owner.start, owner.end))) return true;
  return (
    scopes
      .bindingOf(asked)
      ?.references.some(
        ({ parent }) => parent?.kind === 'member' && parent.computed?.kind === 'name' && parent.computed.name === asked.name,
      ) === true
  );
}

/** Whether something is, or is made of, what a function with several parameters is given, as a fold and a proxy's trap have: fields of that are others. */
function mentionsParam(node: Node, scopes: Scopes, depth = 3): boolean {
  let isFound = false;
  walk(node, (each) => {
    const { parent } = each;
    const isField = parent?.kind === 'member' && parent.object === each && parent.computed === undefined && parent.parent?.kind !== 'call';
    const owner = each.kind === 'name' && !isField ? scopes.bindingOf(each)?.owner : undefined;
    isFound ||=
      (owner?.kind === 'param' && owner.parent?.kind === 'function' && owner.parent.params.length > 1) ||
      (depth > 0 && owner?.kind === 'variable' && owner.init !== undefined && mentionsParam(owner.init, scopes, depth - 1)) ||
      (each.kind === 'name' && each.name === 'arguments');
    return !isFound;
  });
  return isFound;
}

function mayBeElsewhere(ev: Evaluation, { node, value, module }: Named, name: string, holder: BaseHolder, bases: Bases): boolean {
  if (value === undefined) return moves(ev, unknown(node, module), name, 'maybe', holder, bases);
  const isOfCopy = node.parent !== undefined && isPutIntoCopy(node.parent);
  return optionsOf(ev.evaluate(value, { module, frame: undefined }))
    .flatMap((each) => described(ev, each, holder.isGiver(name) || isGetter(node)))
    .some((each) => (isOfCopy || each.type === 'text') && moves(ev, each, name, 'maybe', holder, bases));
}

/** Whether an object is what a copy is given: `{ ...client, host }`, `Object.create(client, { host: { value: host } })`. What stands elsewhere is about the base where it is an address. */
const isPutIntoCopy = (object: Node): boolean =>
  object.kind === 'object' &&
  (object.properties.some(({ kind }) => kind === 'spread') || (object.parent !== undefined && isCopying(object)));

/** What is read by a name: of `{ value: … }`, as a property is described, that; of a method that gives the base, or a getter, what it gives. */
function described(ev: Evaluation, value: Value, isGiver: boolean): readonly Value[] {
  if (value.type === 'object') {
    const own = value.entries.filter((entry) => entry.name === 'value' || entry.name === 'get');
    if (own.length === 0) return [value];
    return own.flatMap((entry) => optionsOf(entry.value()).flatMap((each) => described(ev, each, isGiver || entry.name === 'get')));
  }
  if (value.type !== 'function') return [value];
  if (!isGiver) return [];
  const given = returnsOf(value.node).flatMap((each) => optionsOf(ev.evaluate(each, { module: value.module, frame: value.frame })));
  return given.filter(({ type }) => type === 'text');
}

const isGetter = (node: Node): boolean =>
  node.kind === 'property' ? node.accessor === 'get' : node.kind === 'classMember' && node.role === 'get';
