/**
 * What is only told, and decides about nothing else: the label that a path has in metrics, or its name in a log. It is followed by the syntax alone, through names,
 * branches and functions, to what prints, counts or traces it.
 */
import { callsOf } from '../../evaluate/all-callers.ts';
import type { Place } from '../../evaluate/budget.ts';
import { functionAround } from '../../evaluate/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { mayBeCalledOtherwise } from '../../evaluate/other-calls.ts';
import { optionsOf } from '../../evaluate/values.ts';
import { isWithin, walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import { isShowing } from './harmless-calls.ts';
import { isTelling } from './observers.ts';

/** What is handed on through more places than this is not looked at. */
const maxPlaces = 60;
/** Nor what stands deeper in what is made of it. */
const maxDepth = 40;

type Asked = Place & { readonly module: SourceModule };

/** @param isSame whether it comes out as before, so that what only puts it down may have it, too: `samples.push({ operation })` */
export function isToldOnly(ev: Evaluation, from: Asked, isSame: boolean): boolean {
  const places: Asked[] = [from];
  const seen = new Set<Node>([from.node]);
  // A list that grows while it is walked.
  for (const place of places) {
    const next = goneTo(ev, place, isSame);
    if (next === undefined) return false;
    for (const each of next) {
      if (seen.has(each.node)) continue;
      seen.add(each.node);
      places.push(each);
    }
    if (places.length > maxPlaces) return false;
  }
  return true;
}

type Next = readonly Asked[] | undefined;

/** Parts of what is told, as far as they are put together there. */
const around: ReadonlySet<Node['kind']> = new Set([
  'array',
  'await',
  'binary',
  'concat',
  'conditional',
  'logical',
  'object',
  'property',
  'spread',
  'template',
  'unary',
]);

/** @returns where a value goes from a place; none where it is told there, or thrown away; undefined where it is used otherwise */
function goneTo(ev: Evaluation, { node, module }: Asked, isSame: boolean): Next {
  let depth = 0;
  for (let at = node; at.parent !== undefined && depth < maxDepth; at = at.parent, depth++) {
    const { parent } = at;
    if (decidesHere(ev, at, module)) return undefined;
    if (around.has(parent.kind) || (parent.kind === 'member' && (parent.object === at || parent.computed === at))) continue;
    switch (parent.kind) {
      case 'call': {
        if (parent.callee !== at) return handedTo(ev, at, parent, module, isSame);
        if (parent.args.some(({ kind }) => kind === 'function')) return undefined;
        break;
      }
      case 'return':
        return givenBackBy(ev, functionAround(parent), module);
      case 'function':
        return parent.body === at ? givenBackBy(ev, parent, module) : undefined;
      case 'variable':
        if (parent.init !== at || functionAround(parent) === undefined) return undefined;
        return namesIn(parent.target).flatMap((name) =>
          (module.scopes.declaredBy(name)?.references ?? []).map((each) => ({ node: each, module })),
        );
      case 'other':
        if (parent.what === 'ExpressionStatement') return [];
        return parent.what === 'IfStatement' && parent.children[0] === at ? decidedIn(ev, parent, module) : undefined;
      case 'block':
        return [];
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Whether it decides what else is done there: `SAFE.test(path) && retry()`. */
function decidesHere(ev: Evaluation, at: Node, module: SourceModule): boolean {
  const { parent } = at;
  if (parent?.kind === 'logical') return parent.left === at && !isOnlyComputing(ev, parent.right, module);
  if (parent?.kind !== 'conditional' || parent.test !== at) return false;
  return ![parent.whenTrue, parent.whenFalse].every((each) => isOnlyComputing(ev, each, module));
}

function handedTo(ev: Evaluation, at: Node, call: CallNode, module: SourceModule, isSame: boolean): Next {
  if (isShowing(call) || isTelling(ev, call, module)) return [];
  if (isSame && call.callee.kind === 'member' && call.callee.property === 'push') return [];
  const callees = optionsOf(ev.evaluate(call.callee, { module, frame: undefined }));
  const index = call.args.findIndex((arg) => arg === at);
  const given = callees.map((callee): Next => {
    if (callee.type !== 'function') return undefined;
    const param = callee.node.params[index];
    if (param === undefined || param.isRest) return undefined;
    return namesIn(param.target).flatMap((name) =>
      (callee.module.scopes.declaredBy(name)?.references ?? []).map((node) => ({ node, module: callee.module })),
    );
  });
  return given.length === 0 || given.includes(undefined) ? undefined : given.flatMap((each) => each ?? []);
}

const ofItems = /^(?:find|findLast|findIndex|some|every|filter|map|flatMap)$/;

/** What a function gives, all who call it have; of one that a list runs, what that gives. */
function givenBackBy(ev: Evaluation, fn: FunctionNode | undefined, module: SourceModule): Next {
  const call = fn?.parent;
  if (fn === undefined) return undefined;
  if (call?.kind === 'call' && call.args[0] === fn)
    return call.callee.kind === 'member' && ofItems.test(call.callee.property ?? '') ? [{ node: call, module }] : undefined;
  if (mayBeCalledOtherwise(ev, fn)) return undefined;
  const calls = callsOf(ev, fn);
  return calls.length === 0 ? undefined : calls;
}

/** A branch that only tells something, or a function that only finds out what it gives. */
function decidedIn(ev: Evaluation, statement: Node & { readonly children: readonly Node[] }, module: SourceModule): Next {
  const [, ...branches] = statement.children;
  if (branches.every((branch) => isOnlyComputing(ev, branch, module) && !isLeaving(branch))) return [];
  const fn = functionAround(statement);
  return fn?.body !== undefined && isOnlyComputing(ev, fn.body, module) ? givenBackBy(ev, fn, module) : undefined;
}

function isLeaving(branch: Node): boolean {
  let found = false;
  walk(branch, (node) => {
    found ||= node.kind === 'return' || (node.kind === 'other' && /^(?:Continue|Break)Statement$/.test(node.what));
    return !found;
  });
  return found;
}

/** Methods of texts, patterns and lists that give something, and do nothing. */
const computing =
  /^(?:test|exec|match|matchAll|search|replace|replaceAll|split|slice|substring|at|trim|trimEnd|trimStart|startsWith|endsWith|includes|indexOf|toLowerCase|toUpperCase|toString|join|find|findLast|findIndex|some|every|filter|map|flatMap|entries|keys|values|get|has)$/;

/** Each question in a function would ask for all of it. */
const computes = new WeakMap<Node, boolean>();
const maxNodes = 1_000;

/** Whether nothing is done there but to find something out and to tell it. */
function isOnlyComputing(ev: Evaluation, within: Node, module: SourceModule): boolean {
  const before = computes.get(within);
  if (before !== undefined) return before;
  let isIt = true;
  let nodes = 0;
  walk(within, (node) => {
    isIt &&= ++nodes <= maxNodes;
    if (!isIt) return false;
    if (node.kind === 'call') {
      const { callee } = node;
      const isMethod = callee.kind === 'member' && !node.isNew && computing.test(callee.property ?? '') && !isOfClient(ev, callee, module);
      isIt &&= isMethod || isShowing(node) || isTelling(ev, node, module);
    }
    if (node.kind === 'assign' || node.kind === 'tagged') isIt &&= node.kind === 'assign' && isOwn(node.target, within, module);
    isIt &&= node.kind !== 'await' && !(node.kind === 'other' && /^(?:Throw|Yield)/.test(node.what));
    isIt &&= !(node.kind === 'unary' && /^(?:delete|\+\+|--)$/.test(node.operator));
    return isIt;
  });
  computes.set(within, isIt);
  return isIt;
}

/** `api.get('/contacts')` asks for something. */
const isOfClient = (ev: Evaluation, callee: Node & { readonly object?: Node }, module: SourceModule): boolean =>
  callee.object === undefined || optionsOf(ev.evaluate(callee.object, { module, frame: undefined })).some(({ type }) => !passive.has(type));

/** What has no methods of the project's own, nor those of a library. */
const passive: ReadonlySet<string> = new Set(['text', 'env', 'literal', 'list', 'unknown', 'param', 'choice']);

/** A name that is declared there, too. */
function isOwn(target: Node, within: Node, { scopes }: SourceModule): boolean {
  const binding = target.kind === 'name' ? scopes.bindingOf(target) : undefined;
  return binding !== undefined && isWithin(within, binding.declaration);
}
