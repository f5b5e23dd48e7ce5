/**
 * restify-clients: https://github.com/restify/clients#readme. A client has an address and headers;
 * each call says a path, which takes the place of the address's own, and who it calls back with the answer.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { type HttpValue, nothing, type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { writtenHeader } from '../../evaluate/writes/writes.ts';
import { headersWritten, isGivenAway, replacedBy } from '../callbacks.ts';
import { authorized, headersOfCall, isOptions, made, option } from '../shapes.ts';

const name = 'restify-clients';

const makers = new Set(['createClient', 'createJsonClient', 'createJSONClient', 'createStringClient', 'createHttpClient']);
const classes = new Set(['HttpClient', 'JsonClient', 'StringClient']);
const methods: Readonly<Record<string, string>> = {
  get: 'GET',
  head: 'HEAD',
  opts: 'OPTIONS',
  del: 'DELETE',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
};
/** What gives the client back. */
const fluent = new Set(['basicAuth', 'on', 'once', 'addListener']);

function call(call: RuleCall): Value | undefined {
  const [verb = '', ...more] = call.path.filter((each) => each !== 'default');
  const { on } = call;
  if (more.length > 0 || on?.stage === 'request') return undefined;
  if (on !== undefined && fluent.has(verb)) return on;
  const [given] = call.args;
  if (given === undefined) return undefined;
  if (on === undefined) return (call.node.isNew ? classes : makers).has(verb) ? client(call, given) : undefined;
  const method = Object.hasOwn(methods, verb) ? methods[verb] : undefined;
  return method === undefined ? undefined : asked(call, given, method);
}

/** `createJsonClient({ url, headers })`, `createJsonClient(url)` */
function client(call: RuleCall, given: Value): Value {
  const options = isOptions(given) ? given : undefined;
  return made(name, 'client', call, { ...described(call, options), base: options === undefined ? given : option(call, options, 'url') });
}

/** `client.post('/v1/contacts', body, done)`, `client.get({ path, headers }, done)`: without a path the address is asked as it is. */
function asked(call: RuleCall, given: Value, method: string): Value {
  const options = isOptions(given) ? given : undefined;
  const { headers, ...rest } = described(call, options);
  return made(name, 'request', call, {
    ...rest,
    url: options === undefined ? given : option(call, options, 'path'),
    method,
    // An HttpClient hands the request over before it is sent.
    headers: [...headers, ...setBy(call.ev, call.args.at(-1), 1)],
  });
}

function described(call: RuleCall, options: Value | undefined) {
  const signer = option(call, options, 'signRequest');
  const joined = option(call, options, 'appendPath');
  const appends = joined !== undefined && joined.type === 'literal' && joined.value === true;
  const isElsewhere =
    option(call, options, 'socketPath') !== undefined ||
    (joined !== undefined && joined.type !== 'literal') ||
    (signer !== undefined && optionsOf(signer).some((each) => isMoving(call.ev, each)));
  return {
    headers: [option(call, options, 'headers'), ...setBy(call.ev, signer, 0)],
    moved: isElsewhere ? unknown(call.node, call.module, 'assigned') : undefined,
    join: appends ? ('slash' as const) : call.on === undefined ? ('resolve' as const) : undefined,
  };
}

/** What a function sets on the request that it is given: `(request) => request.setHeader('x-api-key', key)`. */
const setBy = (ev: Evaluation, fn: Value | undefined, index: number): ObjectValue[] =>
  optionsOf(fn ?? nothing).flatMap((each): ObjectValue[] => {
    if (each.type !== 'function' || each.node.params[index] === undefined) return [];
    const { entries, unknown: open } = headersWritten(ev, each, index, [], ['setHeader']).end();
    return entries.length + open.length === 0 ? [] : [{ type: 'object', node: each.node, module: each.module, entries, unknown: open }];
  });

/** What node is asked for, which the function that signs a request may still write to; a signature is over what v1 is sent. */
const address = ['protocol', 'host', 'path', 'method'];
const isMoving = (ev: Evaluation, signer: Value): boolean =>
  isGivenAway(ev, signer, 0) || address.some((part) => replacedBy(ev, signer, 0, part).length > 0);

/** `client.basicAuth(user, password)`, `client.headers['x-api-key'] = key` */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const { path, node, module } = mutation;
  if (mutation.kind === 'call') {
    if (path.join('.') === 'basicAuth') return { headers: [authorized(mutation)] };
    return path[0] === 'headers' ? { headers: [headersOfCall(ev, mutation.node, mutation)] } : undefined;
  }
  if (path[0] !== 'headers') return { moved: unknown(node, module, 'assigned') };
  return {
    headers: [
      path.length === 1 && mutation.kind === 'write' ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation),
    ],
  };
}

export const restifyClientsRule: ClientRule = {
  name,
  modules: [name],
  call,
  additions,
  bases: ['url'],
  asksBy: ['del', 'opts', 'basicAuth'],
};
