/** What is put around the requests of a client of Zodios: plugins that it has, and objects with a function `request` as projects write them. */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import type { Additions, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { written } from '../../../evaluate/writes/external-writes.ts';
import { choiceOf, type HttpValue, optionsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import { answeredHeaders } from '../../answered-headers.ts';
import { headersSetBy, isGivenAway, registeredBy, replacedBy } from '../../callbacks.ts';
import { authorized, type Described, headersOfCall, made, option } from '../../shapes.ts';

/** Those that say neither where a request goes nor with which key. */
const others = new Set(['pluginApi', 'formDataPlugin', 'formURLPlugin', 'zodValidationPlugin']);

/** `pluginHeader('x-api-key', async () => key)`; undefined for what is no plugin. */
export function pluginOf(call: RuleCall, client: string, name: string): HttpValue | undefined {
  const said = saidBy(call, name);
  return said && made(client, 'client', call, said);
}

function saidBy(call: RuleCall, name: string): Described | undefined {
  const [first] = call.args;
  const open = unknown(call.node, call.module, 'assigned');
  switch (name) {
    case 'pluginHeader':
    case 'headerPlugin':
      return { headers: [answeredHeaders(call.ev, headersOfCall(call.ev, call.node, call))] };
    case 'pluginToken':
      return { headers: [authorized(call)] };
    case 'pluginBaseURL':
      return { base: first };
    case 'pluginClearHeader': {
      const cleared = first && plainText(first);
      return cleared === undefined || isKeyHeader(cleared) ? { moved: open } : {};
    }
    case 'pluginFetch':
      return option(call, first, 'fetch') === undefined ? {} : { moved: open };
    default:
      return others.has(name) ? {} : undefined;
  }
}

/** `client.use(plugin)`, `client.use('alias', plugin)`, `client.use('get', '/contacts', plugin)` */
export function addedByPlugin(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path.join('.') !== 'use') return undefined;
  const { node } = mutation;
  const of = ev.args(node, mutation);
  const plugin = of.at(-1);
  if (plugin === undefined || (of.length > 1 && !isFor(of.slice(0, -1), request))) return undefined;
  // The path that is written there would have to change with the endpoint's.
  if (of.length > 2) return { moved: unknown(node, mutation.module, 'assigned') };
  const all = (of.length === 1 ? registeredBy(ev, node, mutation) : optionsOf(plugin)).map((each) => addedBy(each, request, mutation, ev));
  const bases = all.flatMap(({ base }) => base ?? []);
  return {
    ...(bases.length === 0 ? {} : { base: choiceOf(bases) }),
    moved: all.find(({ moved }) => moved !== undefined)?.moved,
    headers: all.flatMap(({ headers }) => headers ?? []),
  } satisfies { [Part in keyof Additions]: Additions[Part] | undefined };
}

/** Whether a plugin that is for one endpoint is for what a request asks: by the endpoint's alias, or by method and path. */
const isFor = ([first, second]: readonly Value[], { notes, method, url }: HttpValue): boolean =>
  second === undefined ? mayBeSame(first, notes?.['alias']) : mayBeSame(first, method) && mayBeSame(second, url);

function mayBeSame(one: Value | undefined, other: Value | string | undefined): boolean {
  const [texts, others] = [one, other].map((each) => (typeof each === 'object' ? optionsOf(each).map(plainText) : [each]));
  return (
    texts === undefined ||
    others === undefined ||
    texts.includes(undefined) ||
    others.some((each) => each === undefined || texts.includes(each))
  );
}

function addedBy(plugin: Value, { client }: HttpValue, mutation: Extract<Mutation, { kind: 'call' }>, ev: Evaluation): Additions {
  const { node, module } = mutation;
  if (plugin.type === 'http' && plugin.client === client)
    return { base: plugin.base && written(plugin.base), moved: plugin.notes?.['moved'], headers: plugin.headers };
  const fn = ev.member(plugin, 'request', node, mutation);
  if (fn.type === 'literal') return {};
  const bases = replacedBy(ev, fn, 1, 'baseURL').map(written);
  const isMoved = fn.type !== 'function' || replacedBy(ev, fn, 1, 'url').length > 0 || isGivenAway(ev, fn, 1);
  return {
    base: bases.length === 0 ? undefined : choiceOf(bases),
    moved: isMoved ? unknown(node, module, 'assigned') : undefined,
    headers: [headersSetBy(ev, fn, 1, ['headers'])].filter((each) => each !== undefined),
  };
}
