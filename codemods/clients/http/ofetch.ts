/** ofetch, and `$fetch` and `useFetch` as Nuxt brings them: https://github.com/unjs/ofetch. Instances, `raw`, `native`, hooks. */
import { headersSetBy, replacedBy } from '../callbacks.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { currentOf, made, option } from '../shapes.ts';
import { type ListValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';

const name = 'ofetch';
/** What the package exports the same function as, and what Nuxt makes of it. */
const itself = new Set(['ofetch', '$fetch', 'useFetch', 'useLazyFetch']);

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb = 'fetch', ...more] = itself.has(call.path[0] ?? '') ? call.path.slice(1) : call.path;
  if (more.length > 0) return undefined;
  if (verb === 'create') return made(name, 'client', call, config(call, args[0]));
  if (verb === 'createFetch') return made(name, 'client', call, config(call, option(call, args[0], 'defaults')));
  if (verb !== 'fetch' && verb !== 'raw' && verb !== 'native') return undefined;
  const described = config(call, args[1]);
  return made(name, 'request', call, { ...described, url: currentOf(call, args[0]), method: described.method ?? on?.method ?? 'GET' });
}

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseURL'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers'), ...hooks(option(call, options, 'onRequest')).map((hook) => setBy(call, hook))],
  moved: hooks(option(call, options, 'onRequest')).some(movesRequest(call)) ? unknown(call.node, call.module, 'assigned') : undefined,
  join: 'slash' as const,
});

const movesRequest =
  ({ ev }: RuleCall) =>
  (hook: Value): boolean =>
    ['request', 'options.baseURL'].some((way) => replacedBy(ev, hook, 0, way).length > 0);

const setBy = ({ ev }: RuleCall, hook: Value): Value | undefined => headersSetBy(ev, hook, 0, ['options', 'headers']);

/** One hook or a list of them. */
const hooks = (value: Value | undefined): readonly Value[] =>
  value === undefined ? [] : optionsOf(value).flatMap((each) => (isList(each) ? each.items : [each]));
const isList = (value: Value): value is ListValue => value.type === 'list';

export const ofetchRule: ClientRule = {
  name,
  modules: ['ofetch', 'ohmyfetch', '#imports', '#app', 'nuxt/app'],
  globals: ['$fetch', 'useFetch', 'useLazyFetch'],
  call,
  asksBy: ['raw'],
  retries: ['ofetch'],
};
