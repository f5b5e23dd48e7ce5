/** undici's MockAgent: https://undici.nodejs.org/#/docs/api/MockAgent. `agent.get(origin).intercept({ path, method, headers })`. */
import { flat } from '../../evaluate/values/text.ts';
import { type HttpValue, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { comparedAt, isComparison } from '../../evaluate/language/comparisons.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { walk } from '../../syntax/link.ts';
import { receivedBy } from './mock-function.ts';
import { addressOf } from './path-patterns.ts';
import { made, option } from '../shapes.ts';

/** After these an interceptor goes on to be one. */
const scopes = new Set(['reply', 'replyWithError', 'defaultReplyHeaders', 'defaultReplyTrailers', 'replyContentLength']);

/** @returns undefined for what is no mock */
export function mockAgent(client: string, call: RuleCall): Value | undefined {
  const { path, args, node, on } = call;
  const verb = path.join('.');
  const expected = (stage: HttpValue['stage'], described: Parameters<typeof made>[3]): HttpValue => ({
    ...made(client, stage, call, described),
    mock: {},
  });
  // What tests of Workers are given: `import { fetchMock } from 'cloudflare:test'`.
  // It answers in the place of the network from then on, and goes nowhere else.
  if (verb === 'setGlobalDispatcher' && args[0]?.type === 'http' && args[0].mock !== undefined)
    return { type: 'literal', value: undefined };
  if (on === undefined && verb === 'fetchMock.get') return expected('client', { base: args[0], join: 'append' });
  if (on === undefined) return node.isNew && /^Mock(?:Agent|Client|Pool)$/.test(verb) ? mockOf(verb, args[0], expected) : undefined;
  if (on.mock === undefined) return undefined;
  if (verb === 'get') return expected('client', { base: args[0], join: 'append' });
  if (on.stage === 'request') return scopes.has(verb) ? undefined : on;
  if (verb !== 'intercept') return undefined;
  const [options] = args;
  const method = option(call, options, 'method') ?? 'GET';
  const url = option(call, options, 'path');
  const headers = [option(call, options, 'headers')];
  if (url?.type === 'function') {
    const sought = soughtIn(url, call.ev);
    return sought?.url === undefined ? on : { ...expected('request', { url: sought.url, method, headers }), mock: sought.mock };
  }
  const pattern = options?.type === 'object' ? options.entries.findLast(({ name }) => name === 'path')?.valueNode : undefined;
  const address = addressOf(pattern, call.module, url);
  return { ...expected('request', { url: address.url, method, headers }), mock: address.mock };
}

/** `reply(200, (options) => …)`, `reply((options) => …)`: the request that it answers, its headers as the program writes them. */
export function givenToReply({ path, on, index, argument, within, node, module }: Given): Value | undefined {
  const isReply = path.join('.') === 'reply' && index === 0 && argument < 2 && within.length === 0;
  if (!isReply || on?.mock === undefined || on.stage !== 'request') return undefined;
  const { base, url, join, mock } = on;
  return { ...receivedBy({ node, module }, { ...(base && { base }), ...(url && { url }), ...(join && { join }) }, true), mock };
}

/** `{ path: (path) => path.startsWith('…'), headers: (headers) => headers['x-api-key'] === '…' }`: what these get of a request. */
export function givenToMatcher(given: Given): Value | undefined {
  const { path, on, index, argument, within, ev, call } = given;
  const [name, ...more] = within;
  if (on?.mock === undefined || path.join('.') !== 'intercept' || argument !== 0 || index !== 0 || more.length > 0) return undefined;
  const [options] = ev.args(call, given);
  const url = name === 'headers' ? options && ev.member(options, 'path', call, given) : undefined;
  const sought = url && soughtIn(url, ev);
  const address = sought === undefined ? url : sought.url;
  const request = {
    ...receivedBy(given, {
      ...(on.base === undefined ? {} : { base: on.base, join: on.join ?? 'append' }),
      ...(address && { url: address }),
    }),
    ...(sought?.mock && { mock: sought.mock }),
  };
  if (name === 'path') return request;
  return name === 'headers' ? { type: 'method', receiver: request, path: ['headers'] } : undefined;
}

/** What a function looks for in the path that it gets: `(path) => path.startsWith('/v1/messages/')`; undefined where that is not one thing. */
function soughtIn(fn: Value, ev: Evaluation): HttpValue | undefined {
  if (fn.type !== 'function') return undefined;
  const found: HttpValue[] = [];
  walk(fn.node, (node) => {
    const values = [...(isComparison(node) ? [comparedAt(ev, node, fn)] : []), ...(node.kind === 'call' ? [ev.evaluate(node, fn)] : [])];
    found.push(
      ...values.filter((each) => each.type === 'http').filter(({ url }) => url !== undefined && versioned.test(flat(partsOf(url)))),
    );
    return node === fn.node || node.kind !== 'function';
  });
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

const versioned = /^\/v[12](?:\/|$)/;

const mockOf = (kind: string, origin: Value | undefined, expected: (stage: 'client', described: Parameters<typeof made>[3]) => HttpValue) =>
  expected('client', kind === 'MockAgent' ? {} : { base: origin, join: 'append' });
