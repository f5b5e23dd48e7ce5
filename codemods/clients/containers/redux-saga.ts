/** redux-saga's effects: https://redux-saga.js.org/docs/api. Its middleware calls what an effect describes. */
import type { ClientRule, RuleCall, Run } from '../../evaluate/libraries/client-rule.ts';
import { optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';

/** Effects that call a function, with the position of that among their arguments. */
const calling: Readonly<Record<string, number>> = { call: 0, fork: 0, spawn: 0, retry: 2 };
/** Effects that only wait for actions, and hand these on. */
const waiting = new Set(['take', 'takeMaybe', 'takeEvery', 'takeLatest', 'takeLeading', 'select', 'delay', 'join', 'cancel', 'cancelled']);

function runs(call: RuleCall): Run[] {
  const { args, path, node, module } = call;
  const [verb = ''] = path;
  const open: Run = { fn: unknown(node, module), args: [] };
  if (waiting.has(verb)) return [];
  if (verb === 'apply') {
    const [context, fn, given] = args;
    if (context === undefined || fn === undefined) return [open];
    return given === undefined || (given.type === 'list' && !given.isOpen)
      ? methodsOf(call, context, fn).map((each) => ({ fn: each, args: given?.items ?? [] }))
      : [open];
  }
  const at = calling[verb];
  const target = at === undefined ? undefined : args[at];
  if (at === undefined || target === undefined) return [open];
  return functionsIn(call, target).map((fn) => ({ fn, args: args.slice(at + 1) }));
}

/** `fn`, `[context, fn]`, `[context, 'name']`, `{ context, fn }` */
function functionsIn(call: RuleCall, target: Value): readonly Value[] {
  const { ev, node } = call;
  return optionsOf(target).flatMap((each) => {
    if (each.type === 'list') {
      const [context, fn] = each.items;
      return context === undefined || fn === undefined ? [each] : methodsOf(call, context, fn);
    }
    if (each.type !== 'object') return [each];
    return methodsOf(call, ev.member(each, 'context', node, call), ev.member(each, 'fn', node, call));
  });
}

const methodsOf = (call: RuleCall, context: Value, fn: Value): readonly Value[] =>
  optionsOf(fn).flatMap((each) => {
    const name = plainText(each);
    return optionsOf(name === undefined ? each : call.ev.member(context, name, call.node, call));
  });

export const reduxSagaRule: ClientRule = {
  name: 'redux-saga',
  modules: ['redux-saga/effects', '@redux-saga/core/effects', 'typed-redux-saga', 'typed-redux-saga/macro'],
  runs,
};
