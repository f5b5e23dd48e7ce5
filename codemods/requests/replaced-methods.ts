/** Methods of a client in whose place the program puts functions of its own: `const get = api.get; api.get = async (url) => keep(await get(url))`. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import { optionsOf } from '../evaluate/values/values.ts';
import type { FunctionNode, Node } from '../syntax/tree.ts';
import { addCaller, type Called } from './calls.ts';
import { madeAt, push } from './mutations.ts';
import type { Sink } from './sinks.ts';

/** Whoever calls such a method calls the function, and with that what it asks by the method that was there before. */
export function recordReplaced(ev: Evaluation, sinks: readonly Sink[], { callers, mutations }: Called): void {
  const replaced = new Map<Node | string, Map<string, FunctionNode[]>>();
  for (const [origin, done] of mutations)
    for (const mutation of done) {
      if (mutation.kind !== 'write' || mutation.value.kind !== 'function') continue;
      const [name, ...more] = mutation.path;
      if (name === undefined || more.length > 0) continue;
      const methods = replaced.get(origin) ?? new Map<string, FunctionNode[]>();
      replaced.set(origin, methods);
      push(methods, name, mutation.value);
    }
  if (replaced.size === 0) return;
  for (const { call, module } of sinks) {
    if (call.kind !== 'call' || call.callee.kind !== 'member' || call.callee.property === undefined) continue;
    const { object, property } = call.callee;
    for (const option of optionsOf(ev.evaluate(object, { module, frame: undefined }))) {
      const origin = option.type === 'http' ? madeAt(option)?.origin : undefined;
      for (const fn of (origin !== undefined && replaced.get(origin)?.get(property)) || [])
        addCaller(callers, fn, {
          node: call,
          module,
          isPlain: true,
          args: (evaluation, frame) => evaluation.args(call, { module, frame }),
        });
    }
  }
}
