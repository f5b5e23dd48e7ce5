/** better-fetch: https://better-fetch.vercel.app. `createFetch({ baseURL, headers })` gives a function that is called as `betterFetch` is, with these for defaults. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { unknown, type Value } from '../../evaluate/values/values.ts';
import { authorizedBy, made, option } from '../shapes.ts';

const name = 'better-fetch';
/** Code that has the request before it is sent; a schema may have an address of its own for a prefix. */
const hooks = ['onRequest', 'plugins', 'schema', 'customFetchImpl'];

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0) return undefined;
  if (on === undefined && verb === 'createFetch') return made(name, 'client', call, config(call, args[0]));
  if (on === undefined ? verb !== 'betterFetch' : on.stage !== 'client' || verb !== undefined) return undefined;
  const described = config(call, args[1]);
  const isWithBody = option(call, args[1], 'body') !== undefined;
  return made(name, 'request', call, {
    ...described,
    url: args[0],
    method: described.method ?? on?.method ?? (isWithBody ? 'POST' : 'GET'),
  });
}

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseURL'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers'), authorizedBy(call, options, 'auth')],
  moved: hooks.some((hook) => option(call, options, hook) !== undefined) ? unknown(call.node, call.module, 'assigned') : undefined,
  join: 'slash' as const,
});

export const betterFetchRule: ClientRule = { name, modules: ['@better-fetch/fetch'], call, retries: ['@better-fetch/fetch'] };
