/** What methods of lists make of them, as far as their items are known. */
import type { CallNode, Node } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { knownFunction } from './known-functions.ts';
import { rowsFound } from './found-items.ts';
import { foldedText } from './placeholders.ts';
import { concatenated } from './text.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, type ListValue, optionsOf, plainText, unknown, type Value } from './values.ts';

/** What a method of a list gives, where that is known. */
export function listMethod(
  ev: Evaluation,
  list: ListValue,
  name: string,
  [first]: readonly Value[],
  node: CallNode,
  at: At,
): Value | undefined {
  if (name === 'flat') return flattened(list);
  if (name === 'filter' && first?.type === 'external' && first.path.join('.') === 'Boolean') return present(list);
  const found = rowsFound(ev, list, name, first, node, at);
  if (found !== undefined || name === 'filter') return found;
  return name === 'join' ? joinList(list, first) : (mapped(ev, list, node, at) ?? foldedText(ev, list, node, at));
}

/** What `items.map(fn)` and `items.flatMap(fn)` give: of items that are not known, as many of what a function of the project makes of one. */
export function mapped(ev: Evaluation, receiver: Value, node: CallNode, at: At): Value | undefined {
  const method = node.callee.kind === 'member' ? node.callee.property : undefined;
  if (method !== 'map' && method !== 'flatMap') return undefined;
  const [fn] = ev.args(node, at);
  const isKnown = receiver.type === 'list' && !receiver.isOpen;
  const given = receiver.type === 'list' ? itemsGiven(receiver, node, at.module) : [receiver];
  const known = fn?.type === 'external' && isKnown ? knownFunction(ev, fn) : undefined;
  if (fn === undefined || (fn.type !== 'function' && known === undefined)) return undefined;
  const items = given.map((item) =>
    fn.type === 'function' ? ev.apply(fn, [item], node, at) : (known?.(ev, [item], node, at) ?? unknown(node, at.module)),
  );
  const list = listOf(items, receiver, at.module);
  return method === 'map' ? list : flattened(list);
}

/** Whether nothing is in a list but what is among its items, whether or not their number and order are known. */
export const isOfKnown = ({ isOpen, placed }: ListValue): boolean => !isOpen || placed !== undefined;

/** What a function may be given that is called for each item: of a list that nobody counts, any of them. */
export function itemsGiven(list: ListValue, node: Node, module: SourceModule): readonly Value[] {
  if (!list.isOpen) return list.items;
  return [choiceOf([...list.items, ...(isOfKnown(list) ? [] : [list.given ?? unknown(node, module)])])];
}

/** What a function makes of the items of a list, or of whatever is gone through. */
export function listOf(items: readonly Value[], of: Value, module: SourceModule): ListValue {
  const isOpen = of.type !== 'list' || of.isOpen;
  const given = of.type === 'list' && of.given !== undefined ? { given: of.given } : {};
  return { type: 'list', items, nodes: [], isOpen, ...(isOpen && { placed: items.length }), ...given, module };
}

/** The item at a place, where it is one of those that stand in theirs. */
export const itemAt = ({ items, placed = items.length }: ListValue, index: number): Value | undefined =>
  index < placed ? items[index] : undefined;

export function joinList({ items, isOpen }: ListValue, by: Value | undefined): Value | undefined {
  if (isOpen) return undefined;
  const separator: Value = by ?? { type: 'text', parts: [{ text: ',' }] };
  return concatenated(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])));
}

/** `parts.filter(Boolean)`: what is not known counts as there; undefined where an item may be there or not. */
export function present(list: ListValue): ListValue | undefined {
  const there = list.items.map((item) => new Set(optionsOf(item).map(isThere)));
  const isKept = (_: unknown, index: number): boolean => there[index]?.has(true) === true;
  return there.some(({ size }) => size > 1) ? undefined : { ...list, items: list.items.filter(isKept), nodes: list.nodes.filter(isKept) };
}

const isThere = (value: Value): boolean => (value.type === 'literal' ? Boolean(value.value) : plainText(value) !== '');

/** `flat()`: with the items of the lists in it. Of what may be a list, nobody knows how many it gives. */
export function flattened(list: ListValue): ListValue {
  const { items } = list;
  const isOpen = list.isOpen || !items.every((item) => isAll(item, ({ isOpen }) => !isOpen));
  // One of several lists gives its own items alone: how many there are, nobody knows then. What a caller decides is asked of the caller.
  const options = items.flatMap(optionsOf);
  const isOfItems = isOpen && isOfKnown(list) && options.every((item) => item.type === 'param' || isAll(item, isOfKnown));
  const flat = (isOfItems ? options : items).flatMap((item) => (item.type === 'list' ? item.items : [item]));
  return { ...list, items: flat, nodes: [], isOpen, placed: isOfItems ? flat.length : undefined };
}

/** Whether it is a list as asked for, or surely none. */
const isAll = (item: Value, isSo: (list: ListValue) => boolean): boolean =>
  item.type === 'list' ? isSo(item) : ['text', 'literal', 'object'].includes(item.type);
