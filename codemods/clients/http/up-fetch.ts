/** up-fetch: https://github.com/L-Blondy/up-fetch. `up(fetch, () => ({ baseUrl, headers }))` gives a function that is called as `fetch` is, with these for defaults. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { made, option } from '../shapes.ts';

const name = 'up-fetch';

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (on === undefined) {
    const [fetch, defaults] = args;
    // What is in the place of fetch may ask otherwise.
    const isPlain = fetch !== undefined && optionsOf(fetch).every(({ type }) => type === 'external');
    if (verb !== 'up' || more.length > 0 || !isPlain) return undefined;
    const options = defaultsOf(call, defaults);
    return isHooked(call, options) ? undefined : made(name, 'client', call, config(call, options));
  }
  if (on.stage !== 'client' || verb !== undefined) return undefined;
  const described = config(call, args[1]);
  const moved = isHooked(call, args[1]) ? unknown(call.node, call.module, 'assigned') : undefined;
  return made(name, 'request', call, { ...described, moved, url: args[0], method: described.method ?? on.method ?? 'GET' });
}

/** What the function gives for any request, of which it is given address and options. */
const defaultsOf = ({ ev, node, ...at }: RuleCall, defaults: Value | undefined): Value | undefined =>
  defaults &&
  choiceOf(optionsOf(defaults).map((each) => (each.type === 'function' ? ev.apply(each, given(node, at.module), node, at) : each)));

const given = (node: RuleCall['node'], module: RuleCall['module']): Value[] => [1, 2, 3].map(() => unknown(node, module));

/** Whether something else has the request before it is sent, or what became of it. */
const isHooked = (call: RuleCall, options: Value | undefined): boolean =>
  ['onRequest', 'onRetry', 'onResponse', 'onSuccess', 'onError', 'interceptors'].some((hook) => option(call, options, hook) !== undefined);

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseUrl'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers')],
  join: 'slash' as const,
});

export const upFetchRule: ClientRule = { name, modules: [name], call, bases: ['baseUrl'], retries: [name] };
