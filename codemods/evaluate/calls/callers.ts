/** Who calls a function, from outside and from within. */
import type { CallNode, Node, ParamNode } from '../../syntax/tree.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Arguments, Frame } from './frame.ts';
import { unknown, type Value } from '../values/values.ts';

/** A place that calls a function of the project. */
export interface Caller {
  readonly node: CallNode;
  readonly module: SourceModule;
  /** The function is a parameter at this place: which one it is, its callers decide. */
  readonly isPassed?: boolean;
  /** It gives what stands in the call, each parameter in its place. */
  readonly isPlain?: boolean;
  /** All that it stands for, where those who call are not told apart. */
  readonly all?: readonly Caller[];
  args(ev: Evaluation, frame: Frame | undefined): readonly Value[];
  /** What is called, where that is not what the call names: a library calls what it was given. */
  called?(ev: Evaluation, frame: Frame | undefined): readonly Value[];
}

export const allOf = (caller: Caller): readonly Caller[] => caller.all ?? [caller];

/** A call of a function from within itself, or from what it calls. */
export interface Again {
  readonly caller: Caller;
  /** Whether it hands on a parameter as it is, and so adds nothing to it. */
  keeps(param: ParamNode): boolean;
  /** The call that it stands in, where that is within a call of the function. */
  within(frame: Frame): Frame;
}

/** What a list gives where it is laid out in a call. One that is not known stands for as many as are asked for. */
export function laidOut(list: Value | undefined, node: Node, module: SourceModule): readonly Value[] {
  if (list?.type === 'list' && !list.isOpen) return list.items;
  // Nobody is seen to call with it, and so to give any.
  if (list?.type === 'unknown' && list.why === 'call' && list.node?.kind === 'param') return [unknown(node, module)];
  return [{ ...(list?.type === 'param' ? list : unknown(node, module)), isLaidOut: true }];
}

/** In a place of its own it stands for one alone. */
export const asOne = (value: Value): Value => (value.isLaidOut === true ? { ...value, isLaidOut: undefined } : value);

/** What is given for a parameter and behind it: a list that nobody can read leaves none to its default. */
export function givenFrom(args: readonly Value[], index: number): readonly Value[] {
  const open = args.slice(0, index).find(({ isLaidOut }) => isLaidOut === true);
  return open === undefined ? args.slice(index) : [open, ...args.slice(index)];
}

/** Arguments that are known already. */
export const asArguments = (values: readonly Value[]): Arguments => ({
  all: () => values,
  from: (_, index) => givenFrom(values, index),
  at: () => undefined,
});

/** Those of a call, found out as they are asked for. */
export function argumentsOf(ev: Evaluation, caller: Caller, frame: Frame | undefined): Arguments {
  let all: readonly Value[] | undefined;
  return {
    all: () => (all ??= caller.args(ev, frame)),
    from: (param) => argumentsFrom(ev, caller, frame, param),
    at: (index) => {
      const given = caller.node.args[index];
      const isInPlace = given !== undefined && caller.node.args.slice(0, index + 1).every(({ kind }) => kind !== 'spread');
      return isInPlace && given.kind !== 'spread' ? { node: given, module: caller.module, frame } : undefined;
    },
  };
}

/** What a call gives for a parameter, and behind it for others. One argument is found out without the others, as these may hang on what it is. */
export function argumentsFrom(ev: Evaluation, caller: Caller, frame: Frame | undefined, param: ParamNode): readonly Value[] {
  const { node, module, isPlain } = caller;
  const index = param.parent?.kind === 'function' ? param.parent.params.indexOf(param) : 0;
  const isInPlace = isPlain === true && !param.isRest && node.args.every(({ kind }, at) => at > index || kind !== 'spread');
  if (!isInPlace) return givenFrom(caller.args(ev, frame), index);
  const arg = node.args[index];
  return arg === undefined ? [] : [asOne(ev.evaluate(arg, { module, frame }))];
}

/** A call whose arguments are asked for in the frames around it. */
export const callerOf = (call: CallNode, module: SourceModule): Caller => ({
  node: call,
  module,
  isPlain: true,
  args: (ev, frame) => ev.args(call, { module, frame }),
});
