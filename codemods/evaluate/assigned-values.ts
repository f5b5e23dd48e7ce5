/** What a name holds once something is assigned to it. */
import type { AssignNode, FunctionNode } from '../syntax/tree.ts';
import { forAllCallers } from './all-callers.ts';
import type { Assignment, Assignments } from './assignments.ts';
import type { At, Evaluation } from './evaluation.ts';
import { asAssigned } from './external-writes.ts';
import { isLeftToDefault } from './operators.ts';
import { isSame } from './same.ts';
import { choiceOf, type Frame, optionsOf, unknown, type Value } from './values.ts';

/**
 * What a name holds after assignments: what it held before, or what any of them puts in its place.
 * @param otherwise what it is if none puts something in its place
 */
export function assigned(
  ev: Evaluation,
  held: Value,
  at: At,
  { declaredIn }: Assignments,
  all: readonly Assignment[],
  otherwise: Value | undefined,
): Value {
  const before = optionsOf(held).filter(isLeftToDefault);
  const isOf = (fn: FunctionNode): boolean => !declaredIn.has(fn);
  const values = all.flatMap(({ node, isInOrder }) => assignedValue(ev, node, at, before, isInOrder ? undefined : isOf));
  return otherwise !== undefined && all.length === 0 ? otherwise : choiceOf([held, ...values]);
}

/**
 * Which part of a value a pattern takes is not followed.
 * @param before what is not known of what was held: `base = base.trim()` leaves that as it is
 * @param isOf the functions that assign what their callers give, whoever reads it: `function init(url) { base = url; }`
 */
function assignedValue(
  ev: Evaluation,
  { target, value }: AssignNode,
  at: At,
  before: readonly Value[],
  isOf: ((fn: FunctionNode) => boolean) | undefined,
): Value[] {
  if (target.kind !== 'name') return [unknown(value, at.module, 'assigned')];
  const find = (frame: Frame | undefined): Value => ev.evaluate(value, { module: at.module, frame });
  const found = isOf === undefined ? find(at.frame) : forAllCallers(ev, at.frame, find, { isOf });
  return optionsOf(found).map((option) => (before.some((each) => isSame(each, option)) ? option : asAssigned(option)));
}
