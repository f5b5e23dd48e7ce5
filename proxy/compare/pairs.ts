/** Which items of two lists belong together: what is the same, then what has the same id, then what stands at the same place of the rest. */
import { isObject } from './answer-json.ts';
import { isNumber, writtenAs } from './numbers.ts';

export interface Paired {
  /** Items that belong together and are not the same. */
  readonly pairs: readonly (readonly [unknown, unknown])[];
  readonly missing: readonly unknown[];
  readonly added: readonly unknown[];
  /** Whether what was found in both lists has the same order in both. */
  readonly isInOrder: boolean;
}

interface Item {
  readonly value: unknown;
  /** Equal for what is the same. */
  readonly same: number;
  readonly id: string | undefined;
  /** What it has in common with the item that was found for it. */
  found?: string;
}

/** @param sameness the same number for items that are the same */
export function pairItems(v1: readonly unknown[], v2: readonly unknown[], sameness: (item: unknown) => number): Paired {
  const itemOf = (value: unknown): Item => ({ value, same: sameness(value), id: idOf(value) });
  const [first, second] = [v1.map(itemOf), v2.map(itemOf)];
  pairInPlace(first, second);
  pairBy(first, second, ({ same }) => `same ${same}`);
  const byId = pairBy(first, second, ({ id }) => id);
  // Where some ids are found again, those that are not are of other items; where none is, they may be new in every answer.
  const idsTell = first.some(({ found, id }) => found !== undefined && id !== undefined);
  const isStranger = ({ found, id }: Item): boolean => found === undefined && id !== undefined && idsTell;
  const isLeft = (item: Item): boolean => item.found === undefined && !isStranger(item);
  const [left, right] = [first.filter(isLeft), second.filter(isLeft)];
  return {
    pairs: [...byId, ...left.slice(0, right.length).map(({ value }, index) => [value, right[index]?.value] as const)],
    missing: [...first.filter(isStranger), ...left.slice(right.length)].map(({ value }) => value),
    added: [...second.filter(isStranger), ...right.slice(left.length)].map(({ value }) => value),
    isInOrder: isSameOrder(first, second),
  };
}

/** What is the same at the same place, counted from the end too: of items that are there twice, the right ones are found. */
function pairInPlace(first: readonly Item[], second: readonly Item[]): void {
  const pairAt = (item: Item | undefined, other: Item | undefined): boolean => {
    if (item === undefined || other === undefined || item.same !== other.same) return false;
    item.found ??= other.found ??= `same ${item.same}`;
    return true;
  };
  if (first.length === second.length) {
    for (const [index, item] of first.entries()) pairAt(item, second[index]);
    return;
  }
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && pairAt(first[start], second[start])) start++;
  let end = 1;
  while (end <= shorter - start && pairAt(first.at(-end), second.at(-end))) end++;
}

/** Pairs what has the same key and no partner yet, the first with the first. */
function pairBy(
  first: readonly Item[],
  second: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): (readonly [unknown, unknown])[] {
  const waiting = new Map<string, Item[]>();
  for (const item of second.toReversed()) {
    const key = keyOf(item);
    if (item.found !== undefined || key === undefined) continue;
    const items = waiting.get(key);
    if (items === undefined) waiting.set(key, [item]);
    else items.push(item);
  }
  return first.flatMap((item) => {
    const key = keyOf(item);
    const other = item.found === undefined && key !== undefined ? waiting.get(key)?.pop() : undefined;
    if (other === undefined) return [];
    item.found = other.found = key;
    return [[item.value, other.value] as const];
  });
}

function isSameOrder(first: readonly Item[], second: readonly Item[]): boolean {
  const [order, otherOrder] = [first, second].map((items) => items.flatMap(({ found }) => found ?? []));
  return order?.every((found, index) => found === otherOrder?.[index]) ?? true;
}

const identifying = ['id', 'messageId', 'uuid', 'key'];

/** What tells an item of a list from others: a text or number, the same however it is written. */
function idOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const name = identifying.find((name) => Object.hasOwn(value, name));
  const id = name === undefined ? undefined : value[name];
  if (typeof id === 'string') return `${name} ${id}`;
  return isNumber(id) ? `${name} ${writtenAs(id)}` : undefined;
}
