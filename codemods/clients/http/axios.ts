/** axios: https://axios-http.com/docs/api_intro. Instances, global and instance defaults, request interceptors. */
import { ownMethodsOfHeaders } from './axios-headers.ts';
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import { written } from '../../evaluate/writes/external-writes.ts';
import { additionsAt, headersOf, writtenHeader } from '../../evaluate/writes/writes.ts';
import { headersSetBy, headersWritten, isGivenAway, registeredBy, replacedBy } from '../callbacks.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { isReplay } from './replays.ts';
import { givenAsOption, handedOn, putInPlace } from '../testing/axios-adapters.ts';
import { authorized, authorizedBy, made, option, verbs } from '../shapes.ts';
import { authorizationsBy, functionsIn, isSet, signedBy } from '../signing.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { Shape } from '../../evaluate/values/shape.ts';
import { addingMethods } from '../../evaluate/writes/keeping.ts';
import {
  choiceOf,
  type FunctionValue,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  plainText,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';

const name = 'axios';
const withBody = new Set(['post', 'put', 'patch', 'postForm', 'putForm', 'patchForm']);

/** What a configuration says of a request. */
export const config = (call: RuleCall, value: Value | undefined) => ({
  base: option(call, value, 'baseURL'),
  url: option(call, value, 'url'),
  method: option(call, value, 'method'),
  headers: [
    option(call, value, 'headers'),
    ...grouped(call, option(call, value, 'headers')),
    // It takes the place of any `Authorization` among the headers.
    authorizedBy(call, value, 'auth'),
    ...[...signing.keys()].flatMap((name) => signedIn(call.ev, name, option(call, value, name))),
  ],
});

/** Options with functions that are given a whole request, and may put Authorization into it. */
const signing: ReadonlyMap<string, (ev: Evaluation, fn: FunctionValue) => ObjectValue[]> = new Map([
  ['adapter', (ev, fn) => [...signedBy(ev, fn, 0, ['auth']), ...authorizationsBy(ev, fn, 0, ['headers'])]],
  ['transformRequest', (ev, fn) => [...signedBy(ev, fn, undefined, ['auth']), ...authorizationsBy(ev, fn, 1, [])]],
]);

const signedIn = (ev: Evaluation, name: string | undefined, value: Value | undefined): ObjectValue[] =>
  functionsIn(value).flatMap((fn) => signing.get(name ?? '')?.(ev, fn) ?? []);

/** `headers: { common: { … } }`, as the defaults of an instance may have them. */
function grouped(call: RuleCall, headers: Value | undefined): (Value | undefined)[] {
  return headers?.type === 'object'
    ? [...groups].map((group) => option(call, headers, group)).filter((each) => each?.type === 'object')
    : [];
}

/** `new AxiosHeaders(headers)`, `AxiosHeaders.from(headers)`, `AxiosHeaders.concat(headers, more)`. */
function axiosHeaders({ args, path: [, method], node, module }: RuleCall): Value | undefined {
  if (method !== undefined && method !== 'from' && method !== 'concat') return undefined;
  const shape = new Shape(node);
  for (const each of method === 'concat' ? args : args.slice(0, 1)) shape.spread(headersOf(each) ?? each);
  return { type: 'object', node, module, ...shape.end() };
}

function call(call: RuleCall): Value | undefined {
  return call.path[0] === 'AxiosHeaders' ? axiosHeaders(call) : calledAs(name, call);
}

/** What axios makes of a call, or a library that is called as it is. */
export function calledAs(client: string, call: RuleCall): Value | undefined {
  const { path, args } = call;
  const [verb = 'request', ...more] = path;
  if (more.length > 0) return undefined;
  if (verb === 'create') return made(client, 'client', call, { ...config(call, args[0]), join: 'slash' });
  if (verb === 'request') {
    if (isReplay(call)) return undefined;
    const isText = args[0]?.type !== 'object' && args[0]?.type !== 'http' && (args.length > 1 || args[0]?.type === 'text');
    const described = config(call, isText ? args[1] : args[0]);
    return made(client, 'request', call, {
      ...described,
      url: isText ? args[0] : described.url,
      method: described.method ?? 'GET',
      join: 'slash',
    });
  }
  const method = verb.replace(/Form$/, '');
  if (!verbs.has(method)) return undefined;
  const described = config(call, args[withBody.has(verb) ? 2 : 1]);
  return made(client, 'request', call, { ...described, url: args[0], method, join: 'slash' });
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind === 'call') {
    return mutation.path[0] === 'defaults'
      ? assignedDefaults(mutation, ev)
      : mutation.path.join('.') === 'interceptors.request.use'
        ? intercepted(ev, mutation, registeredBy(ev, mutation.node, mutation), request)
        : mutation.path.join('.') === 'interceptors.response.use'
          ? { headers: keysBeforeRetry(ev, mutation) }
          : undefined;
  }
  const [first, second] = mutation.path;
  if (first !== 'defaults') return undefined;
  if (mutation.kind === 'write') {
    if (second === 'baseURL') return { base: written(ev.evaluate(mutation.value, mutation)) };
    if (second === 'auth') return isSet(ev.evaluate(mutation.value, mutation)) ? { headers: [authorized(mutation)] } : undefined;
    if (signing.has(second ?? '')) return { headers: signedIn(ev, second, ev.evaluate(mutation.value, mutation)) };
  }
  return second === 'headers' ? { headers: [mutatedHeaders(mutation, ev)] } : undefined;
}

