/** RTK Query: https://redux-toolkit.js.org/rtk-query/api/createApi. The base query is the client, each endpoint a request. */
import { headersSetBy } from '../../callbacks.ts';
import type { ClientRule, Given, RuleCall, Run } from '../../../evaluate/libraries/client-rule.ts';
import { made, option } from '../../shapes.ts';
import { choiceOf, type HttpValue, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';

const name = 'rtk-query';
const endpoints = new Set(['query', 'mutation', 'infiniteQuery']);

function call(call: RuleCall): Value | undefined {
  const { path, args, on } = call;
  const [verb, ...more] = path;
  if (more.length > 0) return undefined;
  if (on !== undefined) return ofClient(call, verb, on);
  switch (verb) {
    case 'fetchBaseQuery':
      return made(name, 'client', call, { ...config(call, args[0]), join: 'slash' });
    case 'retry':
      return args[0];
    case 'createApi':
      return api(call, option(call, args[0], 'baseQuery'));
    default:
      return undefined;
  }
}

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseUrl'),
  headers: [option(call, options, 'headers'), headersSetBy(call.ev, option(call, options, 'prepareHeaders'), 0, [])],
});

/** A base query of the project's own is asked by each endpoint. */
function api(call: RuleCall, given: Value | undefined): HttpValue {
  const base = baseQuery(call, given);
  const client = made(name, 'client', { ...call, on: base }, {});
  return base === undefined && given?.type === 'function' ? { ...client, notes: { baseQuery: given } } : client;
}

/** The base query itself, or the one that a function around it calls. */
function baseQuery(call: RuleCall, value: Value | undefined): HttpValue | undefined {
  const found = value?.type === 'function' ? call.ev.apply(value, [], call.node, call) : value;
  return found === undefined ? undefined : optionsOf(found).find((each) => each.type === 'http');
}

function ofClient(call: RuleCall, verb: string | undefined, on: HttpValue): Value | undefined {
  const { args } = call;
  if (verb === undefined) return baseCall(call, args[0]);
  if (verb === 'injectEndpoints' || verb === 'enhanceEndpoints') return made(name, 'client', call, {});
  if (!endpoints.has(verb)) return undefined;
  const asked = on.notes?.['baseQuery'] === undefined ? askedBy(call) : undefined;
  if (asked === undefined) return undefined;
  const method = on.method ?? 'GET';
  return choiceOf(optionsOf(asked).map((each) => request(call, each, method)));
}

/** What an endpoint asks the base query. Nobody calls it by name: what it is asked with itself is never known. */
function askedBy(call: RuleCall): Value | undefined {
  const query = option(call, call.args[0], 'query');
  return query?.type === 'function' ? call.ev.apply(query, [unknown(query.node, query.module)], call.node, call) : undefined;
}

function runs(call: RuleCall): Run[] {
  const fn = call.on?.notes?.['baseQuery'];
  const asked = endpoints.has(call.path[0] ?? '') ? askedBy(call) : undefined;
  return fn?.type === 'function' && asked !== undefined ? [{ fn, args: [asked] }] : [];
}

function request(call: RuleCall, asked: Value, method: Value | string): HttpValue {
  if (asked.type !== 'object') return made(name, 'request', call, { url: asked, method });
  return made(name, 'request', call, {
    url: option(call, asked, 'url'),
    method: option(call, asked, 'method') ?? method,
    headers: [option(call, asked, 'headers')],
  });
}

/** `baseQuery('contacts')` within a `queryFn` is a request; in a base query around another, the argument is passed on. */
function baseCall(call: RuleCall, asked: Value | undefined): HttpValue {
  const isAsked = asked?.type === 'text' || asked?.type === 'object';
  return isAsked ? request(call, asked, 'GET') : made(name, 'client', call, {});
}

function given({ ev, call, on, path, argument, within, index, ...at }: Given): Value | undefined {
  const [verb] = path;
  if (argument !== 0) return undefined;
  const isBuilder = within[0] === 'endpoints' && within.length === 1 && index === 0;
  if (isBuilder && (verb === 'createApi' || verb === 'injectEndpoints')) {
    const api = ev.evaluate(verb === 'createApi' || on === undefined ? call : callee(call), at);
    return optionsOf(api).find((each) => each.type === 'http');
  }
  const isQueryFn = within[0] === 'queryFn' && index === 3 && endpoints.has(verb ?? '');
  return isQueryFn ? on : undefined;
}

const callee = (call: Given['call']): Given['call']['callee'] => (call.callee.kind === 'member' ? call.callee.object : call.callee);

export const rtkQueryRule: ClientRule = {
  name,
  title: 'RTK Query',
  modules: ['@reduxjs/toolkit/query', '@reduxjs/toolkit/query/react', '@reduxjs/toolkit/dist/query', '@reduxjs/toolkit/dist/query/react'],
  call,
  given,
  runs,
};
