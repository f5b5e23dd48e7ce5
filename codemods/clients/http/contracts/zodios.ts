/**
 * Zodios: https://www.zodios.org. A client of axios that is told which endpoints a service has. It has a method for each by its alias, and those of HTTP,
 * which take the path as the description has it: `client.get('/contacts/:id')`. That path finds the endpoint, so both are one text in two places.
 */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { choiceOf, type HttpValue, optionsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { none } from '../../../syntax/lists.ts';
import { made, option, verbs } from '../../shapes.ts';
import { axiosRule, config, doneBehind } from '../axios.ts';
import { builtBy, described, type Endpoint, endpointsAt, endpointsNamed } from './zodios-endpoints.ts';
import { addedByPlugin, pluginOf } from './zodios-plugins.ts';

const name = 'zodios';
/** Methods that are given a body before the options. */
const withBody = new Set(['post', 'put', 'patch', 'delete']);
/** Hooks of React and Solid by a path, with the method that each asks by; undefined for those that are told it. */
const hooks: Readonly<Record<string, string | undefined>> = {
  useGet: 'get',
  useQuery: 'get',
  useInfiniteQuery: 'get',
  usePost: 'post',
  useImmutableQuery: 'post',
  useImmutableInfiniteQuery: 'post',
  usePut: 'put',
  usePatch: 'patch',
  useDelete: 'delete',
  useMutation: undefined,
  // It asks for nothing, but finds the endpoint by its path as the others do.
  getKeyByPath: undefined,
};

function call(call: RuleCall): Value | undefined {
  const { on, path, args } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on !== undefined) return on.stage === 'client' ? (builtBy(call, on) ?? request(call, on, verb)) : undefined;
  if (verb === 'Zodios') return client(call);
  if (verb === 'ZodiosHooks') return args[1]?.type === 'http' ? made(name, 'client', { ...call, on: args[1] }, {}) : undefined;
  return pluginOf(call, name, verb) ?? described(call, name, verb);
}

/** `new Zodios(base, api, options)`, `new Zodios(api, options)` */
function client(call: RuleCall): HttpValue | undefined {
  const [first, second, third] = call.args;
  const isFirst = first !== undefined && optionsOf(first).every(({ type }) => type === 'list');
  const [base, api, options] = isFirst ? [undefined, first, second] : [first, second, third];
  const instance = option(call, options, 'axiosInstance');
  if (api === undefined) return undefined;
  const own = config(call, option(call, options, 'axiosConfig'));
  const on = instance?.type === 'http' && instance.client === axiosRule.name ? instance : undefined;
  const found = made(
    name,
    'client',
    { ...call, on },
    {
      base: base ?? (on === undefined ? own.base : undefined),
      headers: on === undefined ? own.headers : [],
      join: 'slash',
      // What asks is not known.
      moved: instance === on ? undefined : unknown(call.node, call.module, 'call'),
    },
  );
  return { ...found, origins: on?.origins ?? [axiosRule.name], notes: { ...found.notes, api } };
}

/** By alias, by path, by a hook, or by `request({ method, url })`. */
function request(call: RuleCall, on: HttpValue, verb: string): Value | undefined {
  const { args } = call;
  if (verb === 'request') return byPath(call, on, textOf(option(call, args[0], 'method')), option(call, args[0], 'url'), args[0]);
  if (verbs.has(verb)) return byPath(call, on, verb, args[0], optionsIn(call, verb, 1));
  if (Object.hasOwn(hooks, verb)) {
    const method = hooks[verb];
    return method === undefined
      ? byPath(call, on, textOf(args[0]), args[1], ...args.slice(2))
      : byPath(call, on, method, args[0], ...args.slice(1));
  }
  const api = on.notes?.['api'];
  const aliased = endpointsNamed(call, api, verb);
  const hooked = aliased.length > 0 ? aliased : endpointsNamed(call, api, aliasOfHook(verb));
  const [endpoint] = hooked;
  const options = aliased.length > 0 ? [optionsIn(call, textOf(endpoint?.method), 0)] : args;
  return endpoint === undefined ? undefined : asked(call, endpoint.method, hooked, options);
}

/** `useGetContact` is the hook of the alias `getContact`. */
const aliasOfHook = (verb: string): string => verb.replace(/^use([A-Z])/, (_, first: string) => first.toLowerCase());

const textOf = (value: Value | undefined): string | undefined => value && plainText(value);

/** The options of a request stand behind its body, if it has one; older versions give none to `delete`. */
const optionsIn = ({ args }: RuleCall, method: string | undefined, from: number): Value | undefined =>
  args[from + (withBody.has(method ?? '') ? 1 : 0)] ?? (method === 'delete' ? args[from] : undefined);

/** What the call says and the endpoint's own path are the same text: neither changes without the other, and nothing does where no endpoint is found. */
function byPath(
  call: RuleCall,
  on: HttpValue,
  method: string | undefined,
  path: Value | undefined,
  ...options: readonly (Value | undefined)[]
): Value | undefined {
  if (path === undefined) return undefined;
  const text = plainText(path);
  const found = method === undefined || text === undefined ? none : endpointsAt(call, on.notes?.['api'], method, text);
  return found.length === 0
    ? made(name, 'request', call, { method, url: path, moved: unknown(call.node, call.module, 'call') })
    : asked(call, method, [...found.map((each) => ({ ...each, path })), ...found], options);
}

function asked(
  call: RuleCall,
  method: Value | string | undefined,
  at: readonly Endpoint[],
  options: readonly (Value | undefined)[],
): Value {
  const given = options.map((each) => config(call, each));
  const alias = at.flatMap((each) => each.alias ?? []);
  const found = made(name, 'request', call, {
    base: given.map(({ base }) => base).find((base) => base !== undefined),
    headers: given.flatMap(({ headers }) => headers),
    method,
    url: choiceOf(at.map(({ path }) => path)),
    join: 'slash',
  });
  return alias.length === 0 ? found : { ...found, notes: { ...found.notes, alias: choiceOf(alias) } };
}

/** The aliases that a file describes endpoints with, and the hooks of these. */
function namesIn({ text, tree }: SourceModule): readonly string[] {
  if (!text.includes('@zodios/')) return none;
  return nodesOfKind(tree.program, 'property').flatMap(({ name, value }) =>
    name === 'alias' && value.kind === 'string' ? [value.value, `use${value.value.charAt(0).toUpperCase()}${value.value.slice(1)}`] : [],
  );
}

export const zodiosRule: ClientRule = {
  name,
  title: 'Zodios',
  modules: ['@zodios/core', '@zodios/plugins', '@zodios/react', '@zodios/solid'],
  asksThrough: axiosRule.name,
  call,
  additions: (mutation, request, ev) =>
    addedByPlugin(mutation, request, ev) ?? axiosRule.additions?.(doneBehind(mutation, 'axios'), request, ev),
  functionsIn: namesIn,
  defaults: [],
  clients: { axios: axiosRule.name },
  ownOfClients: ['interceptors'],
  addsBy: ['use', 'axios', 'interceptors', 'defaults'],
  asksBy: ['use', ...Object.keys(hooks)],
};
