/** `fetch` of browsers, Node, Deno, Bun and Workers, and the packages that bring it. */
import type { ClientRule, RuleCall } from './rule.ts';
import { made, option } from './shapes.ts';

function call(call: RuleCall): ReturnType<ClientRule['call']> {
  const [target, init] = call.args;
  const [name] = call.path;
  const isFetch = name === undefined || name === 'fetch' || name === 'Request';
  if (!isFetch || target === undefined) return undefined;
  const stage = call.node.isNew ? 'client' : 'request';
  const on = target.type === 'http' ? target : undefined;
  return made(
    'fetch',
    stage,
    { ...call, on },
    {
      url: on === undefined ? target : undefined,
      method: option(call, init, 'method') ?? on?.method ?? 'GET',
      headers: [option(call, init, 'headers')],
    },
  );
}

export const fetchRule: ClientRule = {
  name: 'fetch',
  globals: ['fetch', 'Request'],
  modules: [
    'node-fetch',
    'cross-fetch',
    'isomorphic-fetch',
    'isomorphic-unfetch',
    'unfetch',
    'cross-fetch/ponyfill',
    'make-fetch-happen',
    'minipass-fetch',
  ],
  call,
};
