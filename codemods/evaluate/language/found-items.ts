/** `services.find((service) => service.name === name)`: a row of a written table that is asked for by what it says of itself. */
import { asArguments } from '../calls/callers.ts';
import type { BinaryNode, CallNode, Expression, FunctionNode } from '../../syntax/tree.ts';
import { isAskedFor } from './chosen.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { lookedUp } from './looked-up.ts';
import { choiceOf, type FunctionValue, type ListValue, optionsOf, plainText, type Value } from '../values/values.ts';
import { findingOne } from '../../syntax/item-methods.ts';

/** Longer tables than this are data. */
const maxRows = 64;

/** What `find`, `findLast` and `filter` give of rows: those that are meant, or may be; who calls, where that says it. */
export function rowsFound(ev: Evaluation, list: ListValue, name: string, fn: Value | undefined, node: CallNode, at: At): Value | undefined {
  if (!finding.has(name) || fn?.type !== 'function' || list.isOpen || list.items.length > maxRows) return undefined;
  if (!list.items.every(({ type }) => type === 'object')) return undefined;
  const tested = testOf(fn.node, fn.module.text);
  if (tested === undefined) return undefined;
  const items = name === 'findLast' ? list.items.toReversed() : list.items;
  const found: Value[] = [];
  let isCertain = true;
  for (const item of items) {
    const isMeant = holds(ev, tested, inItem(fn, item, node, at));
    if (typeof isMeant !== 'boolean' && isMeant !== 'maybe') return isMeant;
    if (isMeant !== false) found.push(item);
    isCertain &&= isMeant !== 'maybe';
    if (isMeant === true && name !== 'filter') break;
  }
  if (name === 'filter' && !isCertain) return { ...list, items: found, nodes: [], isOpen: true, placed: 0 };
  if (name === 'filter') return { ...list, items: found, nodes: found.map((item) => list.nodes[list.items.indexOf(item)]) };
  return found.length === 0 ? undefined : isCertain ? found[0] : lookedUp(choiceOf(found));
}

const reading: ReadonlySet<Expression['kind']> = new Set(['string', 'name', 'member']);

const finding = new Set([...findingOne, 'filter']);

/**
 * What a function only returns of its only parameter: it does nothing else with what it is given. What an async one or a generator gives is always there;
 * what is no arrow has a `this` of its own.
 */
function testOf({ body, params, start, end }: FunctionNode, text: string): Expression | undefined {
  if (/^async\b|^(?:function)?\s*\*|\bthis\b/.test(text.slice(start, end))) return undefined;
  const [only] = body?.kind === 'block' ? body.body : [];
  const returned = only?.kind === 'return' ? only.argument : body?.kind === 'block' ? undefined : body;
  return params.length === 1 ? returned : undefined;
}

const inItem = ({ node: owner, module, frame }: FunctionValue, item: Value, by: CallNode, at: At): At => ({
  module,
  frame: { owner, args: asArguments([item]), by, from: at.frame, outer: frame ?? at.frame },
});

/** Whether a call gives rows that are known: its function has done nothing but to tell which. */
export const givesRows = ({ callee }: CallNode, values: readonly Value[]): boolean =>
  callee.kind === 'member' &&
  finding.has(callee.property ?? '') &&
  values.every((value) => value.type === 'object' || (value.type === 'list' && !value.isOpen));

/** Whether a test holds of an item; the parameter whose caller says it, and undefined where it asks for what an edit changes, or for more than is looked at. */
function holds(ev: Evaluation, test: Expression, at: At): boolean | 'maybe' | Value | undefined {
  if (test.kind === 'logical' && test.operator === '&&') {
    const left = holds(ev, test.left, at);
    if (left !== true && left !== 'maybe') return left;
    const right = holds(ev, test.right, at);
    return right === true ? left : right;
  }
  const isPlain = test.kind === 'binary' && /^===?$/.test(test.operator) && [test.left, test.right].every(({ kind }) => reading.has(kind));
  return isPlain ? areEqual(ev, test, at) : undefined;
}

function areEqual(ev: Evaluation, { left, right }: BinaryNode, at: At): boolean | 'maybe' | Value | undefined {
  const sides = [left, right].map((side) => ev.evaluate(side, at));
  const open = sides.flatMap(optionsOf).find(({ type }) => type === 'param');
  // A number is no text that reads the same.
  const [one, other] = sides.map((side) => (side.type === 'text' ? plainText(side) : undefined));
  if ([one, other].some((text) => text !== undefined && !isAskedFor(text))) return undefined;
  return one === undefined || other === undefined ? (open ?? 'maybe') : one === other;
}
