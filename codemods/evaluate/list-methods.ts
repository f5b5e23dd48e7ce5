/** What methods of lists make of them, as far as their items are known. */
import { concatenated } from './text.ts';
import { type ListValue, optionsOf, plainText, type Value } from './values.ts';

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
  const isClosed = items.every((item) => (item.type === 'list' ? !item.isOpen : ['text', 'literal', 'object'].includes(item.type)));
  return {
    ...list,
    items: items.flatMap((item) => (item.type === 'list' ? item.items : [item])),
    nodes: [],
    isOpen: list.isOpen || !isClosed,
  };
}
