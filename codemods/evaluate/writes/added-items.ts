/** What is added to a list: `tools.push(tool)`, `hosts.add(host)`, by whoever calls the functions that do so. */
import { isWithin } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { classAround } from '../calls/callees.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { Frame } from '../calls/frame.ts';
import { isOfKnown } from '../language/listings.ts';
import { isUngiven } from '../language/looked-up.ts';
import type { Named } from '../names/named.ts';
import { isMoved, isReordered, pushAt } from './targets.ts';
import { choiceOf, type ListValue, maxAlternatives, optionsOf, unknown, type Value } from '../values/values.ts';

/** `list.push(item)` by one of its names. */
export interface Push {
  readonly call: CallNode;
  readonly node: Node;
  readonly at: At;
}

/** Where something is added by names of a list. */
export const pushesAt = (names: readonly Named[]): readonly Push[] =>
  names.flatMap(({ node, at }) => {
    const call = pushAt(node);
    return call === undefined ? [] : [{ node, at, call }];
  });

/**
 * A list within something: of one that is reordered nothing is known, and what is added comes after what is there.
 * @param isClosed whether nobody else may add to it
 */
export function changedList(ev: Evaluation, value: Value, names: readonly Named[], isClosed: boolean): Value {
  const own = names.filter(({ isCopy }) => isCopy !== true);
  const reordered = own.find(({ node }) => isReordered(node) || (isMoved(node) && !isClosed))?.node;
  const pushes = pushesAt(own);
  const isMixed = own.some(({ node }) => isMoved(node));
  if (reordered === undefined && pushes.length === 0 && !isMixed) return value;
  return choiceOf(
    optionsOf(value).map((option) => {
      if (option.type !== 'list') return option;
      if (reordered !== undefined) return unknown(reordered, option.module, 'assigned');
      if (!isClosed) return { ...option, isOpen: true, placed: undefined };
      const longer = pushes.length === 0 ? option : withAdded(ev, option, pushes);
      return isMixed ? mixed(longer) : longer;
    }),
  );
}

/** A list whose items may stand anywhere, or be gone. */
export const mixed = (list: ListValue): ListValue => ({ ...list, isOpen: true, placed: isOfKnown(list) ? 0 : undefined });

/** A list with what is added to it, in whatever order and however often. */
export function withAdded(ev: Evaluation, list: ListValue, pushes: readonly Push[]): ListValue {
  const open: ListValue = { ...list, isOpen: true, placed: undefined };
  if (!isOfKnown(list)) return open;
  const added = pushes.flatMap(({ call, at, node }) => {
    const isOf = settersOf(node, at);
    const given = (arg: CallNode['args'][number], frame: Frame | undefined): Value =>
      ev.evaluate(arg.kind === 'spread' ? arg.argument : arg, { module: at.module, frame });
    return call.args.flatMap((arg) =>
      optionsOf(forAllCallers(ev, at.frame, (frame) => given(arg, frame), { isOf })).map((value) =>
        arg.kind === 'spread' ? (value.type === 'list' && isOfKnown(value) ? value.items : undefined) : [value],
      ),
    );
  });
  const items = added.flatMap((each) => each ?? []);
  if (added.includes(undefined) || items.some(isUngiven) || items.length > maxAlternatives) return open;
  ev.budget.charge(items.length);
  const { placed = list.items.length } = list;
  return { ...list, items: [...list.items, ...items], isOpen: true, placed };
}

/**
 * The functions that are run while something lasts: those that put what they are given into it, `function setup(url) { config.base = url; }`, and those that
 * call these. It is declared outside of them, or is their object's.
 */
export function settersOf(reference: Node, { module: { scopes } }: At): (fn: Node) => boolean {
  let root = reference;
  while (root.kind === 'member') root = root.object;
  if (root.kind === 'this') {
    const of = classAround(reference);
    return (fn) => of !== undefined && !isWithin(fn, of) && !(fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor');
  }
  const declared = root.kind === 'name' ? scopes.bindingOf(root)?.declaration : undefined;
  return (fn) => declared !== undefined && !isWithin(fn, declared);
}
