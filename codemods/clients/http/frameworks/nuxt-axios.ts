/** `$axios` of Nuxt 2, which @nuxtjs/axios makes by the project's configuration and injects everywhere: https://axios.nuxtjs.org/options, https://axios.nuxtjs.org/helpers. */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { written } from '../../../evaluate/writes/external-writes.ts';
import { type Ask, type AskNode, providedFor, type Put, type PutNode } from '../../../evaluate/libraries/provided.ts';
import {
  choiceOf,
  type EnvValue,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  unknown,
  type Value,
} from '../../../evaluate/values/values.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { AssignNode, CallNode, Expression, FunctionNode, Node, ObjectNode } from '../../../syntax/tree.ts';
import { ownerOf } from '../../names.ts';
import { authorized, headersOfCall } from '../../shapes.ts';
import { axiosRule, intercepted } from '../axios.ts';

const name = 'nuxt-axios';
const [space, key] = ['nuxt 2', '$axios'];
const plugIn = '@nuxtjs/axios';
const configFile = /(?:^|\/)nuxt\.config\.[cm]?[jt]s$/;

const propertyOf = ({ properties }: ObjectNode, of: string): Expression | undefined =>
  properties.flatMap((each) => (each.kind === 'property' && each.name === of ? [each.value] : []))[0];

/** The modules of a configuration, by their names alone. */
const modulesOf = (config: ObjectNode): readonly string[] =>
  ['modules', 'buildModules'].flatMap((each) => {
    const list = propertyOf(config, each);
    const named = list?.kind === 'array' ? list.elements : [];
    return named.flatMap((of) => {
      const first = of?.kind === 'array' ? of.elements[0] : of;
      return first?.kind === 'string' ? (of === first || first.value !== plugIn ? first.value : []) : [];
    });
  });

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind === 'object')
    return configFile.test(module.file) && modulesOf(node).includes(plugIn)
      ? [{ space, key, node, value: (ev, at) => clientOf(ev, node, at) }]
      : [];
  // What the project itself puts there is anything, and who has which of the two, nobody can tell.
  const own = node.kind === 'assign' ? assignedTo(node) : node.kind === 'call' ? injectedBy(node, module) : undefined;
  return own === undefined ? [] : [{ space, key, node: own, value: (_ev, at) => unknown(own, at.module) }];
}

/** `Vue.prototype.$axios = client` */
const assignedTo = ({ target, value }: AssignNode): Node | undefined =>
  target.kind === 'member' && target.property === key ? value : undefined;

/** `inject('axios', client)`: the second parameter of a plugin, whatever that calls it. */
function injectedBy({ callee, args: [first, value] }: CallNode, { scopes }: SourceModule): Node | undefined {
  if (callee.kind !== 'name' || first?.kind !== 'string' || !/^\$?axios$/.test(first.value)) return undefined;
  return scopes.bindingOf(callee)?.owner.kind === 'param' ? value : undefined;
}

/** What a variable, or the configuration of the runtime, puts in the place of the base counts before it; where a proxy stands between, nobody sees the address. */
function clientOf(ev: Evaluation, config: ObjectNode, at: At): HttpValue {
  const { module } = at;
  const whole = ev.evaluate(config, at);
  const read = (...path: readonly string[]): Value => path.reduce((found, each) => ev.member(found, each, config, at), whole);
  const given = (...path: readonly string[]): readonly Value[] => optionsOf(read(...path)).filter((each) => each.type !== 'literal');
  const isProxied = ['proxy', 'prefix', 'host', 'port'].some((each) => given('axios', each).length > 0 || isTrue(read('axios', each)));
  const set = (variable: string, values: readonly Value[], node: Node = config): readonly Value[] => {
    const otherwise = values.find((value) => value.type === 'text');
    const own: readonly EnvValue[] = otherwise === undefined ? [] : [{ type: 'env', name: variable, node, module, otherwise }];
    return [...own, ...values];
  };
  const [inBoth, inBrowser] = [given('axios', 'baseURL'), given('axios', 'browserBaseURL')];
  const bases = [
    ...set('API_URL', inBoth),
    ...set('API_URL_BROWSER', inBrowser.length === 0 ? inBoth : inBrowser, propertyOf(config, 'axios')),
    ...['publicRuntimeConfig', 'privateRuntimeConfig'].flatMap((each) => [
      ...given(each, 'axios', 'baseURL'),
      ...given(each, 'axios', 'browserBaseURL'),
    ]),
  ];
  return {
    type: 'http',
    client: name,
    stage: 'client',
    node: config,
    module,
    origins: [config],
    // Who signs in by a module has his own token sent with all that is asked.
    headers: [
      ...given('axios', 'headers', 'common'),
      ...given('axios', 'headers', 'get'),
      ...(modulesOf(config).some((each) => /auth/i.test(each)) ? [authorized({ node: config, module })] : []),
    ],
    base: isProxied || bases.length === 0 ? unknown(config, module, 'assigned') : choiceOf(bases),
    join: 'slash',
  };
}

