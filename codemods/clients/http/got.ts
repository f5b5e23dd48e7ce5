/** got: https://github.com/sindresorhus/got/tree/main/documentation. */
import { type FunctionValue, type HttpValue, type ObjectValue, unknown, type Value } from '../../evaluate/values/values.ts';
import { writtenHeader } from '../../evaluate/writes/writes.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { placesGiven } from '../callbacks.ts';
import { authorized, authorizedBy, hookHeaders, made, movedBy, option, verbs } from '../shapes.ts';
import { authorizationsBy, authorizationsIn, functionsIn, signedBy } from '../signing.ts';

const name = 'got';
/** Before the verb, if there is one: `got.stream.post(…)`, `got.paginate.all(…)`. */
const kinds = new Set(['stream', 'paginate', 'all', 'each', 'got', 'default']);

/** What says where a request goes, and what an Authorization is made of. */
const addresses = ['url', 'prefixUrl', 'hostname', 'host'];
const login = 'username';

const described = (call: RuleCall, options: Value | undefined) => {
  const hooks = option(call, options, 'hooks');
  const ways = [[0, ['headers']]] as const;
  return {
    // So it is called up to version 9.
    base: option(call, options, 'prefixUrl', 'baseUrl'),
    url: option(call, options, 'url'),
    method: option(call, options, 'method'),
    headers: [
      option(call, options, 'headers'),
      ...hookHeaders(call, option(call, hooks, 'init'), ways),
      ...hookHeaders(call, option(call, hooks, 'beforeRequest'), ways),
      ...hookHeaders(call, option(call, options, 'handlers'), ways),
      authorizedBy(call, options, login),
      ...signedIn(call, options),
    ],
    moved: movedIn(call, options),
    join: 'slash',
  } as const;
};

/** Functions among the options, with where they find those of a request: in which of their parameters, and from there by which names. */
function hooked(
  call: RuleCall,
  options: Value | undefined,
): readonly (readonly [FunctionValue, readonly (readonly [number, ...string[]])[]])[] {
  const hooks = option(call, options, 'hooks');
  const ways = [
    [option(call, hooks, 'init'), [[0], [1]]],
    [option(call, hooks, 'beforeRequest'), [[0]]],
    [option(call, hooks, 'beforeRetry'), [[0, 'options']]],
    [option(call, options, 'handlers'), [[0]]],
  ] as const;
  return ways.flatMap(([functions, ways]) => functionsIn(functions).map((fn) => [fn, ways] as const));
}

/** `(response, retry) => retry({ url, headers })`: what is asked with again. */
const again = (call: RuleCall, options: Value | undefined): readonly Value[] =>
  functionsIn(option(call, option(call, options, 'hooks'), 'afterResponse')).flatMap((fn) =>
    placesGiven(call.ev, fn, 1, []).flatMap(({ place, at }) =>
      place.parent?.kind === 'call' && place.parent.callee === place ? call.ev.args(place.parent, at).slice(0, 1) : [],
    ),
  );

/** What puts Authorization into requests beside the headers that they have. */
const signedIn = (call: RuleCall, options: Value | undefined): readonly ObjectValue[] => [
  ...hooked(call, options).flatMap(([fn, ways]) =>
    ways.flatMap(([index, ...path]) => [
      ...signedBy(call.ev, fn, index, [...path, login]),
      ...authorizationsBy(call.ev, fn, index, [...path, 'headers']),
    ]),
  ),
  ...again(call, options).flatMap((given) => authorizedBy(call, given, login) ?? authorizationsIn(option(call, given, 'headers'))),
];

function movedIn(call: RuleCall, options: Value | undefined): Value | undefined {
  const isElsewhere = again(call, options).some((given) => addresses.some((name) => option(call, given, name) !== undefined));
  const moved = hooked(call, options).flatMap(
    ([fn, ways]) =>
      movedBy(
        call,
        fn,
        ways.map(([index, ...path]) => [index, addresses.map((name) => [...path, name].join('.'))]),
      ) ?? [],
  );
  return isElsewhere ? unknown(call.node, call.module, 'assigned') : moved[0];
}

/** `extend` takes options and other instances, each of which counts on. */
function extended(call: RuleCall): Value {
  return call.args.reduce<HttpValue>(
    (on, options) => {
      const from = options.type === 'http' ? { base: options.base, headers: options.headers } : described(call, options);
      return made(name, 'client', { ...call, on }, from);
    },
    made(name, 'client', call, {}),
  );
}

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => !kinds.has(each));
  const [verb, ...more] = path;
  if (more.length > 0) return undefined;
  if (verb === 'extend') return extended(call);
  if (verb !== undefined && !verbs.has(verb)) return undefined;
  if (call.on?.stage === 'request') return undefined;
  const [first, second] = call.args;
  const isOptions = first?.type === 'object';
  const options = described(call, isOptions ? first : second);
  return made(name, 'request', call, {
    ...options,
    url: isOptions ? options.url : first,
    method: verb ?? options.method ?? 'GET',
  });
}

export const gotRule: ClientRule = {
  name,
  modules: [name, 'got-scraping', 'got-cjs'],
  call,
  additions(mutation, _request, ev) {
    // `instance.defaults.options.headers[name] = value`, where the defaults are mutable.
    if (mutation.kind !== 'write') return undefined;
    if (mutation.path.join('.') === `defaults.options.${login}`) return { headers: [authorized(mutation)] };
    if (mutation.path.slice(0, 3).join('.') !== 'defaults.options.headers') return undefined;
    return { headers: [mutation.path.length === 3 ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation)] };
  },
  addsBy: ['defaults'],
  asksBy: ['stream', 'paginate'],
  defaults: ['defaults', 'options'],
  lowersHeaders: true,
  bases: ['prefixUrl', 'baseUrl'],
  retries: [name],
};
