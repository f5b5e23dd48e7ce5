/** Sinks, in the words of data-flow analysis: where values become a request. A call makes one, other code describes or expects one. */
import { nodesOfKind } from '../syntax/link.ts';
import type { CallNode, ProgramNode, PropertyNode, TaggedNode } from '../syntax/tree.ts';
import { comparedAt, type ComparisonNode, isComparison } from '../evaluate/language/comparisons.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { type SourceModule, speaksOf } from '../evaluate/module.ts';
import { type HttpValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { rulesWith } from '../evaluate/libraries/rules.ts';

export interface Sink {
  /** The call or tagged template that makes a request, the property or file that describes it, or the comparison that expects it. */
  readonly call: CallNode | TaggedNode | PropertyNode | ProgramNode | ComparisonNode;
  readonly module: SourceModule;
}

/** What a sink makes on the way that the frame stands for. */
export function madeBySink(ev: Evaluation, { call, module }: Sink, frame: At['frame']): Value {
  const at: At = { module, frame };
  if (call.kind === 'call' && !isComparison(call)) return ev.evaluate(call, at);
  if (call.kind === 'tagged') return taggedBy(ev, call, at);
  if (call.kind === 'program') return describedBy(ev, module) ?? { type: 'unknown', node: call, module };
  if (call.kind !== 'property') return comparedAt(ev, call, at);
  const rule = rulesWith(ev.rules, 'declares').find(({ declares }) => declares?.names.includes(call.name ?? ''));
  return rule?.declared?.(call, at, ev) ?? { type: 'unknown', node: call, module };
}

function taggedBy(ev: Evaluation, node: TaggedNode, at: At): Value {
  for (const rule of rulesWith(ev.rules, 'tagged')) {
    const value = rule.tagged?.(node, at, ev);
    if (value !== undefined) return value;
  }
  return { type: 'unknown', node, module: at.module };
}

/** Templates that make a request by what tags them: `$`curl https://…``. */
export function taggedIn(ev: Evaluation, module: SourceModule): Sink[] {
  if (!combined(ev.rules).commandsIn(module.text)) return [];
  return nodesOfKind(module.tree.program, 'tagged').flatMap((call): Sink[] => {
    const sink: Sink = { call, module };
    return requestsOf(madeBySink(ev, sink, undefined)).length > 0 ? [sink] : [];
  });
}

function describedBy(ev: Evaluation, module: SourceModule): Value | undefined {
  for (const rule of rulesWith(ev.rules, 'describedBy')) {
    const value = rule.describedBy?.(module, ev);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Requests that properties and whole files describe. */
export function declaredIn(ev: Evaluation, module: SourceModule): Sink[] {
  const names = rulesWith(ev.rules, 'declares').flatMap(({ declares }) =>
    declares !== undefined && speaksOf(module, declares.where) ? declares.names : [],
  );
  const found: Sink[] = describedBy(ev, module) === undefined ? [] : [{ call: module.tree.program, module }];
  if (names.length === 0) return found;
  for (const node of nodesOfKind(module.tree.program, 'property')) {
    if (!names.includes(node.name ?? '')) continue;
    const sink: Sink = { call: node, module };
    if (requestsOf(madeBySink(ev, sink, undefined)).length > 0) found.push(sink);
  }
  return found;
}

/** Whether a call is a request and not just the beginning of one, as in `request.get(url).set(name, key)`. */
export function isSink(ev: Evaluation, call: CallNode, at: At): boolean {
  if (!optionsOf(ev.evaluate(call.callee, at)).some((callee) => isKnown(ev, callee))) return false;
  const made = requestsAt(ev, call, at);
  if (made.length === 0) return false;
  const next = call.parent?.kind === 'member' && call.parent.object === call ? call.parent.parent : undefined;
  // Mocks of several requests may stand in one chain: each has its own address.
  const goesOn = (later: HttpValue): boolean =>
    later.node === next && (later.mock === undefined || made.some(({ url }) => url === later.url));
  if (next?.kind === 'call' && requestsOf(ev.evaluate(next, at)).some(goesOn)) return false;
  return !continues(ev, call, at);
}

/** The requests that are made by this very call. */
const requestsAt = (ev: Evaluation, call: CallNode, at: At): HttpValue[] =>
  requestsOf(ev.evaluate(call, at)).filter(({ node }) => node === call);

/** Whether a call makes a request by itself. */
export const makesRequest = (ev: Evaluation, call: CallNode, at: At): boolean => requestsAt(ev, call, at).length > 0;

/** Whether some rule may know what is called. */
export function isKnown(ev: Evaluation, callee: Value): boolean {
  if (callee.type === 'external') {
    const { modules, globals } = combined(ev.rules);
    return modules.has(callee.source) || globals.has(callee.path[0] ?? '');
  }
  if (callee.type !== 'method') return callee.type === 'http';
  const { receiver, path } = callee;
  return (
    receiver.type === 'http' ||
    (receiver.type === 'unknown' &&
      rulesWith(ev.rules, 'methods').some(({ methods }) => methods?.some((method) => path.some((name) => method.endsWith(`.${name}`)))))
  );
}

/** `req.set(…)` on a request in a variable: the request was made before. */
function continues(ev: Evaluation, { callee }: CallNode, at: At): boolean {
  if (callee.kind !== 'member' || callee.object.kind === 'call') return false;
  return requestsOf(ev.evaluate(callee.object, at)).length > 0;
}

/** The requests among what a value can be. */
export const requestsOf = (value: Value): HttpValue[] =>
  optionsOf(value).filter((each): each is HttpValue => each.type === 'http' && each.stage === 'request');
