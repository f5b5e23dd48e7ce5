/** Objects and lists that hold another: each is looked into once. */
import { isPattern } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Names } from '../names/found-names.ts';
import { type Inner, innerOf } from '../names/inner-names.ts';
import { isUsed, type Named } from '../names/named.ts';

/** An object or list that holds it: where it gives what it holds, and whether that is all. */
export interface Holder extends Omit<Names, 'all'> {
  readonly inner: readonly Inner[];
  /** Whether no other was left out of it, as that was being looked into. */
  readonly isWhole: boolean;
}

/** What is looked into for one question. */
export interface Looked {
  /** Those that are being looked into have none yet: they may hold each other. */
  readonly holders: Map<Node, Holder | undefined>;
  /** How often one was left out for that. */
  circles: number;
  /** Functions that are being called, beyond which nobody looks. */
  readonly maxDepth: number;
  /** Whether it is asked for all calls of what is called there, and not for the one that is followed. */
  readonly isOfAnyCall: boolean;
}

export const lookedFrom = (maxDepth: number, isOfAnyCall: boolean): Looked => ({ holders: new Map(), circles: 0, maxDepth, isOfAnyCall });

/** Holders that were looked into to the end, from wherever: many questions come by the same ones. */
const known = new WeakMap<Evaluation, Map<Node, Holder>>();

export function knownIn(ev: Evaluation): Map<Node, Holder> {
  const found = known.get(ev) ?? new Map<Node, Holder>();
  known.set(ev, found);
  return found;
}

/** Where things that go by these names give what they hold. */
export const innerOfAll = (ev: Evaluation, names: readonly Named[]): readonly Inner[] =>
  names.flatMap(({ node, at }) =>
    innerOf(ev, node, at).map(({ property, places }): Inner => {
      return { property, places: places.filter((place) => isPattern(place.node) || isUsed(place.node)) };
    }),
  );
