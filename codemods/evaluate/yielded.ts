/** What generators give to those who run through them: `function* paths() { yield '/v1/contacts'; }`. */
import { walk } from '../syntax/link.ts';
import type { FunctionNode, OtherNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { isOfKnown } from './list-methods.ts';
import { isScript } from './module.ts';
import { type FunctionValue, type ListValue, optionsOf, type Value } from './values.ts';

/** A value as the list that a loop makes of it: that of all that a generator yields, where it is the call of one. What comes of its parameters, its callers decide. */
export function runThrough(ev: Evaluation, value: Value): Value {
  if (value.type !== 'unknown' || value.node?.kind !== 'call' || value.module === undefined || !isScript(value.module)) return value;
  const { node, module } = value;
  const called = optionsOf(ev.evaluate(node.callee, { module, frame: undefined }));
  const lists = called.map((fn) => (fn.type === 'function' ? yieldedBy(ev, fn) : undefined));
  const known = lists.filter((items) => items !== undefined);
  if (known.length === 0 || known.length < lists.length) return value;
  return { type: 'list', items: known.flat(), nodes: [], isOpen: true, placed: 0, module } satisfies ListValue;
}

/** @returns undefined for what is no generator, and where one hands on what is not known */
function yieldedBy(ev: Evaluation, { node, module, frame, self }: FunctionValue): readonly Value[] | undefined {
  const yields = yieldsIn(node);
  const at: At = { module, frame: self === undefined ? frame : { owner: node, self, outer: frame } };
  const given = yields.map((each): readonly Value[] | undefined => {
    const [argument] = each.children;
    if (argument === undefined) return [];
    const value = ev.evaluate(argument, at);
    if (!/^yield\s*\*/.test(module.text.slice(each.start, each.end))) return [value];
    const all = optionsOf(runThrough(ev, value));
    return all.every((list) => list.type === 'list' && isOfKnown(list))
      ? all.flatMap((list) => (list.type === 'list' ? list.items : []))
      : undefined;
  });
  return yields.length === 0 || given.includes(undefined) ? undefined : given.flatMap((items) => items ?? []);
}

/** What a function gives one after the other, as it is written; of one that is no generator nothing. */
export function yieldsIn({ body }: FunctionNode): readonly OtherNode[] {
  const found: OtherNode[] = [];
  if (body?.kind !== 'block') return found;
  walk(body, (node) => {
    if (node.kind === 'other' && node.what === 'YieldExpression') found.push(node);
    return node.kind !== 'function' && node.kind !== 'class';
  });
  return found;
}
