/** zlFetch: https://github.com/zellwk/zl-fetch#readme. `fetch` with methods of its own, and instances that have a base and options. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { authorizedBy, isOptions, made, mayName, option } from '../shapes.ts';

const name = 'zl-fetch';
/** What makes an instance, as its documents and its versions call it. */
const makers = new Set(['create', 'createZlFetch', 'createZLFetch']);
const verbs = new Set(['get', 'post', 'put', 'patch', 'delete']);

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0 || on?.stage === 'request') return undefined;
  if (on === undefined && makers.has(verb ?? ''))
    return made(name, 'client', call, { ...config(call, args[1]), base: args[0], join: 'slash' });
  if (verb !== undefined && !verbs.has(verb)) return undefined;
  const [first] = args;
  // An instance asks for its base where it is given options alone.
  const isAlone = on !== undefined && first !== undefined && isOptions(first);
  if (isAlone && optionsOf(first).length > 1) return undefined;
  const options = isAlone ? first : args[1];
  // Options may have another address; and which of two methods counts, versions do not agree about.
  if (options !== undefined && (mayName(options, 'url') || (verb !== undefined && mayName(options, 'method')))) return undefined;
  const { method = on?.method ?? 'GET', ...described } = config(call, options);
  return made(name, 'request', call, { ...described, url: isAlone ? undefined : first, method: verb ?? method });
}

const config = (call: RuleCall, options: Value | undefined) => ({
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers'), authorizedBy(call, options, 'auth')],
});

export const zlFetchRule: ClientRule = { name, modules: [name], call };
