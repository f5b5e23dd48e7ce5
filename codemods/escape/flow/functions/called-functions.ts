/**
 * Functions that a call may be of where nothing says which it calls: those that callers give in the place of a parameter, and of what
 * comes out of a list or a table any that the project gives to functions of its own, as to a bus: `for (const listener of listeners) listener(client)`.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { type FunctionValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import type { Callers } from '../../../requests/recursion.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import { joinedValuesAt } from './passed-values.ts';
import { calledBy } from './arguments.ts';

/** @param callee what is called, of which nothing but this is known */
export function calledOutOfSight(ev: Evaluation, callers: Callers, callee: Place): readonly FunctionValue[] {
  const given = joinedValuesAt(ev, callers, callee).flatMap(functionsIn);
  return given.length > 0 ? given : givenToOwn(ev);
}

const functionsIn = (value: Value): readonly FunctionValue[] => optionsOf(value).filter((each) => each.type === 'function');

const givenToOwn = memoOf((ev: Evaluation): readonly FunctionValue[] =>
  [...ev.world.modules.values()].flatMap((module) => {
    const at = { module, frame: undefined };
    const isOwn = (call: CallNode): boolean => optionsOf(ev.evaluate(calledBy(call), at)).some(({ type }) => type === 'function');
    return module.calls.flatMap((call) => {
      const given = call.args.filter(mayBeFunction);
      return given.length === 0 || !isOwn(call) ? [] : given.flatMap((arg) => functionsIn(ev.evaluate(arg, at)));
    });
  }),
);

const mayBeFunction = ({ kind }: Node): boolean => kind === 'function' || kind === 'name';
