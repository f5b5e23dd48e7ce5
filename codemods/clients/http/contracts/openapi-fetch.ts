/** openapi-fetch and openapi-react-query on it: https://openapi-ts.dev/openapi-fetch. Paths are templates: `/messages/{id}`. */
import { headersSetBy } from '../../callbacks.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { hookHeaders, made, movedBy, option, verbs } from '../../shapes.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { HttpValue, Value } from '../../../evaluate/values/values.ts';

const name = 'openapi-fetch';
/** `useQuery('get', '/contacts', init)` */
const hooks = new Set(['useQuery', 'useSuspenseQuery', 'useInfiniteQuery', 'useMutation', 'queryOptions']);

function call(call: RuleCall): Value | undefined {
  const { path, args, on } = call;
  const [verb, ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) {
    if (verb !== undefined) return undefined;
    const [first] = args;
    return first?.type === 'http' ? first : made(name, 'client', call, { ...config(call, first), join: 'slash' });
  }
  if (verb === undefined) return undefined;
  if (verb === 'request' || hooks.has(verb)) return request(call, args[0], args[1], args[2]);
  return verb === verb.toUpperCase() && verbs.has(verb.toLowerCase()) ? request(call, verb, args[0], args[1]) : undefined;
}

const request = (call: RuleCall, method: Value | string | undefined, url: Value | undefined, init: Value | undefined): Value =>
  made(name, 'request', call, { ...config(call, init), method, url });

const config = (call: RuleCall, value: Value | undefined) => {
  // It is given the whole request.
  const fetch = option(call, value, 'fetch');
  return {
    base: option(call, value, 'baseUrl'),
    headers: [option(call, value, 'headers'), headerParams(call, value), ...hookHeaders(call, fetch, [[0, ['headers']]])],
    moved: movedBy(call, fetch, []),
  };
};

/** Headers that the description of the service lists as parameters. */
function headerParams(call: RuleCall, init: Value | undefined): Value | undefined {
  const params = option(call, init, 'params');
  const found = params?.type === 'object' ? option(call, params, 'header') : undefined;
  return found?.type === 'object' ? found : undefined;
}

function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path[0] !== 'use') return undefined;
  const { node, module } = mutation;
  const hooks = ev.args(node, mutation).map((middleware) => ev.member(middleware, 'onRequest', node, mutation));
  const headers = hooks.flatMap((hook) => headersSetBy(ev, hook, 0, ['request', 'headers']) ?? []);
  const moved = hooks.map((hook) => movedBy({ ev, node, module }, hook, [])).find((each) => each !== undefined);
  return { headers, moved };
}

export const openapiFetchRule: ClientRule = { name, modules: [name, 'openapi-react-query'], call, additions, addsBy: ['use'] };