/** What is done to the instance of axios that a client of another library has under a name, as if it were done to one by itself. */
export function doneBehind(mutation: Mutation, under: string): Mutation {
  if (mutation.path[0] !== under) return mutation;
  return mutation.kind === 'call' ? { ...mutation, path: mutation.path.slice(1) } : { ...mutation, path: mutation.path.slice(1) };
}

/** `Object.assign(client.defaults, { baseURL: … })`, and the same for the headers; `client.defaults.transformRequest.push(…)`. */
function assignedDefaults({ node, path, module, frame }: Extract<Mutation, { kind: 'call' }>, ev: Evaluation): Additions | undefined {
  const [target] = node.args;
  const at = { module, frame };
  if (addingMethods.has(path.at(-1) ?? '')) return { headers: ev.args(node, at).flatMap((each) => signedIn(ev, path[1], each)) };
  if (path.at(-1) !== 'assign' || target === undefined) return undefined;
  const given: ObjectValue = { type: 'object', node, module, ...additionsAt(ev, target, at) };
  if (path[1] === 'headers') return { headers: [given] };
  if (path.length > 2) return undefined;
  const isGiven = (part: string): boolean =>
    given.unknown.length > 0 || given.entries.some(({ name }) => name === undefined || name === part);
  return {
    ...(isGiven('baseURL') ? { base: written(ev.member(given, 'baseURL', node, at)) } : {}),
    headers: [
      ...(isGiven('headers') ? [ev.member(given, 'headers', node, at)] : []),
      ...given.entries.flatMap(({ name, value }) =>
        name === 'auth' && isSet(value()) ? [authorized({ node, module })] : signing.has(name ?? '') ? signedIn(ev, name, value()) : [],
      ),
    ],
  };
}

/** What interceptors make of a request: its headers, its base, or an unknown address. */
export function intercepted(ev: Evaluation, { node, module }: Mutation, interceptors: readonly Value[], request?: HttpValue): Additions {
  // Of those that are not known yet, whoever calls says what they are.
  const headers = [
    ...interceptors.flatMap((each) => (each.type === 'param' ? each : (headersSetBy(ev, each, 0, ['headers']) ?? []))),
    ...interceptors.flatMap((each) => groupedBy(ev, each, request)),
    ...interceptors.flatMap((each) => signedBy(ev, each, 0, ['auth'])),
  ];
  const bases = interceptors.flatMap((each) => replacedBy(ev, each, 0, 'baseURL'));
  const isMoved = interceptors.some((each) => replacedBy(ev, each, 0, 'url').length > 0 || isGivenAway(ev, each, 0));
  return {
    ...(headers.length === 0 ? {} : { headers }),
    ...(bases.length === 0 ? {} : { base: choiceOf(bases.map(written)) }),
    ...(isMoved ? { moved: unknown(node, module, 'assigned') } : {}),
  };
}

