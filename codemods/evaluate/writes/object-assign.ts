/** `Object.assign({}, a, b)` and what does the same, or goes into what both hold: `merge({}, a, b)`. */
import { exact } from '../../syntax/lists.ts';
import type { Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { Shape } from '../values/shape.ts';
import { choiceOf, type Entry, type Lazy, lazily, type ObjectValue, optionsOf, unknown, type Value } from '../values/values.ts';

export function merged(args: readonly Value[], node: Node, { module }: At): ObjectValue {
  const shape = new Shape();
  for (const arg of args) shape.spread(arg);
  return { type: 'object', node, module, ...shape.end() };
}

/** @param args what counts comes last */
export function mergedDeep(ev: Evaluation, args: readonly Value[], node: Node, at: At): ObjectValue {
  const whole = merged(args, node, at);
  ev.budget.charge(whole.entries.length);
  const byName = Map.groupBy(whole.entries, ({ name }) => name);
  const values = new Map([...byName].map(([name, alike]) => [name, joined(ev, alike, node, at)]));
  const isJoined = ({ name }: Entry): boolean => name !== undefined && (byName.get(name)?.length ?? 0) > 1;
  const entries = whole.entries.map((entry) => (isJoined(entry) ? { ...entry, value: values.get(entry.name) ?? entry.value } : entry));
  return { ...whole, entries };
}

/** What two or more put under one name: of objects what all of them hold. */
function joined(ev: Evaluation, alike: readonly Entry[], node: Node, at: At): Lazy {
  const value = (): Value => ev.remember(value, { node, module: at.module }, at.frame, () => joinedNow(ev, alike, node, at));
  const by = alike.map((entry) => entry.value.by);
  return by.includes(undefined) ? value : lazily(exact([node, at.frame, ...by.flatMap((each) => each ?? [])]), value);
}

function joinedNow(ev: Evaluation, alike: readonly Entry[], node: Node, at: At): Value {
  const options = alike.flatMap((entry) => optionsOf(entry.value()));
  const objects = options.filter((option) => option.type === 'object');
  const [first] = objects;
  // Items of a list may be put behind those of another, or in their place.
  const others = options.flatMap((each) => (each.type === 'object' ? [] : each.type === 'list' ? unknown(node, at.module) : each));
  // It goes by the object that comes first: what the others hold never counts as written before its own.
  return choiceOf(first === undefined || objects.length < 2 ? options : [...others, mergedDeep(ev, objects, first.node, at)]);
}