const isTrue = (value: Value): boolean => value.type === 'literal' && value.value === true;

/** `this.$axios`, `app.$axios`, and `{ $axios }` of the context that plugins, middleware and pages are given. */
function asks(node: AskNode, of: string | undefined): Ask | undefined {
  const isNamed = of === key && (node.kind === 'member' || node.kind === 'patternName');
  return isNamed && /^(?:this|app|ctx|context|vm|root|nuxt|\$nuxt|\(parameter\))$/.test(ownerOf(node)) ? { space, key } : undefined;
}

/** What `this` is in actions of the store, and in hooks of pages: what Nuxt injects, and more. */
function thisIn(ev: Evaluation, fn: FunctionNode, at: At): ObjectValue | undefined {
  const { module } = at;
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  if (object?.kind !== 'object' || !injecting.test(module.file) || !module.text.includes('this.$axios')) return undefined;
  if (object.properties.some((each) => each.kind !== 'property' || each.name === undefined || each.name === key)) return undefined;
  const client = providedFor(ev, { space, key }, fn, at);
  if (client === undefined) return undefined;
  const entry = { name: key, key: undefined, node: fn, module, valueNode: undefined, value: () => client };
  return { type: 'object', node: fn, module, entries: [entry], unknown: [unknown(fn, module)] };
}

const injecting = /\.vue$|(?:^|\/)(?:store|mixins)\//;

/** What axios has, and each verb with a `$`, which gives the data of the answer. */
function call(call: RuleCall): Value | undefined {
  if (call.on?.stage !== 'client') return undefined;
  const made = axiosRule.call?.({ ...call, path: call.path.map((each) => each.replace(/^\$/, '')) });
  return made?.type === 'http' ? { ...made, client: name } : made;
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call') return axiosRule.additions?.(mutation, request, ev);
  const { node, path, module } = mutation;
  const [first] = ev.args(node, mutation);
  switch (path.join('.')) {
    case 'setHeader':
      return { headers: [headersOfCall(ev, node, mutation)] };
    case 'setToken':
      return { headers: [authorized({ node, module })] };
    case 'setBaseURL':
      return { base: written(first ?? unknown(node, module)) };
    case 'onRequest':
      return intercepted(ev, mutation, first === undefined ? [] : optionsOf(first), request);
    default:
      return axiosRule.additions?.(mutation, request, ev);
  }
}

export const nuxtAxiosRule: ClientRule = {
  name,
  title: '@nuxtjs/axios',
  call,
  additions,
  carries: [{ where: /['"]@nuxtjs\/axios['"]/, puts, asks }],
  thisIn,
  ambient: { mark: /['"]@nuxtjs\/axios['"]/, reached: /\$axios\b|\b[\w$]+\(\s*['"]\$?axios['"]\s*,/, isSilent: true },
  asksBy: ['\\$(?:get|post|put|patch|delete|head|request)', 'setToken', 'setBaseURL', 'onRequest'],
};
