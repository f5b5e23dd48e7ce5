/** What methods of lists make of them, as far as their items are known. */
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { knownFunction } from './known-functions.ts';
import { foldedObject } from './folded-objects.ts';
import { rowsFound } from './found-items.ts';
import { foldedText } from '../values/placeholders.ts';
import { isOfKnown } from './listings.ts';
import { lookedUp } from './looked-up.ts';
import { concatenated } from '../values/text.ts';
import type { SourceModule } from '../module.ts';
import { choiceOf, type ListValue, optionsOf, plainText, unknown, type Value } from '../values/values.ts';

/** What a method of a list gives, where that is known. */
export function listMethod(
  ev: Evaluation,
  list: ListValue,
  name: string,
  args: readonly Value[],
  node: CallNode,
  at: At,
): Value | undefined {
  const [first] = args;
  if (name === 'flat') return flattenedTo(list, node.args.length === 0 ? 1 : depthAt(node.args[0]));
  if (name === 'filter' && first?.type === 'external' && first.path.join('.') === 'Boolean') return present(list);
  if (name === 'at' || name === 'slice') return cutList(list, name, args);
  if (name === 'pop' || name === 'shift') return anyOf(list);
  if (name === 'concat') return lengthened(list, args);
  const found = rowsFound(ev, list, name, first, node, at);
  if (found !== undefined || name === 'filter') return found;
  if (name === 'join') return joinList(list, first);
  return mapped(ev, list, node, at) ?? foldedText(ev, list, node, at) ?? foldedObject(ev, list, name, node, at);
}

/** Any item, or none: `jobs.shift()`. Texts that are put together at run time are noted down for whoever compares them. */
const anyOf = (list: ListValue): Value | undefined =>
  isOfKnown(list) && list.items.length > 0 && list.items.every((item) => item.type !== 'text' || plainText(item) !== undefined)
    ? choiceOf(list.items.map(lookedUp))
    : undefined;

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

/** The items of a list that nothing may be added to, by numbers that are known. */
function cutList(list: ListValue, name: 'at' | 'slice', args: readonly Value[]): Value | undefined {
  const numbers = args.map((arg) => (arg.type === 'literal' && typeof arg.value === 'number' ? arg.value : undefined));
  if (list.isOpen || numbers.includes(undefined)) return undefined;
  const [from = 0, to] = numbers;
  if (name === 'at') return list.items.at(from);
  return { ...list, items: list.items.slice(from, to), nodes: list.nodes.slice(from, to) };
}

/** `[base].concat(version, ['contacts'])`: the items of what is a list, and what is surely none. */
function lengthened(list: ListValue, others: readonly Value[]): ListValue | undefined {
  const isWhole = !list.isOpen && others.every((each) => isAll(each, ({ isOpen }) => !isOpen));
  return isWhole
    ? { ...list, items: [...list.items, ...others.flatMap((each) => (each.type === 'list' ? each.items : [each]))], nodes: [] }
    : undefined;
}

/** How deep `flat` goes where that is written there. */
const depthAt = (node: Node | undefined): number | undefined => {
  if (node?.kind === 'name' && node.name === 'Infinity') return maxNested;
  return node?.kind === 'literal' && typeof node.value === 'number' ? Math.min(Math.trunc(node.value), maxNested) : undefined;
};

/** Lists in lists further in than this are taken for items. */
const maxNested = 8;

const holdsLists = (list: ListValue): boolean => list.items.some((item) => optionsOf(item).some(({ type }) => type === 'list'));

/** @param depth undefined where nobody knows it: that is nothing to a list that holds none */
function flattenedTo(list: ListValue, depth: number | undefined): ListValue | undefined {
  if (depth === undefined) return holdsLists(list) ? undefined : list;
  let found = list;
  for (let left = depth; left > 0 && (left === depth || holdsLists(found)); left--) found = flattened(found);
  return found;
}

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
