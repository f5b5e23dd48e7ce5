/** What libraries hand to the functions that they are given: `test('…', ({ request }) => …)`, `endpoints: (build) => …`. */
import type { FunctionNode, Node, ParamNode } from '../syntax/tree.ts';
import type { ClientRule } from './client-rule.ts';
import { combined, firstOf } from './combined.ts';
import type { At, Evaluation } from './evaluation.ts';
import { optionsOf, type Value } from './values.ts';

/** @returns undefined where no rule knows what calls the function that the parameter belongs to */
export function givenValue(ev: Evaluation, param: ParamNode, { module }: At): Value | undefined {
  const { parent: fn } = param;
  if (fn?.kind !== 'function') return undefined;
  const index = fn.params.indexOf(param);
  const at: At = { module, frame: undefined };
  const standIn = combined(ev.rules).standIn(fn, module);
  if (standIn !== undefined) return standIn.given(index, param);
  const typeName = fn.parent?.kind === 'variable' ? fn.parent.typeName : undefined;
  if (typeName !== undefined) return firstOf(ev.rules, (rule) => rule.givenByType?.({ ...at, node: param, index, typeName, ev }));
  if (fn.parent?.kind === 'assign' && fn.parent.value === fn) {
    const target = ev.evaluate(fn.parent.target, at);
    return firstOf(ev.rules, (rule) => rule.givenInPlaceOf?.(target, index, { ...at, node: param }));
  }
  const place = placeOf(fn);
  if (place === undefined) return undefined;
  const { call, argument, within } = place;
  for (const callee of optionsOf(ev.evaluate(call.callee, at))) {
    const on = callee.type === 'http' ? callee : callee.type === 'method' && callee.receiver.type === 'http' ? callee.receiver : undefined;
    const path = callee.type === 'method' || callee.type === 'external' ? callee.path : [];
    const adding = ev.rules.find(({ adds }) => adds?.test(path.at(-1) ?? ''));
    const rule = adding ?? (on === undefined ? ruleOf(ev, callee) : ev.rules.find(({ name }) => name === on.client));
    const value = rule?.given?.({ ...at, node: param, index, call, path, on, argument, within, ev });
    if (value !== undefined) return value;
  }
  return undefined;
}

const ruleOf = (ev: Evaluation, callee: Value): ClientRule | undefined =>
  callee.type === 'external'
    ? ev.rules.find(({ modules, globals }) =>
        callee.source === '' ? globals?.includes(callee.path[0] ?? '') : modules?.includes(callee.source),
      )
    : undefined;

/** The call that a function is written into, and where in its arguments: `createApi({ endpoints: … })` is 0, `['endpoints']`. */
function placeOf(fn: FunctionNode): { call: Extract<Node, { kind: 'call' }>; argument: number; within: string[] } | undefined {
  const within: string[] = [];
  let at: Node = fn;
  for (let around = at.parent; around !== undefined; at = around, around = around.parent) {
    if (around.kind === 'call') {
      const argument = around.args.findIndex((arg) => arg === at);
      return argument === -1 ? undefined : { call: around, argument, within };
    }
    if (around.kind === 'property' && around.name !== undefined) within.unshift(around.name);
    else if (around.kind !== 'object') return undefined;
  }
  return undefined;
}
