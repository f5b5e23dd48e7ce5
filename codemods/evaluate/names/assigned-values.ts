/** What a name holds once something is assigned to it. */
import { isWithin } from '../../syntax/link.ts';
import type { AssignNode, FunctionNode, Node, ParamNode, PatternProperty } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import type { Assignment, Assignments } from './assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { asAssigned } from '../writes/external-writes.ts';
import { isLeftToDefault } from '../language/or-default.ts';
import { nodesOf } from '../values/provenance.ts';
import { isSame } from '../values/same.ts';
import { isSetIfGiven } from '../settings/set-if-given.ts';
import type { SourceText } from '../values/source-text.ts';
import type { Frame } from '../calls/frame.ts';
import { choiceOf, optionsOf, type Part, partsOf, unknown, type Value } from '../values/values.ts';

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
  const before = leftOpenIn(held);
  const isOf = (fn: FunctionNode): boolean => !declaredIn.has(fn);
  const values = all.flatMap(({ node, isInOrder }) => assignedValue(ev, node, at, { before, declaredIn }, isInOrder ? undefined : isOf));
  return otherwise !== undefined && all.length === 0 ? otherwise : choiceOf([held, ...values]);
}

/** What is not known of a value and stays as it is where the same is put back. Of a parameter it is found out once a caller is chosen, or none is seen. */
export const leftOpenIn = (held: Value): readonly Value[] =>
  optionsOf(held).filter((each) => each.type === 'param' || isLeftToDefault(each));

/**
 * Which part of a value a pattern takes is not followed.
 * @param before what is not known of what was held: `base = base.trim()` and `options = options || {}` leave that as it is
 * @param isOf the functions that assign what their callers give, whoever reads it: `function init(url) { base = url; }`
 */
function assignedValue(
  ev: Evaluation,
  node: AssignNode,
  at: At,
  { before, declaredIn }: Pick<Assignments, 'declaredIn'> & { readonly before: readonly Value[] },
  isOf: ((fn: FunctionNode) => boolean) | undefined,
): Value[] {
  const { target, value } = node;
  if (target.kind !== 'name') return [unknown(value, at.module, 'assigned')];
  const find = (frame: Frame | undefined): Value => ev.evaluate(value, { module: at.module, frame });
  const found = isOf === undefined ? find(at.frame) : forAllCallers(ev, at.frame, find, { isOf });
  const options = optionsOf(found);
  if (isOf !== undefined && isSetIfGiven(ev, node, at.module)) return [...options];
  const isLeft = (option: Value): boolean => before.some((each) => isSame(each, option)) || hasDefaultBeside(option, options, declaredIn);
  return options.map((option) => (isLeft(option) ? option : asAssigned(option)));
}

/**
 * `` next = `${base}/v1/contacts?page=2` `` in `({ base = 'https://…' }) => …`: what is put there is what the parameter has, and its own default is among
 * what that may be.
 * @param around where the name is declared: what a function puts into a name from outside of it, it may be called for again
 */
function hasDefaultBeside(option: Value, options: readonly Value[], around: ReadonlySet<Node>): boolean {
  const [first] = partsOf(option);
  if (first === undefined || !('unknownPart' in first)) return false;
  const otherwise = defaultOf(first.unknownPart, around);
  return otherwise !== undefined && options.some((other) => comesFrom(partsOf(other)[0], otherwise));
}

interface Default {
  readonly node: Node;
  readonly module: SourceText;
}

/** The default that stands in the function's head for what nobody is seen to give. */
function defaultOf(given: Value, around: ReadonlySet<Node>): Default | undefined {
  const [of, path] = given.type === 'method' ? [given.receiver, given.path] : [given, []];
  if (!isLeftToDefault(given) || of.type !== 'unknown' || of.node?.kind !== 'param' || of.module === undefined) return undefined;
  if (of.node.parent === undefined || !around.has(of.node.parent)) return undefined;
  let at: Pick<ParamNode | PatternProperty, 'target' | 'default'> | undefined = of.node;
  for (const name of path) at = at?.target.kind === 'objectPattern' ? at.target.properties.find((each) => each.name === name) : undefined;
  return at?.default === undefined ? undefined : { node: at.default, module: of.module };
}

function comesFrom(part: Part | undefined, { node, module }: Default): boolean {
  if (part === undefined || 'unknownPart' in part) return false;
  const places = [...nodesOf(part.provenance), ...(part.source === undefined ? [] : [part.source])];
  return places.some((place) => place.module === module && isWithin(node, place.node));
}
