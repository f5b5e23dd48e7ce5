/**
 * Inngest: https://www.inngest.com/docs/features/inngest-functions/steps-workflows/fetch. Its functions are given a `step.fetch` that asks as `fetch` does, and
 * so does the `fetch` that it exports. What `inngest.createFunction` is given only runs: neither the client nor what comes of it has the headers of what is asked there.
 */
import type { ClientRule, Given, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { type Entry, type ExternalValue, type ObjectValue, unknown, type Value } from '../../../evaluate/values/values.ts';
import { answerMethods, fetchRequest } from '../fetch.ts';

const name = 'inngest';
const client: ExternalValue = { type: 'external', source: name, path: ['client'], provenance: undefined };
const creating = 'client.createFunction';

function call(asked: RuleCall): Value | undefined {
  if (asked.node.isNew) return asked.path[0] === 'Inngest' ? client : undefined;
  return asked.path.join('.') === 'fetch' ? fetchRequest(name, asked) : undefined;
}

/** `({ event, step }) => …`, the last argument of `inngest.createFunction`. */
function given({ path, index, argument, within, node, module, call: creation }: Given): Value | undefined {
  if (path.join('.') !== creating || argument !== creation.args.length - 1) return undefined;
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
  call,
  answers: { to: ['fetch'], by: answerMethods },
  given,
};
