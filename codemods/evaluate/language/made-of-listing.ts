/** Objects that are made anew of all names and values of another: `Object.fromEntries(headers.entries())`, `Object.entries(headers).reduce(…)`. */
import type { CallNode, Expression, FunctionNode, Node, SpreadNode } from '../../syntax/tree.ts';
import { isNamed } from '../writes/copies.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { optionsOf, type Value } from '../values/values.ts';

/** The object that is gone through, where all that it has is handed on, be it without what has no value: what else it may have it may have anew. */
export function madeOfListing(ev: Evaluation, pairs: Expression | SpreadNode | undefined, at: At): Value | undefined {
  const of = pairs === undefined || pairs.kind === 'spread' ? undefined : listedIn(ev, pairs, at);
  const value = of && ev.evaluate(of, at);
  return value !== undefined && optionsOf(value).every(({ type }) => type === 'object') ? value : undefined;
}

/** The object whose names and values `reduce` only puts into an empty one. */
export const madeByFold = (ev: Evaluation, call: CallNode, at: At): Value | undefined =>
  call.callee.kind === 'member' && isCopy(call, at.module) ? madeOfListing(ev, call.callee.object, at) : undefined;

/** `pairs.reduce((all, [name, value]) => ({ ...all, [name]: value }), {})` */
export function isCopy({ args: [fn, start, more] }: CallNode, module: SourceModule): boolean {
  const isOfNothing = start?.kind === 'object' && start.properties.length === 0;
  return fn?.kind === 'function' && isOfNothing && more === undefined && isCopying(fn, module);
}

function listedIn(ev: Evaluation, pairs: Expression, at: At): Expression | undefined {
  if (pairs.kind === 'array') {
    const [all, more] = pairs.elements;
    return all?.kind === 'spread' && more === undefined ? (listedIn(ev, all.argument, at) ?? all.argument) : undefined;
  }
  if (pairs.kind !== 'call' || pairs.callee.kind !== 'member') return undefined;
  const { args, callee } = pairs;
  const [first] = args;
  if (callee.property === 'filter') return isAboutPresence(ev, first, at) ? listedIn(ev, callee.object, at) : undefined;
  if (isNamed(pairs, 'Object', 'entries') || isNamed(pairs, 'Array', 'from'))
    return first === undefined || first.kind === 'spread' || args.length > 1 ? undefined : (listedIn(ev, first, at) ?? first);
  return callee.property === 'entries' && first === undefined ? callee.object : undefined;
}

/** `([, value]) => value !== undefined`, `([, value]) => isDefined(value)`: what is there has all that it had, whatever its name and value are. */
function isAboutPresence(ev: Evaluation, fn: Expression | SpreadNode | undefined, at: At): boolean {
  const [pair, more] = fn?.kind === 'function' ? fn.params : [];
  if (fn?.kind !== 'function' || pair?.target.kind !== 'arrayPattern' || more !== undefined) return false;
  const { module } = at;
  const [name, value] = pair.target.elements.map((each) => (each?.target.kind === 'patternName' && !each.isRest ? each.target : undefined));
  const isUnused = name === undefined ? pair.target.elements[0] === undefined : module.scopes.declaredBy(name)?.references.length === 0;
  if (!isUnused || value === undefined || fn.body === undefined) return false;
  return asksForPresence(fn.body, value.name, module) || isAskedFor(ev, fn.body, value.name, at);
}

/** `isDefined(value)`, by a function of the project. */
function isAskedFor(ev: Evaluation, asked: Node, name: string, at: At): boolean {
  const [given, more] = asked.kind === 'call' ? asked.args : [];
  if (asked.kind !== 'call' || given?.kind !== 'name' || given.name !== name || more !== undefined) return false;
  const callees = optionsOf(ev.evaluate(asked.callee, at));
  return callees.every((each) => {
    if (each.type !== 'function') return false;
    const [param, another] = each.node.params;
    const answer = returnedBy(each.node);
    const isOfOne = param?.target.kind === 'patternName' && another === undefined;
    return isOfOne && answer !== undefined && asksForPresence(answer, param.target.name, each.module);
  });
}

const asksForPresence = ({ start, end }: Node, name: string, { text }: SourceModule): boolean =>
  text
    .slice(start, end)
    .replaceAll(new RegExp(String.raw`\b${name}\b`, 'g'), '')
    .match(presence) !== null;

const presence = /^(?:\s*(?:!!|Boolean\(\))?\s*(?:!==?\s*(?:null|undefined|''|""))?\s*(?:&&|$))+$/;

/** What a function that does nothing else gives back. */
function returnedBy({ body }: FunctionNode): Node | undefined {
  if (body?.kind !== 'block') return body;
  const [first, more] = body.body;
  return first?.kind === 'return' && more === undefined ? first.argument : undefined;
}

/** `(all, [name, value]) => ({ ...all, [name]: value })`, or the same with a value that is made a text. */
function isCopying(fn: FunctionNode, { scopes }: SourceModule): boolean {
  const [all, pair, ...more] = fn.params;
  if (all?.target.kind !== 'patternName' || pair?.target.kind !== 'arrayPattern' || more.length > 0) return false;
  const taken = pair.target.elements.map((each) => (each?.isRest === true || each?.default !== undefined ? undefined : each?.target));
  const [name, value] = taken;
  const made = returnedBy(fn);
  const [spread, put, ...others] = made?.kind === 'object' ? made.properties : [];
  if (taken.length !== 2 || spread?.kind !== 'spread' || put?.kind !== 'property' || others.length > 0) return false;
  const isOnly = (node: Node | undefined, declared: Node | undefined): boolean => {
    const binding = node?.kind === 'name' ? scopes.bindingOf(node) : undefined;
    return binding !== undefined && binding.declaration === declared && binding.references.length === 1;
  };
  return isOnly(spread.argument, all.target) && isOnly(put.computed, name) && isOnly(asText(put.value), value);
}

/** `value` of `String(value)`. */
function asText(node: Expression): Node | undefined {
  const [given] = node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'String' ? node.args : [];
  return given ?? node;
}
