/** undici's MockAgent: https://undici.nodejs.org/#/docs/api/MockAgent. `agent.get(origin).intercept({ path, method, headers })`. */
import type { HttpValue, Value } from '../evaluate/values.ts';
import type { Given, RuleCall } from '../evaluate/client-rule.ts';
import { receivedBy } from './mock-function.ts';
import { addressOf } from './path-patterns.ts';
import { made, option } from './shapes.ts';

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
  if (on === undefined && verb === 'fetchMock.get') return expected('client', { base: args[0], join: 'append' });
  if (on === undefined) return node.isNew && /^Mock(?:Agent|Client|Pool)$/.test(verb) ? mockOf(verb, args[0], expected) : undefined;
  if (on.mock === undefined) return undefined;
  if (verb === 'get') return expected('client', { base: args[0], join: 'append' });
  if (on.stage === 'request') return scopes.has(verb) ? undefined : on;
  if (verb !== 'intercept') return undefined;
  const [options] = args;
  const method = option(call, options, 'method') ?? 'GET';
  const url = option(call, options, 'path');
  // What it compares with is found there.
  if (url?.type === 'function') return on;
  const pattern = options?.type === 'object' ? options.entries.findLast(({ name }) => name === 'path')?.valueNode : undefined;
  const address = addressOf(pattern, call.module, url);
  return { ...expected('request', { url: address.url, method, headers: [option(call, options, 'headers')] }), mock: address.mock };
}

/** `reply(200, (options) => …)`, `reply((options) => …)`: the request that it answers, its headers as the program writes them. */
export function givenToReply({ path, on, index, argument, within, node, module }: Given): Value | undefined {
  const isReply = path.join('.') === 'reply' && index === 0 && argument < 2 && within.length === 0;
  if (!isReply || on?.mock === undefined || on.stage !== 'request') return undefined;
  const { base, url, join } = on;
  return receivedBy({ node, module }, { ...(base && { base }), ...(url && { url }), ...(join && { join }) }, true);
}

/** `{ path: (path) => path.startsWith('…'), headers: (headers) => headers['x-api-key'] === '…' }`: what these get of a request. */
export function givenToMatcher(given: Given): Value | undefined {
  const { path, on, index, argument, within, ev, call } = given;
  const [name, ...more] = within;
  if (on?.mock === undefined || path.join('.') !== 'intercept' || argument !== 0 || index !== 0 || more.length > 0) return undefined;
  const [options] = ev.args(call, given);
  const url = name === 'headers' ? options && ev.member(options, 'path', call, given) : undefined;
  const request = receivedBy(given, {
    ...(on.base === undefined ? {} : { base: on.base, join: on.join ?? 'append' }),
    ...(url && { url }),
  });
  if (name === 'path') return request;
  return name === 'headers' ? { type: 'method', receiver: request, path: ['headers'] } : undefined;
}

const mockOf = (kind: string, origin: Value | undefined, expected: (stage: 'client', described: Parameters<typeof made>[3]) => HttpValue) =>
  expected('client', kind === 'MockAgent' ? {} : { base: origin, join: 'append' });
