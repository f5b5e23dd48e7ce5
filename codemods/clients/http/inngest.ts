/** Inngest: https://www.inngest.com/docs/features/inngest-functions/steps-workflows/fetch. Its functions are given a `step.fetch` that asks as `fetch` does. */
import type { ClientRule, Given } from '../../evaluate/libraries/client-rule.ts';
import { type Entry, type ObjectValue, unknown, type Value } from '../../evaluate/values/values.ts';
import { made } from '../shapes.ts';

const name = 'inngest';

/** `({ event, step }) => …`, the last argument of `inngest.createFunction`. */
function given({ path, on, index, argument, within, node, module, call }: Given): Value | undefined {
  if (on?.client !== name || path.join('.') !== 'createFunction' || argument !== call.args.length - 1) return undefined;
  if (index !== 0 || within.length > 0) return undefined;
  const holding = (key: string, value: Value): ObjectValue => {
    const entry: Entry = { name: key, key: undefined, node, module, valueNode: undefined, value: () => value };
    return { type: 'object', node, module, entries: [entry], unknown: [unknown(node, module)] };
  };
  return holding('step', holding('fetch', { type: 'external', source: '', path: ['fetch'] }));
}

export const inngestRule: ClientRule = {
  name,
  title: "Inngest's step.fetch",
  modules: [name],
  call: (call) => (call.on === undefined && call.node.isNew && call.path[0] === 'Inngest' ? made(name, 'client', call, {}) : undefined),
  given,
};
