/** What is found out of an instance once is known of it from then on, however often and wherever it is met. */
import type { ClassNode } from '../syntax/tree.ts';
import type { Evaluation } from './evaluation.ts';
import type { ClassValue, Frame, InstanceValue, Value } from './values.ts';

/** 'asked' while it is being found out, as what hangs on itself asks again; undefined where there is none. */
type Remembered = Map<string, Value | 'asked' | undefined>;

/** One instance, or a class itself: the same class with the same arguments, in the same frame, for the same heir. */
export interface Identity {
  /** In which its members are evaluated. */
  readonly frame: Frame;
  /** In which its constructor is. */
  made?: Frame;
  readonly fields: Remembered;
  readonly inherited: Remembered;
  readonly subclasses: Remembered;
  readonly heirs: Map<Identity, Identity>;
}

type ByArguments = WeakMap<object, Identity>;
const known = new WeakMap<Evaluation, WeakMap<ClassNode, WeakMap<object, ByArguments>>>();

/** In place of arguments, where nobody was seen to make it, or nobody can. */
const unmade = {};
const itself = {};
/** In place of a frame. */
const nowhere = {};

/** @param self whose member is asked for, where the class is only inherited by that */
export function identityOf(ev: Evaluation, value: InstanceValue | ClassValue, self: Value): Identity {
  const of = value.type === 'class' ? value : value.of;
  const byClass = entry(known, ev, () => new WeakMap<ClassNode, WeakMap<object, ByArguments>>());
  const byFrame = entry(byClass, of.node, () => new WeakMap<object, ByArguments>());
  const byArguments = entry(byFrame, of.frame ?? nowhere, (): ByArguments => new WeakMap());
  const own = entry(byArguments, value.type === 'class' ? itself : (value.args ?? unmade), () => identity(of, value));
  if (self === value || (self.type !== 'instance' && self.type !== 'class')) return own;
  const heir = identityOf(ev, self, self);
  return heir === own ? own : entry(own.heirs, heir, () => identity(of, self));
}

/** How somebody came by it is put to what is read of it, each time. */
function identity({ node, frame }: ClassValue, self: InstanceValue | ClassValue): Identity {
  return {
    frame: { owner: node, self: { ...self, trail: undefined }, outer: frame },
    fields: new Map(),
    inherited: new Map(),
    subclasses: new Map(),
    heirs: new Map(),
  };
}

interface Store<Key, Item> {
  get(key: Key): Item | undefined;
  set(key: Key, item: Item): unknown;
}

function entry<Key, Item>(store: Store<Key, Item>, key: Key, make: () => Item): Item {
  const before = store.get(key);
  if (before !== undefined) return before;
  const made = make();
  store.set(key, made);
  return made;
}

/** @returns 'asked' where it is asked for while it is being found out */
export function remembered(ev: Evaluation, values: Remembered, name: string, find: () => Value | undefined): Value | 'asked' | undefined {
  if (values.has(name)) return values.get(name);
  const cutsBefore = ev.budget.cuts;
  let isWhole = false;
  values.set(name, 'asked');
  try {
    const value = find();
    isWhole = ev.budget.cuts === cutsBefore;
    if (isWhole) values.set(name, value);
    return value;
  } finally {
    // What came to no end here may do so for a question that begins nearer.
    if (!isWhole) values.delete(name);
  }
}
