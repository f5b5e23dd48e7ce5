/** The calls that are being followed, and what each gives. */
import type { CallNode, ClassNode, Expression, FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import type { Again, Caller } from './callers.ts';
import type { Answers } from '../fixpoint.ts';
import type { SourceModule } from '../module.ts';
import type { Provenance } from '../values/provenance.ts';
import type { Value } from '../values/values.ts';

/** Arguments bound to a function, or an instance to a class, while one call is followed. */
export interface Frame {
  readonly owner: FunctionNode | ClassNode;
  /** Arguments by the call that is being followed, found out as they are asked for … */
  readonly args?: Arguments;
  readonly by?: CallNode;
  /** … in which call. A method stands in its instance, and in none of the calls that are on the way to it. */
  readonly from?: Frame | undefined;
  /** How that came by the function. */
  readonly callee?: Provenance;
  /** … or the call that gives them, evaluated in the frames around this one. */
  readonly call?: Caller;
  /** Calls by which it comes back to itself: its parameters may be what these give, too. */
  readonly again?: readonly Again[];
  readonly self?: Value;
  readonly outer: Frame | undefined;
  /** What is known within it and the frames of calls in it, for as long as it is followed; the evaluation's own. In a weak map it would cost every collection. */
  known?: Answers;
  inner?: Map<Node, Map<Frame['owner'], Frame>>;
}

/** What a call gives. */
export interface Arguments {
  all(): readonly Value[];
  /** For a parameter, and behind it for others. */
  from(param: ParamNode, index: number): readonly Value[];
  /** What stands in the call for the parameter of an index, where one expression does. */
  at(index: number): { readonly node: Expression; readonly module: SourceModule; readonly frame: Frame | undefined } | undefined;
}

/** The frame of a function in the calls that are being followed. */
export function frameOf(owner: Node, frame: Frame | undefined): Frame | undefined {
  for (let at = frame; at !== undefined; at = at.outer) if (at.owner === owner) return at;
  return undefined;
}
