/**
 * A call of a function within the same calls is one frame, whoever asks: what is known in it is known again, and what hangs on itself there
 * is seen to.
 */
import type { CallNode, Node } from '../../syntax/tree.ts';
import { callerOf } from './callers.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { isCalling } from '../names/named.ts';
import type { Frame } from './frame.ts';

type Inner = Map<Node, Map<Frame['owner'], Frame>>;

const outermost = new WeakMap<Evaluation, Inner>();

/** @param call who calls; undefined for whoever is not seen to */
export function calledBy(
  ev: Evaluation,
  owner: Frame['owner'],
  call: { readonly node: CallNode; readonly module: SourceModule } | undefined,
  outer: Frame | undefined,
): Frame {
  const inner = innerOf(ev, outer);
  const byOwner = inner.get(call?.node ?? owner) ?? new Map<Frame['owner'], Frame>();
  inner.set(call?.node ?? owner, byOwner);
  const frame = byOwner.get(owner) ?? { owner, ...(call === undefined ? {} : { call: callerOf(call.node, call.module) }), outer };
  byOwner.set(owner, frame);
  return frame;
}

function innerOf(ev: Evaluation, outer: Frame | undefined): Inner {
  if (outer !== undefined) return (outer.inner ??= new Map());
  const known = outermost.get(ev) ?? new Map<Node, Map<Frame['owner'], Frame>>();
  outermost.set(ev, known);
  return known;
}

/** A call of a function, within the calls around both: what a function that another made was made with is known there, too. */
export const calledIn = (
  ev: Evaluation,
  { node, at }: { readonly node: CallNode; readonly at: At },
  owner: Frame['owner'],
  made: Frame | undefined,
): Frame => calledBy(ev, owner, { node, module: at.module }, framesAround(made, at.frame));

function framesAround(made: Frame | undefined, calling: Frame | undefined): Frame | undefined {
  if (made?.args === undefined || isCalling(calling, made.owner)) return calling;
  const outer = framesAround(made.outer, calling);
  if (outer === made.outer) return made;
  const { known: _, inner: __, ...own } = made;
  return { ...own, outer };
}