/** `config.headers.common['x-api-key'] = key`, `config.headers.post[name] = key`: what a group of headers gets goes along with the calls that have these. */
function groupedBy(ev: Evaluation, interceptor: Value, request: HttpValue | undefined): ObjectValue[] {
  if (interceptor.type !== 'function') return [];
  const { node, module } = interceptor;
  const { method: asked } = request ?? {};
  const method = (typeof asked === 'object' ? plainText(asked) : asked)?.toLowerCase();
  return [...groups].flatMap((group): ObjectValue[] => {
    if (method !== undefined && group !== 'common' && group !== method) return [];
    const { entries, unknown: open } = headersWritten(ev, interceptor, 0, ['headers', group]).end();
    return entries.length + open.length === 0 ? [] : [{ type: 'object', node, module, entries, unknown: open }];
  });
}

/** The key, or what takes the place of v2's, that a handler of answers puts into a request before it sends that again; what else it puts there is no part of the first. */
const keysBeforeRetry = (ev: Evaluation, { node, module, frame }: Extract<Mutation, { kind: 'call' }>): ObjectValue[] =>
  node.args.flatMap((arg) =>
    optionsOf(ev.evaluate(arg, { module, frame })).flatMap((handler): ObjectValue[] => {
      if (handler.type !== 'function' || handler.node.params.length === 0) return [];
      const signed = signedBy(ev, handler, 0, ['config', 'auth']);
      const entries = headersWritten(ev, handler, 0, ['config', 'headers'])
        .end()
        .entries.filter(({ name }) => isKeyHeader(name) || isAuthorization(name));
      return entries.length === 0 ? signed : [...signed, { type: 'object', node, module, entries, unknown: [] }];
    }),
  );

/** `defaults.headers.common['x-api-key'] = key` sets one, `defaults.headers.common = { … }` all. */
export function mutatedHeaders(mutation: Exclude<Mutation, { kind: 'call' }>, ev: Evaluation): Value {
  const isAll = mutation.path.length === 2 || (mutation.path.length === 3 && groups.has(mutation.path[2] ?? ''));
  return isAll && mutation.kind === 'write' ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation);
}

const groups = new Set(['common', ...verbs]);

export const axiosRule: ClientRule = {
  name,
  modules: [name],
  globals: [name],
  types: ['AxiosInstance', 'AxiosStatic', 'Axios'],
  call,
  additions,
  headersSetBy: ownMethodsOfHeaders,
  given: givenAsOption,
  givenInPlaceOf: putInPlace,
  standIn: handedOn,
  addsBy: ['defaults', 'interceptors'],
  ownOfClients: ['interceptors'],
  // From its first name on, once: a file may have as many as it has lines.
  ambient: {
    mark: /^(?=(?<start>[^]*?\baxios\b))\k<start>[^]*(?:interceptors\s*\.\s*request|\.\s*defaults\b)/,
    reached: /\baxios\b/,
    isSilent: true,
  },
  // Of axios-cache-interceptor.
  keyHooks: ['generateKey', 'buildKeyGenerator'],
  asksBy: ['use', 'postForm', 'putForm', 'patchForm'],
  defaults: ['defaults'],
  // What signs in or signs puts its own into Authorization.
  plugIns:
    /^(?!.*(?:auth|jwt|token|session|credential|sign|hmac|aws4|msal|cognito))(?:@[\w-]+\/)?(?:axios-[\w-]+|[\w-]+-axios(?:-[\w-]+)?|moxios)$/,
  throttles: ['axios-rate-limit'],
  retries: ['axios-retry', 'retry-axios'],
};
