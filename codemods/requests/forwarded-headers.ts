/** Headers that are sent on with those of a request that has arrived. */
import { callsOf } from '../evaluate/calls/all-callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isOfObject, leavesOf, namesTo, type Read } from '../evaluate/values/leaves.ts';
import { isScript } from '../evaluate/module.ts';
import type { Place } from '../evaluate/budget.ts';
import { isArrived, isOfServer, isSmallIn } from '../evaluate/values/small-letters.ts';
import { type Entry, type ObjectValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { memo, once } from '../once.ts';
import type { Node } from '../syntax/tree.ts';
import { isKeyHeader } from '../../src/contract/auth.ts';

/**
 * A header as it has to be written beside what is sent on of a request that has arrived: `{ ...req.headers, 'x-api-key': key }`. Theirs are in
 * small letters, and the Fetch standard sends two names that differ in letters as one header with both values.
 */
function besideArrived(entry: Entry, ev: Evaluation): Entry {
  const { node, module } = entry;
  if (!isKeyHeader(entry.name) || !isScript(module)) return entry;
  const { before, after } = sentWith(node);
  const leavesIn = (nodes: readonly Node[]): readonly Read[] => nodes.flatMap((each) => leavesGiven({ node: each, module, path: [] }, ev));
  const appendedTo = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'append' ? [node.callee.object] : [];
  if (leavesIn(after).some((leaf) => isArrived(leaf, ev)) || leavesIn(appendedTo).some((leaf) => isSentOn(leaf, ev)))
    return { ...entry, besideArrived: 'before' };
  const leaves = leavesIn(before);
  if (leaves.some((leaf) => isArrived(leaf, ev) || isSentOn(leaf, ev))) return { ...entry, besideArrived: 'after', isOverTheirs: true };
  return leaves.some((leaf) => isSmallIn(leaf, ev)) ? { ...entry, besideArrived: 'after' } : entry;
}

const maxCallers = 4;

/** … and what callers give the functions that get it as an argument: `call('/contacts', req.headers)`. */
function leavesGiven(read: Read, ev: Evaluation, depth = 0): readonly Read[] {
  return leavesOf(read, ev).flatMap((leaf) => [
    leaf,
    ...(depth === maxCallers ? [] : givenTo(leaf, ev).flatMap((each) => leavesGiven(each, ev, depth + 1))),
  ]);
}

function givenTo({ node, module, path }: Read, ev: Evaluation): readonly Read[] {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  const param = binding?.owner.kind === 'param' ? binding.owner : undefined;
  const fn = param?.parent;
  if (binding === undefined || param === undefined || fn?.kind !== 'function') return [];
  const index = fn.params.indexOf(param);
  return callsOf(ev, fn).flatMap((call) => {
    const arg = call.node.args[index];
    const names = [...namesTo(binding.declaration, param.target), ...path];
    return arg === undefined || arg.kind === 'spread' ? [] : [{ node: arg, module: call.module, path: names }];
  });
}

/** Whether a value that nobody here knows is the headers of a request that has arrived, or what a function makes of those that it is called with. */
function isOfArrival(value: Value, ev: Evaluation): boolean {
  if (value.type === 'method') {
    const { receiver, path } = value;
    const { node, module } = 'node' in receiver && 'module' in receiver ? receiver : {};
    if (path.at(-1) !== 'headers' || node?.kind !== 'param' || module === undefined || !isScript(module)) return false;
    return isOfServer(node, module) || (node.target.kind === 'patternName' && arriving.test(path.at(-2) ?? node.target.name));
  }
  const { node } = value.type === 'unknown' || value.type === 'param' ? value : {};
  const fn = node?.kind === 'param' ? node.parent : undefined;
  if (node?.kind !== 'param' || fn?.kind !== 'function') return false;
  const index = fn.params.indexOf(node);
  return callsOf(ev, fn).some(({ node: { args }, module }) => {
    const arg = args[index];
    return arg !== undefined && arg.kind !== 'spread' && isOfArrived(ev, { node: arg, module });
  });
}

const unknownIn = (value: Value): readonly Value[] => optionsOf(value).flatMap((each) => (each.type === 'object' ? each.unknown : [each]));

/**
 * The headers of one request as they have to be written beside those of one that has arrived, wherever either stands: `{ ...req.headers, ...auth() }`.
 * @param headers all objects that they are put together of, each over the one before
 */
export function besideArrivals(headers: readonly Value[], ev: Evaluation): (entry: Entry, of: Value, object: ObjectValue) => Entry {
  const isArrival = memo((value: Value) => isOfArrival(value, ev));
  const arrivals = once(() => headers.map((value) => unknownIn(value).some(isArrival)));
  return (entry, of, object) => {
    const own = besideArrived(entry, ev);
    if (own.besideArrived !== undefined || !isKeyHeader(entry.name ?? '') || !isScript(entry.module)) return own;
    // `Headers` know a name in any letters, and what is set in them takes the place of theirs.
    if (entry.node.kind === 'call' && entry.node.callee.kind === 'member' && entry.node.callee.property === 'set') return own;
    const at = headers.indexOf(of);
    const isUnder = entry.hiddenBy?.some(isArrival) === true || arrivals().some((each, index) => each && index > at);
    if (isUnder) return { ...own, besideArrived: 'before' };
    const isOver = object.unknown.some(isArrival) || arrivals().some((each, index) => each && index < at);
    return isOver ? { ...own, besideArrived: 'after', isOverTheirs: true } : own;
  };
}

/** Whether headers are those of a request that has arrived, or a copy of them. */
export const isOfArrived = (ev: Evaluation, { node, module }: Place): boolean =>
  leavesOf({ node, module, path: [] }, ev).some((leaf) => isArrived(leaf, ev) || isSentOn(leaf, ev));

/** What functions call a request that they are asked by, and what gives its headers. */
const arriving = /^(?:req|request|raw|incoming|event|c|ctx|context)$/;
const giving = /^(?:getRequestHeaders|getHeaders|headers?)$/;
const copying = /^(?:Headers|Request|fromEntries|entries)$/;
/** `Object.fromEntries(new Headers(request.headers).entries())` */
const maxCopies = 4;

/** `request.headers`, `new Headers(request.headers)`, `getRequestHeaders(event)`, of a request that no client is known to send. */
function isSentOn({ node, module, path }: Read, ev: Evaluation, depth = 0): boolean {
  if (node.kind === 'call') {
    const { callee, args } = node;
    const called = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
    // A request takes after another one what it is given behind its address.
    const [from = callee.kind === 'member' ? callee.object : undefined] = called === 'Request' && args.length > 1 ? args.slice(1) : args;
    if (copying.test(called) && from !== undefined)
      return depth < maxCopies && leavesOf({ node: from, module, path }, ev).some((leaf) => isSentOn(leaf, ev, depth + 1));
    return path.length === 0 && giving.test(called) && !(callee.kind === 'member' && isSentOut(ev, { node: callee.object, module }));
  }
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (node.kind !== 'name' || binding?.owner.kind !== 'param') return false;
  const names = [node.name, ...namesTo(binding.declaration, binding.owner.target), ...path];
  return names.at(-1) === 'headers' && arriving.test(names.at(-2) ?? '') && !isSentOut(ev, { node, module });
}

/** Whether it is a request of a client, or makes one: the headers of a form, `form.getHeaders()`. */
const isSentOut = (ev: Evaluation, { node, module }: Place): boolean =>
  optionsOf(ev.evaluate(node, { module, frame: undefined })).some(({ type }) => type === 'http');

/** What an object is made of before and after it gets a header; an interceptor that gives it to its own request, `request.headers`, passes on nothing. */
function sentWith(put: Node): { readonly before: readonly Node[]; readonly after: readonly Node[] } {
  const isOfOwn = put.parent?.parent?.kind === 'assign' && put.parent.parent.target.kind === 'member';
  if (isOfOwn) return { before: [], after: [] };
  if (put.kind === 'assign' && put.target.kind === 'member')
    return { before: put.target.object.kind === 'name' ? [put.target.object] : [], after: [] };
  const object = put.kind === 'property' && put.parent?.kind === 'object' ? put.parent : undefined;
  const call = object?.parent?.kind === 'call' && isOfObject(object.parent, /^assign$/) ? object.parent : undefined;
  const parts: readonly (Node | undefined)[] = call?.args ?? [object];
  const others = parts.flatMap((each): readonly Node[] => {
    if (each?.kind !== 'object') return each === undefined ? [] : [each];
    return each.properties.flatMap((part) => (part.kind === 'spread' ? [part.argument] : []));
  });
  return { before: others.filter(({ start }) => start < put.start), after: others.filter(({ start }) => start > put.start) };
}
