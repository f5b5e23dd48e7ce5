/**
 * What a server answers is not known, and neither is what is read of it: `(await this.request(path)).json()`. That it is an answer is found out by what is
 * called alone, and nothing of what the request is made of is asked for: a program reads a hundred answers to the requests of one client.
 */
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { returnsOf } from './returns.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { frameOf } from './frame.ts';
import { combined } from '../libraries/combined.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { optionsOf, type Value } from '../values/values.ts';

/** Functions that hand the answer on to each other further than this are not looked at. */
const maxDepth = 4;

/** Whether a call reads the answer to a request. */
export const readsAnswer = (ev: Evaluation, { callee, isNew }: CallNode, at: At): boolean =>
  !isNew &&
  callee.kind === 'member' &&
  callee.property !== undefined &&
  combined(ev.rules).readsAnswer(callee.property) &&
  isAnswer(ev, callee.object, at);

/** Whether an expression is the answer to a request, whatever was asked. */
export function isAnswer(ev: Evaluation, node: Expression, at: At, depth = 0): boolean {
  if (node.kind === 'await') return isAnswer(ev, node.argument, at, depth);
  if (node.kind === 'call') return !node.isNew && optionsOf(ev.evaluate(node.callee, at)).every((callee) => givesAnswer(ev, callee, depth));
  const binding = node.kind === 'name' ? at.module.scopes.bindingOf(node) : undefined;
  const { owner, declaration } = binding ?? {};
  if (binding === undefined || (owner?.kind !== 'variable' && owner?.kind !== 'param') || owner.target !== declaration) return false;
  const assigned = assignmentsOf(binding).all.map((each) => each.node);
  if (owner.kind === 'variable') {
    const held = [...(owner.init === undefined ? [] : [owner.init]), ...assigned.map(({ value }) => value)];
    const isPlain = owner.each === undefined && assigned.every(({ operator }) => operator === '=');
    return isPlain && held.length > 0 && held.every((each) => isAnswer(ev, each, at, depth));
  }
  const given = assigned.length === 0 && depth < maxDepth ? givenFor(owner, at) : undefined;
  return given !== undefined && isAnswer(ev, given.node, given, depth + 1);
}

function givenFor(param: Node, { frame }: At): (At & { readonly node: Expression }) | undefined {
  const fn = param.kind === 'param' ? param.parent : undefined;
  if (param.kind !== 'param' || fn?.kind !== 'function' || param.default !== undefined) return undefined;
  return frameOf(fn, frame)?.args?.at(fn.params.indexOf(param));
}

function givesAnswer(ev: Evaluation, callee: Value, depth: number): boolean {
  if (callee.type === 'external') return callee.given === undefined && combined(ev.rules).givesAnswer(callee);
  if (callee.type !== 'function' || depth >= maxDepth) return false;
  const returned = returnsOf(callee.node);
  const at: At = { module: callee.module, frame: callee.frame };
  return returned.length > 0 && returned.every((each) => isAnswer(ev, each, at, depth + 1));
}
