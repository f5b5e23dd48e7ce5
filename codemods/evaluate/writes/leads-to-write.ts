/** Whether something may be written into what a place names: at the place, by another name of it, or into what is read there. */
import { isPattern } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Names } from '../names/found-names.ts';
import { innerOf } from '../names/inner-names.ts';
import { mayChange } from './loss.ts';
import { isUsed, type Named } from '../names/named.ts';
import { namesOf } from '../names/other-names.ts';
import { isChanging, isMoved, isReordered, isTarget, pushAt } from './targets.ts';

interface Leading {
  readonly known: WeakMap<Node, boolean>;
  readonly asked: Set<Node>;
  /** How often something was asked about within itself. */
  rounds: number;
}

const leadings = new WeakMap<Evaluation, Leading>();

/** Whether something may be written at a place, by another name of what it names, or into what is read there. */
export function leadsToWrite(ev: Evaluation, { node, at }: Named): boolean {
  if (!isPattern(node) && !isUsed(node)) return false;
  const leading = leadings.get(ev) ?? { known: new WeakMap(), asked: new Set(), rounds: 0 };
  leadings.set(ev, leading);
  const before = leading.known.get(node);
  if (before !== undefined) return before;
  if (leading.asked.has(node)) {
    leading.rounds++;
    return false;
  }
  const { rounds } = leading;
  leading.asked.add(node);
  const names = namesOf(ev, [{ node, at, isOwn: false }], mayBeChangedAt);
  const leads = mayWrite(ev, names);
  leading.asked.delete(node);
  // What came back to what is still being asked is not known for good.
  const isFinal = leading.rounds === rounds || leading.asked.size === 0;
  if (leads || isFinal) leading.known.set(node, leads);
  // From where all these lead, none of them leads further.
  if (!leads && isFinal) for (const each of names.all) if (each.isCopy !== true) leading.known.set(each.node, false);
  return leads;
}

const mayWrite = (ev: Evaluation, { all, isCut, lost, lostWithin }: Names): boolean =>
  isCut ||
  ((lost ?? lostWithin) !== undefined && mayChange(ev)) ||
  all.some(mayBeChangedAt) ||
  all.some(({ node, at }) =>
    innerOf(ev, node, at).some(({ places }) => places.some((place) => leadsToWrite(ev, { ...place, isOwn: false }))),
  );

export const mayBeWrittenAt = ({ node, isCopy }: Named): boolean => isCopy !== true && isWrittenAt(node);
const mayBeChangedAt = (named: Named): boolean =>
  mayBeWrittenAt(named) || (named.isCopy !== true && (isReordered(named.node) || isMoved(named.node) || pushAt(named.node) !== undefined));

const writingMethods = new Set(['set', 'append', 'delete']);

/** `Object.assign(…)`, `Reflect.set(…)` and the like. */
const isWritingInto = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.object.kind === 'name' && /^(?:Object|Reflect)$/.test(callee.object.name);

/** Whether something may be written into an object at a place that names it. */
function isWrittenAt(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind === 'call') return parent.args[0] === reference && isWritingInto(parent);
  if (parent?.kind !== 'member' || parent.object !== reference) return false;
  const around = parent.parent;
  if (around?.kind === 'call') return around.callee === parent && writingMethods.has(parent.property ?? '');
  return around !== undefined && (isTarget(parent, around) || (around.kind === 'unary' && isChanging(around)));
}
