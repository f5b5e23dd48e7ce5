/**
 * ts-rest: https://ts-rest.com/docs/core. A contract says which routes there are, `initClient` makes a function of each, and base and path are put together
 * as they are. Paths are templates: `/contacts/:id`.
 */
import { memoOf } from '../../../once.ts';
import { answeredHeaders } from '../../answered-headers.ts';
import { headersSetBy } from '../../callbacks.ts';
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { concatenated } from '../../../evaluate/values/text.ts';
import { choiceOf, type Entry, type HttpValue, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { none } from '../../../syntax/lists.ts';
import type { Node, ObjectNode } from '../../../syntax/tree.ts';
import { made, movedBy, option } from '../../shapes.ts';
import { handedOn, isElsewhere } from './ts-rest-fetchers.ts';

const name = 'ts-rest';
const makers = new Set(['initClient', 'initQueryClient', 'initTsrReactQuery', 'initTsrVueQuery', 'initTsrSolidQuery']);
/** What the libraries of queries have for each route. */
const hooks =
  /^(?:use\w*(?:Query|Queries|Mutation)|(?:fetch|prefetch|ensure)\w*(?:Query|QueryData)|query|mutate|mutation|createQuery|createMutation)$/;

function call(call: RuleCall): Value | undefined {
  const { on, args, path } = call;
  const [verb = '', ...more] = path;
  if (on === undefined) {
    if (more.length > 0) return undefined;
    if (verb === 'initContract') return { ...made(name, 'client', call, {}), notes: { makes: { type: 'literal', value: true } } };
    return makers.has(verb) && args[0] !== undefined ? client(call, args[0], args[1]) : undefined;
  }
  if (on.notes?.['makes'] !== undefined) return more.length === 0 ? contract(call, verb) : undefined;
  return on.stage === 'client' ? request(call, on) : undefined;
}

/** `c.router(routes, { pathPrefix: '/v1' })`, and the functions that give back the one route that they are given. */
function contract(call: RuleCall, verb: string): Value | undefined {
  const [routes, options] = call.args;
  if (verb === 'query' || verb === 'mutation') return routes;
  if (verb !== 'router' || routes === undefined) return undefined;
  const prefix = option(call, options, 'pathPrefix');
  return prefix === undefined ? routes : below(prefix, routes);
}

/** The routes of a contract, or of one within it, with what stands before each of their paths. */
const below = (prefix: Value, routes: Value): Value =>
  choiceOf(
    optionsOf(routes).map((each) => {
      if (each.type !== 'object') return each;
      const isOfRoute = ['method', 'path'].every((part) => each.entries.some((entry) => entry.name === part));
      const put = (entry: Entry): Entry => {
        if (isOfRoute) return entry.name === 'path' ? { ...entry, value: () => concatenated([prefix, entry.value()]) } : entry;
        return { ...entry, value: () => below(prefix, entry.value()) };
      };
      return { ...each, entries: each.entries.map(put) };
    }),
  );

function client(call: RuleCall, routes: Value, options: Value | undefined): HttpValue {
  const found = made(name, 'client', call, { ...config(call, options), join: 'append' });
  return { ...found, notes: { ...found.notes, routes } };
}

/** `client.contacts.get({ params: { id } })`, `client.contacts.get.useQuery(key, { params })` */
function request(call: RuleCall, on: HttpValue): Value | undefined {
  const names = hooks.test(call.path.at(-1) ?? '') && call.path.length > 1 ? call.path.slice(0, -1) : call.path;
  const routes = on.notes?.['routes'];
  const route = routes && names.reduce<Value>((found, each) => call.ev.member(found, each, call.node, call), routes);
  const url = option(call, route, 'path');
  if (route?.type !== 'object' || url === undefined) return undefined;
  const asked = call.args.findLast(({ type }) => type === 'object');
  const given = option(call, asked, 'queryData') ?? asked;
  const overridden = config(call, option(call, given, 'overrideClientOptions'));
  const own = [option(call, given, 'extraHeaders'), option(call, given, 'headers')];
  return made(name, 'request', call, {
    ...overridden,
    headers: [...overridden.headers, ...own],
    method: option(call, route, 'method'),
    url,
  });
}

/** The names in a contract, also of routes that are put into it by a call or a name: `create: c.mutation({ … })`, `c.router({ contacts })`. */
const namesIn = ({ text, tree }: SourceModule): readonly string[] =>
  text.includes('@ts-rest/core') ? nodesOfKind(tree.program, 'property').flatMap(({ name }) => name ?? []) : none;

const isRoute = ({ properties }: ObjectNode): boolean =>
  ['method', 'path', 'responses'].every((part) => properties.some((each) => each.kind === 'property' && each.name === part));

/** Whether a text is the path of a route in a contract: nothing is decided by it. */
export const isPathOfRoute = ({ parent }: Node): boolean =>
  parent?.kind === 'property' && parent.name === 'path' && parent.parent?.kind === 'object' && isRoute(parent.parent);

/** Whether a name of a header stands in the schema that a contract has for these, `headers: z.object({ 'x-api-key': z.string() })`: what asks is of that type. */
export function isHeaderOfRoute(node: Node, module: SourceModule): boolean {
  if (!hasContracts(module)) return false;
  for (let at: Node | undefined = node; at !== undefined && at.kind !== 'function'; at = at.parent) {
    if (at.kind !== 'property' || at.parent?.kind !== 'object') continue;
    if (at.name === 'headers' && isRoute(at.parent)) return true;
    if (at.name === 'baseHeaders' && isOfRouter(at.parent)) return true;
  }
  return false;
}

const hasContracts = memoOf(({ text }: SourceModule): boolean => text.includes('@ts-rest/core'));

/** `c.router(routes, { baseHeaders: … })` */
const isOfRouter = (options: ObjectNode): boolean =>
  options.parent?.kind === 'call' &&
  options.parent.args[1] === options &&
  options.parent.callee.kind === 'member' &&
  options.parent.callee.property === 'router';

const config = (call: RuleCall, options: Value | undefined) => {
  const api = option(call, options, 'api');
  const handed = handedOn(call, api);
  const base = option(call, options, 'baseHeaders');
  return {
    base: option(call, options, 'baseUrl'),
    // `baseHeaders: { 'x-api-key': () => key }`: a function says what each request has.
    headers: [base && answeredHeaders(call.ev, base), headersSetBy(call.ev, api, 0, ['headers'], [], handed)],
    moved: isElsewhere(call.ev, api, handed) ? unknown(call.node, call.module, 'assigned') : movedBy(call, api, [[0, ['path']]]),
  };
};

export const tsRestRule: ClientRule = {
  name,
  modules: ['@ts-rest/core', '@ts-rest/react-query', '@ts-rest/react-query/v5', '@ts-rest/vue-query', '@ts-rest/solid-query'],
  call,
  functionsIn: namesIn,
  bases: ['baseUrl'],
  sendsSmallLetters: true,
};
