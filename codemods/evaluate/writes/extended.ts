/** Objects with what is put into them, wherever that stands. */
import type { Evaluation } from '../evaluation.ts';
import { isSameWay } from '../values/provenance.ts';
import { isSameEntry } from '../values/same.ts';
import { type Contents, Shape } from '../values/shape.ts';
import type { SourceText } from '../values/source-text.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, unknown, type Value } from '../values/values.ts';
import { asAssigned } from './external-writes.ts';
import { withGrowth } from './grown-texts.ts';

export function extended(ev: Evaluation, value: Value, additions: readonly Contents[]): Value {
  const added = additions.filter(({ entries, unknown }) => entries.length + unknown.length > 0);
  if (added.length === 0) return value;
  const open = added.flatMap(({ unknown }) => unknown);
  return choiceOf(
    optionsOf(value).map((option) => {
      if (option.type !== 'object') return option;
      if (ev.budget.isExhausted) return cutAt(ev, option);
      const before = extensions.get(option);
      if (before !== undefined && isSameList(before.added, added, isSameContents)) return before.whole;
      const { keeps } = option;
      const shape = new Shape(option.node);
      for (const each of option.unknown) shape.open(each);
      shape.write(option.entries);
      if (keeps === undefined) for (const each of open) shape.open(each, asAssigned(each));
      for (const { entries } of added) shape.copy(keeps === undefined ? entries : entries.flatMap((entry) => setByProgram(ev, entry)));
      ev.budget.charge(shape.size);
      const whole = { ...option, ...withGrowth(shape.end()) };
      if (keeps === undefined) extensions.set(option, { added, whole });
      return whole;
    }),
  );
}

/** What an object was with what was put into it: of a name with a hundred alternatives each is asked for with each that comes to them. */
const extensions = new WeakMap<ObjectValue, { readonly added: readonly Contents[]; readonly whole: ObjectValue }>();

const isSameContents = (a: Contents, b: Contents | undefined): boolean =>
  b !== undefined && isSameList(a.entries, b.entries, isSamePut) && isSameList(a.unknown, b.unknown, Object.is);

const isSamePut = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && isSameEntry(a, b) && a.grown === b.grown && a.hiddenBy === b.hiddenBy && isSameWay(a.provenance, b.provenance);

const isSameList = <Item>(some: readonly Item[], others: readonly Item[], isSame: (a: Item, b: Item | undefined) => boolean): boolean =>
  some.length === others.length && some.every((each, index) => isSame(each, others[index]));

/** What people set is kept for them, and says nothing more than that it is. */
function setByProgram(ev: Evaluation, entry: Entry): Entry[] {
  const known = optionsOf(entry.value()).filter((each) => offersHosts(entry.module) || !isOfPeople(ev, each));
  return known.length === 0 ? [] : [{ ...entry, value: () => choiceOf(known) }];
}

/** Where a file names several hosts, people may choose another service's: `set('url', servers.get(name))`. */
function offersHosts(module: SourceText): boolean {
  const offers = several.get(module) ?? new Set(module.text.match(/(?<=['"`]https?:\/\/)[\w.:-]+/g)).size > 1;
  several.set(module, offers);
  return offers;
}

const several = new WeakMap<SourceText, boolean>();

/** What is not known, or what a package gives to those who listen: `ipcMain.handle('save', (event, url) => …)`. */
function isOfPeople(ev: Evaluation, value: Value): boolean {
  if (value.type !== 'param') return value.type === 'unknown';
  const { owner, module } = value;
  const { parent } = owner;
  return parent?.kind === 'call' && parent.callee !== owner && ev.evaluate(parent.callee, { module, frame: undefined }).type === 'external';
}

function cutAt(ev: Evaluation, { node, module }: ObjectValue): Value {
  ev.budget.cut();
  return unknown(node, module, 'too many');
}
