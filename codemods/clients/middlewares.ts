/** Middlewares that are given the next one and ask by it: `(next) => (url, options) => next(url, options)`. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { type FunctionValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { isWithin } from '../syntax/link.ts';
import type { CallNode, Expression } from '../syntax/tree.ts';

interface PassingOn {
  readonly ask: FunctionValue;
  /** The calls of the next one in it. */
  readonly calls: readonly CallNode[];
}

/** The functions that a middleware is asked by. */
export function passingOn(ev: Evaluation, middleware: Value): readonly PassingOn[] {
  if (middleware.type !== 'function') return [];
  const { node, module } = middleware;
  const next = node.params[0]?.target;
  const references = next?.kind === 'patternName' ? (module.scopes.declaredBy(next)?.references ?? []) : [];
  const calls = references.flatMap((name) => (name.parent?.kind === 'call' && name.parent.callee === name ? [name.parent] : []));
  return returnsOf(node).flatMap((returned) =>
    optionsOf(ev.evaluate(returned, middleware)).flatMap((ask) =>
      ask.type === 'function' ? [{ ask, calls: calls.filter((each) => isWithin(ask.node, each)) }] : [],
    ),
  );
}

/** What calls are given in one place. */
export const givenAt =
  (index: number) =>
  ({ args }: CallNode): readonly Expression[] => {
    const arg = args[index];
    return arg === undefined || arg.kind === 'spread' ? [] : [arg];
  };
