/** What a table gives under a name that nobody knows: it may not be there, and so may what is read or made of that. */
import type { CallNode } from '../../syntax/tree.ts';
import type { At } from '../evaluation.ts';
import { choiceOf, type ObjectValue, optionsOf, plainText, through, type Value } from '../values/values.ts';

const held: ReadonlySet<Value['type']> = new Set(['text', 'object', 'list', 'function', 'class', 'instance', 'http', 'method']);

/** A value, marked as one that gives way to a default. */
export function lookedUp(value: Value): Value {
  if (value.type === 'choice') return choiceOf(optionsOf(value).map(lookedUp));
  return held.has(value.type) ? { ...value, why: 'looked up' } : value;
}

export const isLookedUp = ({ why }: Value): boolean => why === 'looked up';

/** What is read of a value, or is what a call of it gives. */
export const lookedUpAs = (of: Value, value: Value): Value => (isLookedUp(of) ? lookedUp(value) : value);

/** What is left of it where something else stands in for what is not there. */
export function there(value: Value, by: '||' | '??'): Value {
  if (isLookedUp(value)) return { ...value, why: undefined };
  const of = madeOf(value);
  return of === undefined || leftBy(value) === '||' ? value : { ...value, left: { by, of } };
}

/** By which operator it is there, where something else stood in for it: nothing behind another of these stands in its place. */
export const leftBy = (value: Value): '||' | '??' | undefined => (value.left?.of === madeOf(value) ? value.left?.by : undefined);

/** What a value that is not known is told apart by from what is read of it. */
const madeOf = (value: Value): unknown =>
  value.type === 'unknown' ? value.node : value.type === 'method' || value.type === 'external' ? value.path : undefined;

/** What pairs make of a Map. */
export const asMap = (made: Value | undefined): Value | undefined => (made?.type === 'object' ? { ...made, isMap: true } : made);

/** What whoever calls gives, where nobody is seen to: others may give anything. */
export const isUngiven = (value: Value): boolean =>
  optionsOf(value).some((each) => each.type === 'param' || (each.type === 'unknown' && each.node?.kind === 'param'));

/** What a Map has under a name that a caller decides, or that nobody knows: any of its values, or none. */
export function ofAnyName({ isMap, entries, unknown }: ObjectValue, key: Value, node: CallNode, { module }: At): Value | undefined {
  if (isMap !== true || entries.length === 0 || unknown.length > 0) return undefined;
  const param = optionsOf(key).find(({ type }) => type === 'param');
  if (param !== undefined) return through(param, node, module);
  const values = entries.map((entry) => entry.value());
  return values.some(isUngiven) ? undefined : through(choiceOf(values.map(lookedUp)), node, module);
}

/** Whether a value counts as true; undefined where that is not known. */
export function truth(value: Value): boolean | undefined {
  if (isLookedUp(value)) return undefined;
  if (value.type === 'literal') return Boolean(value.value);
  if (['object', 'list', 'function', 'class', 'instance', 'http'].includes(value.type)) return true;
  const text = value.type === 'text' ? plainText(value) : undefined;
  return text === undefined ? undefined : text !== '';
}
