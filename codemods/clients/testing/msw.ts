/** msw: https://mswjs.io/docs/api/http, and `rest` of version 1. Handlers stand for requests; resolvers read what arrives. */
import { flat } from '../../evaluate/values/text.ts';
import { type HttpValue, type Mock, partsOf, type Value } from '../../evaluate/values/values.ts';
import { incomingRequest, objectOf, readHeader } from '../servers/incoming.ts';
import type { ClientRule, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { addressOf } from './path-patterns.ts';
import { made, verbs } from '../shapes.ts';

const name = 'msw';

function call(call: RuleCall): Value | undefined {
  const { path, args, on } = call;
  if (on !== undefined) return path.join('.') === 'clone' ? on : readHeader(name, call);
  if (/^setup(?:Server|Worker)$/.test(path.join('.'))) return { ...made(name, 'client', call, {}), mock: {} };
  const verb = verbOf(path);
  const [url] = args;
  if (verb === undefined || url === undefined) return undefined;
  const address = expectedAt(call, url);
  return { ...made(name, 'request', call, { url: address.url, ...methodOf(verb) }), mock: address.mock };
}

/** `http.get`, `rest.post`. */
function verbOf([namespace, verb, ...more]: readonly string[]): string | undefined {
  const isHandler = (namespace === 'http' || namespace === 'rest') && verb !== undefined && more.length === 0;
  return isHandler && (verbs.has(verb) || verb === 'all') ? verb : undefined;
}

/** `*` stands for any host, or for all that is asked below an address. */
function ofPattern(url: Value): Mock {
  const text = flat(partsOf(url));
  if (!text.includes('*')) return {};
  return { expects: 'part', ...(!text.startsWith('*') && { isOfAll: true }) };
}

/** `*` alone says of a request no more than its method. */
const isOfAnything = (url: Value): boolean => /^\*(?:\/\*)?$/.test(flat(partsOf(url)));

function expectedAt({ node, module }: Pick<RuleCall, 'node' | 'module'>, url: Value): { readonly url: Value; readonly mock: Mock } {
  const address = addressOf(node.args[0], module, url);
  return address.url === url ? { url, mock: ofPattern(url) } : { url: address.url ?? url, mock: address.mock };
}

const methodOf = (verb: string): Pick<HttpValue, 'method'> => (verb === 'all' ? {} : { method: verb });

/** `({ request }) => …` of version 2, `(request, response, context) => …` of version 1; `server.events.on('request:start', …)` hears of all requests. */
function given(given: Given): Value | undefined {
  const { path, index, argument, within, call: handler, on, ev } = given;
  if (on !== undefined) {
    const isHeard = /^events\.(?:on|once)$/.test(path.join('.')) && index === 0 && argument === 1;
    return isHeard ? objectOf({ request: incomingRequest(name, given, {}) }, given) : undefined;
  }
  const verb = verbOf(path);
  const [url] = ev.args(handler, given);
  if (verb === undefined || url === undefined || index !== 0 || argument !== 1 || within.length > 0) return undefined;
  const address = expectedAt({ node: handler, module: given.module }, url);
  const asked = isOfAnything(url) ? {} : { url: address.url };
  const request = { ...incomingRequest(name, given, { ...asked, ...methodOf(verb) }), mock: address.mock };
  return path[0] === 'http' ? objectOf({ request }, given) : request;
}

export const mswRule: ClientRule = {
  name,
  isForTests: true,
  modules: [name, 'msw/node', 'msw/browser', 'msw/native'],
  call,
  given,
  asksBy: ['has'],
};
