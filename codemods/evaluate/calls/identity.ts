/** What is found out of an instance once is known of it from then on, however often and wherever it is met. */
import type { ClassNode } from '../../syntax/tree.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Frame } from './frame.ts';
import type { ClassValue, InstanceValue, Value } from '../values/values.ts';

/** One instance, or a class itself: the same class with the same arguments, in the same frame, for the same heir. */
export interface Identity {
  /** In which its members are evaluated. */
  readonly frame: Frame;
  /** In which its constructor is. */
  made?: Frame;
  /** By what is asked about it, under which the evaluation remembers the answers. */
  readonly questions: Map<string, object>;
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
    frame: { owner: node, self: { ...self, provenance: undefined }, outer: frame },
    questions: new Map(),
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

/** Stands for an answer that there is none. */
const none: Value = { type: 'literal', value: undefined };

/**
 * What is found out of an instance once.
 * @param question a word for it, and the member that it is about
 */
export function remembered(
  ev: Evaluation,
  known: Identity,
  of: ClassValue,
  question: string,
  find: () => Value | undefined,
): Value | undefined {
  const key = entry(known.questions, question, () => ({}));
  const found = ev.remember(key, of, known.frame, () => find() ?? none);
  return found === none ? undefined : found;
}
