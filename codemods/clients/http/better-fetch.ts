/** better-fetch: https://better-fetch.vercel.app. `createFetch({ baseURL, headers })` gives a function that is called as `betterFetch` is, with these for defaults. */
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { type Entry, plainText, unknown, type Value } from '../../evaluate/values.ts';
import { authorizedBy, made, option } from '../shapes.ts';

const name = 'better-fetch';
/** Code that has the request before it is sent. */
const hooks = ['onRequest', 'plugins', 'customFetchImpl'];

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0) return undefined;
  if (on === undefined && verb === 'createSchema') return schema(call);
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

/** What a schema says of its routes, if it has no address of its own for a prefix, and each is asked as it is without the schema. */
function schema(call: RuleCall): Value | undefined {
  const [routes, options] = call.args;
  const isOwn = ['baseURL', 'prefix'].some((each) => option(call, options, each) !== undefined);
  const isAsked = ({ name: path = '@', value }: Entry): boolean => {
    const method = option(call, value(), 'method');
    const isSaid = method === undefined || /^(?:get|post)$/i.test(plainText(method) ?? '');
    const isPost = method !== undefined && /^post$/i.test(plainText(method) ?? '');
    return !path.startsWith('@') && isSaid && isPost === (option(call, value(), 'input') !== undefined);
  };
  return routes?.type === 'object' && routes.unknown.length === 0 && !isOwn && routes.entries.every(isAsked) ? routes : undefined;
}

const isOpenSchema = (of: Value | undefined): boolean => of !== undefined && (of.type !== 'object' || of.unknown.length > 0);

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseURL'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers'), authorizedBy(call, options, 'auth')],
  moved:
    hooks.some((hook) => option(call, options, hook) !== undefined) || isOpenSchema(option(call, options, 'schema'))
      ? unknown(call.node, call.module, 'assigned')
      : undefined,
  join: 'slash' as const,
});

export const betterFetchRule: ClientRule = { name, modules: ['@better-fetch/fetch'], call, retries: ['@better-fetch/fetch'] };
