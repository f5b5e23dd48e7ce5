/** What is written into the fields of instances by code that the syntax alone does not tell what it writes to: `set(client)`, `(a ?? b).base = …`. */
import { walk } from '../../syntax/link.ts';
import type { CallNode, ClassNode, Node } from '../../syntax/tree.ts';
import { membersIn } from '../classes/class-index.ts';
import { classAround, functionsOf } from '../calls/callees.ts';
import type { Evaluation } from '../evaluation.ts';
import { asAssigned } from './external-writes.ts';
import type { Names } from '../names/found-names.ts';
import { isKnown, looseWritesIn } from './loose-writes.ts';
import type { Named } from '../names/named.ts';
import { namesOf } from '../names/other-names.ts';
import { type ClassValue, optionsOf, unknown, type Value } from '../values/values.ts';

interface Known {
  /** What makes instances of a class, and what names them in it as a whole. */
  readonly places: ReadonlyMap<ClassNode, readonly Named[]>;
  readonly names: Map<ClassNode, Names>;
}

const known = new WeakMap<Evaluation, Known>();

/** Steps to find out which class a call makes an instance of. */
const maxSteps = 500;

/** What a field may hold by such writes. */
export function writtenLoosely(ev: Evaluation, { node: of }: ClassValue, name: string): Value[] {
  if (!looseWritesIn(ev.world).names.has(name)) return [];
  const { places, names } = known.get(ev) ?? { places: placesIn(ev), names: new Map<ClassNode, Names>() };
  known.set(ev, { places, names });
  const { cuts } = ev.budget;
  const first = places.get(of) ?? [];
  const { all, isCut, lost } = names.get(of) ?? namesOf(ev, first);
  // Others may have steps for what whoever asks now was cut in.
  if (ev.budget.cuts === cuts) names.set(of, { all, isCut, lost, lostWithin: undefined });
  ev.budget.charge(all.length);
  const values = all.flatMap(({ node, at, isCopy }): Value[] => {
    const { parent: member } = node;
    if (isCopy === true || member?.kind !== 'member' || member.object !== node || member.property !== name) return [];
    const write = member.parent;
    if (write?.kind !== 'assign' || write.target !== member || isKnown(member.object, at.module, ev.world)) return [];
    return optionsOf(ev.evaluate(write.value, at)).map(asAssigned);
  });
  const place = lost ?? (isCut ? first[0] : undefined);
  return place === undefined ? values : [...values, unknown(place.node, place.at.module, 'assigned')];
}

function placesIn(ev: Evaluation): Known['places'] {
  const places = new Map<ClassNode, Named[]>();
  const add = (of: ClassNode | undefined, node: Node, at: Named['at']): void => {
    if (of === undefined) return;
    const all = places.get(of);
    if (all === undefined) places.set(of, [{ node, at, isOwn: false }]);
    else all.push({ node, at, isOwn: false });
  };
  for (const module of ev.world.modules.values()) {
    const at = { module, frame: undefined };
    for (const call of module.calls) if (call.isNew) for (const of of made(ev, call, at)) add(of, call, at);
    for (const of of module.classes)
      for (const member of membersIn(of, module))
        walk(member, (node) => {
          if (node.kind === 'this' && node.parent?.kind !== 'member' && classAround(node) === of) add(of, node, at);
        });
  }
  return places;
}

/** Found out once for all classes, in steps that are nobody's: who asked first would come to a part of them only. */
const made = (ev: Evaluation, call: CallNode, at: Named['at']): readonly ClassNode[] =>
  ev.aside({ node: call, module: at.module }, () => lineOf(ev, call.callee, at), maxSteps).value;

/** The class that an expression names, and those that it inherits from. */
function lineOf(ev: Evaluation, named: Parameters<typeof functionsOf>[1], from: Named['at']): readonly ClassNode[] {
  const line: ClassNode[] = [];
  for (let [next, at] = [named, from] as const; ;) {
    const found = functionsOf(ev, next, at).find(({ node }) => node.kind === 'class');
    if (found?.node.kind !== 'class' || line.includes(found.node)) return line;
    line.push(found.node);
    if (found.node.superclass === undefined) return line;
    [next, at] = [found.node.superclass, { module: found.module, frame: undefined }];
  }
}
