/** The parts of the evaluator as they know each other: evaluate.ts puts them together. */
import type { ClientRule, Run } from './libraries/client-rule.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import type { Answer, Budget, Place } from './budget.ts';
import type { SourceModule } from './module.ts';
import type { Frame } from './calls/frame.ts';
import type { FunctionValue, Value } from './values/values.ts';
import type { World } from './program.ts';

/** Where an expression is looked at: its file, and the call that is being followed. */
export interface At {
  readonly module: SourceModule;
  readonly frame: Frame | undefined;
}

export interface Evaluation {
  readonly world: World;
  readonly rules: readonly ClientRule[];
  readonly budget: Budget;
  /** What an expression can be. */
  evaluate(node: Node, at: At): Value;
  /**
   * What is found out about something else than a node, remembered by a key of its own; what hangs on itself is its least fixpoint.
   * @param frame what it hangs on, beside what `key` stands for
   */
  remember(key: object, subject: Place, frame: Frame | undefined, find: () => Value): Value;
  /**
   * Asks what is found out once for all who may ask for it: whoever was first pays nothing of it, and is not cut where it is.
   * @param limit the steps that it may take
   */
  aside<T>(place: Place, ask: () => T, limit: number): Answer<T>;
  /** Whether that is known for good: nothing that it hangs on is still being found out, and it was not cut. */
  isResolved(node: Node, at: Pick<At, 'frame'>): boolean;
  /** Whether nothing is being found out: what is asked now is known for good, unless it is cut. */
  readonly isIdle: boolean;
  /** What a property of a value can be; `node` is the place that reads it. */
  member(value: Value, name: string, node: Node, at: At): Value;
  /** What a function of the project returns for arguments. */
  apply(fn: FunctionValue, args: readonly Value[], call: CallNode, at: At): Value;
  /** What the rules make of a call of something with these arguments; undefined where none knows it. */
  ask(callee: Value, args: readonly Value[], call: CallNode, at: At): Value | undefined;
  /** What a call of something makes its library run. */
  runs(callee: Value, call: CallNode, at: At): readonly Run[];
  /** The arguments of a call, spreads of known lists laid out; what is not known stands once for its list. */
  args(call: CallNode, at: At): readonly Value[];
  /** What a declared name stands for. */
  binding(binding: Binding, at: At): Value;
  /** What a file exports under a name. */
  exported(module: SourceModule, name: string, seen?: Set<SourceModule>): Value | undefined;
}
