/** What generators get from those who run them: `iterator.next(value)` gives it to the `yield` that waits. */
import { functionsOf } from '../../../evaluate/calls/callees.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript } from '../../../evaluate/module.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';

/** @returns the places in generators of the project that may get what a call is given */
export function yieldsGiven(ev: Evaluation, { callee }: CallNode, { module }: Pick<Place, 'module'>): readonly Place[] {
  if (callee.kind !== 'member') return [];
  return optionsOf(ev.evaluate(callee.object, { module, frame: undefined })).flatMap((value) => {
    const made = value.type === 'unknown' && value.node?.kind === 'call' ? value.node : undefined;
    const { module: of } = value.type === 'unknown' ? value : { module: undefined };
    if (made === undefined || of === undefined || !isScript(of)) return [];
    return functionsOf(ev, made.callee, { module: of, frame: undefined }).flatMap((fn) => {
      const found: Place[] = [];
      walk(fn.node, (each) => {
        if (each.kind === 'other' && each.what === 'YieldExpression') found.push({ node: each, module: fn.module });
      });
      return found;
    });
  });
}

/** `yield* settings`: where a library runs the generator, it says what that gives. */
export const isYielded = ({ parent }: Node): boolean => parent?.kind === 'other' && parent.what === 'YieldExpression';
