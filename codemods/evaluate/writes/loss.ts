/** Objects that went a way which is not followed: whatever code cannot be told what it writes to may write to them. */
import { exact } from '../../syntax/lists.ts';
import type { Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { looseWritesIn } from './loose-writes.ts';
import type { Named } from '../names/named.ts';
import { choiceOf, type Entry, type Lazy, lazily, optionsOf, unknown, type Value } from '../values/values.ts';

/** Whether anything may be written into what went such a way. */
export function mayChange({ world }: Evaluation): boolean {
  const { names, isOpen, isList } = looseWritesIn(world);
  return names.size > 0 || isOpen || isList;
}

/**
 * An object whose way was lost at a place, with what is written into anything that it may be then.
 * @param isWithin whether only what it holds may be that
 */
export function afterLoss(ev: Evaluation, value: Value, place: Named | undefined, isWithin: boolean): Value {
  if (place === undefined || !mayChange(ev)) return value;
  const loose = looseWritesIn(ev.world);
  const { node, at } = place;
  const open = writtenFrom(node, at);
  return choiceOf(
    optionsOf(value).map((option) => {
      if (option.type === 'list' && loose.isList && !isWithin) return open;
      if (option.type !== 'object') return option;
      ev.budget.charge(option.entries.length);
      const entries = option.entries.map((entry): Entry => {
        const value = lostValue(ev, entry.value, place);
        const isWritten = !isWithin && (loose.isOpen || (entry.name !== undefined && loose.names.has(entry.name)));
        return isWritten ? { ...entry, value, isShared: true, hiddenBy: hiddenBy(entry, open) } : { ...entry, value };
      });
      if (isWithin) return { ...option, entries };
      const own = new Set(option.entries.map(({ name }) => name));
      const others = [...loose.names].filter((name) => !own.has(name));
      const isOpen = loose.isOpen || others.length > maxLoose;
      const added = isOpen ? [] : others.map((name) => ({ ...bare(name, node, open, at), value: lazily(exact([node]), () => open) }));
      return { ...option, entries: [...entries, ...added], unknown: isOpen ? [...option.unknown, open] : option.unknown };
    }),
  );
}

const opened = new WeakMap<Node, Value>();

/** What may be written into what is lost at a place: one value, however often it is. */
function writtenFrom(node: Node, { module }: At): Value {
  const open = opened.get(node) ?? unknown(node, module, 'assigned');
  opened.set(node, open);
  return open;
}

const hiddenBy = ({ hiddenBy: before = [] }: Entry, open: Value): readonly Value[] =>
  before.includes(open) ? before : exact([...before, open]);

interface Lost {
  readonly place: Named;
  readonly value: Lazy;
}

/**
 * The same entry of copies of an object, lost at the same place, is one, and what was lost there already is no other when it comes back: else they would
 * stay apart wherever they are joined.
 */
const lostValues = new WeakMap<Lazy, Lost[]>();

function lostValue(ev: Evaluation, given: Lazy, place: Named): Lazy {
  const { node, at } = place;
  if (given.by?.includes(node) === true) return given;
  const known = lostValues.get(given) ?? [];
  lostValues.set(given, known);
  const before = known.find((each) => each.place.node === node && each.place.at.frame === at.frame);
  if (before !== undefined) return before.value;
  const deeper = (): Value => ev.remember(deeper, { node, module: at.module }, at.frame, () => afterLoss(ev, given(), place, false));
  const value = given.by === undefined ? deeper : lazily(exact([...given.by, node]), deeper);
  known.push({ place, value });
  return value;
}

/** Of more names than these none is told that it has not. */
const maxLoose = 64;

/** An entry that stands in no place that could be edited. */
export function bare(name: string | undefined, node: Node, value: Value, { module }: At): Entry {
  return { name, key: undefined, node, module, valueNode: undefined, value: () => value, isShared: true };
}

/** What takes away what has the name. */
export const gone = (name: string | undefined, node: Node, at: At): Entry => ({
  ...bare(name, node, { type: 'literal', value: undefined }, at),
  isGone: true,
});
