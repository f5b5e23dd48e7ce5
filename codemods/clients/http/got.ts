/** got: https://github.com/sindresorhus/got/tree/main/documentation. */
import type { HttpValue, Value } from '../../evaluate/values.ts';
import { writtenHeader } from '../../evaluate/writes.ts';
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { authorizedBy, hookHeaders, made, movedBy, option, verbs } from '../shapes.ts';

const name = 'got';
/** Before the verb, if there is one: `got.stream.post(…)`, `got.paginate.all(…)`. */
const kinds = new Set(['stream', 'paginate', 'all', 'each', 'got', 'default']);

const described = (call: RuleCall, options: Value | undefined) => {
  const hooks = option(call, options, 'hooks');
  const ways = [[0, ['headers']]] as const;
  return {
    base: option(call, options, 'prefixUrl'),
    url: option(call, options, 'url'),
    method: option(call, options, 'method'),
    headers: [
      option(call, options, 'headers'),
      ...hookHeaders(call, option(call, hooks, 'init'), ways),
      ...hookHeaders(call, option(call, hooks, 'beforeRequest'), ways),
      ...hookHeaders(call, option(call, options, 'handlers'), ways),
      authorizedBy(call, options, 'username'),
    ],
    moved: movedBy(call, option(call, hooks, 'beforeRequest'), [[0, ['url', 'prefixUrl', 'hostname', 'host']]]),
    join: 'slash',
  } as const;
};

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
    if (mutation.kind !== 'write' || mutation.path.slice(0, 3).join('.') !== 'defaults.options.headers') return undefined;
    return { headers: [mutation.path.length === 3 ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation)] };
  },
  addsBy: ['defaults'],
  asksBy: ['stream', 'paginate'],
  defaults: ['defaults', 'options'],
  lowersHeaders: true,
  bases: ['prefixUrl'],
  retries: [name],
};
