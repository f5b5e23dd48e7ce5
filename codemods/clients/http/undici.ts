/** undici: https://undici.nodejs.org/#/docs/api/Dispatcher. */
import type { Value } from '../../evaluate/values.ts';
import { answerMethods, fetchRequest, packagedHeaders } from './fetch.ts';
import { givenToMatcher, givenToReply, mockAgent } from '../testing/mock-agent.ts';
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { made, option, settingHeaders, urlOf } from '../shapes.ts';

const name = 'undici';
/** Dispatchers with the origin of their constructor's first argument. */
const ofOneOrigin = new Set(['Client', 'Pool', 'RoundRobinPool', 'BalancedPool']);
const asking = new Set(['request', 'stream', 'pipeline', 'dispatch']);

function call(call: RuleCall): Value | undefined {
  const { args, node } = call;
  const [verb = '', ...more] = call.path;
  const mock = mockAgent(name, call);
  if (mock !== undefined || call.on?.mock !== undefined) return mock;
  if (more.length > 0) return undefined;
  if (call.on !== undefined) return onDispatcher(call, verb);
  if (verb === 'fetch' || verb === 'Request') return fetchRequest(name, call);
  if (verb === 'Headers') return packagedHeaders(call);
  if (node.isNew) {
    const origin = args[0]?.type === 'list' ? args[0].items[0] : args[0];
    return ofOneOrigin.has(verb) ? made(name, 'client', call, { base: origin, join: 'append' }) : made(name, 'client', call, {});
  }
  if (!asking.has(verb)) return undefined;
  const [target, options] = args;
  const url = target?.type === 'object' ? inParts(call, target) : target;
  // A path among the options takes the place of the URL's.
  const path = option(call, options, 'path');
  return made(name, 'request', call, {
    ...described(call, options),
    ...(path === undefined ? { url } : { base: url, url: path, join: 'append' }),
  });
}

const described = (call: RuleCall, options: Value | undefined) => ({
  method: option(call, options, 'method') ?? 'GET',
  headers: [option(call, options, 'headers')],
});

/** `pool.request({ path })`, and `agent.request({ origin, path })`. */
function onDispatcher(call: RuleCall, verb: string): Value | undefined {
  if (call.on?.stage !== 'client') return undefined;
  // `compose` and `intercept` give a dispatcher that asks the same origin.
  if (verb === 'compose') return made(name, 'client', call, {});
  const [options] = call.args;
  if (!asking.has(verb) || options === undefined) return undefined;
  const target = options.type === 'param' ? options : option(call, options, 'path');
  const base = option(call, options, 'origin');
  return made(name, 'request', call, { ...described(call, options), url: target, ...(base === undefined ? {} : { base }), join: 'append' });
}

/** A URL as an object: `{ origin, path }` or `{ protocol, hostname, port, pathname }`. */
function inParts(call: RuleCall, url: Value): Value | undefined {
  const path = option(call, url, 'path', 'pathname');
  const origin = option(call, url, 'origin');
  if (origin !== undefined) return urlOf({ origin, path });
  return urlOf({
    protocol: option(call, url, 'protocol'),
    host: option(call, url, 'hostname', 'host'),
    port: option(call, url, 'port'),
    path,
  });
}

export const undiciRule: ClientRule = {
  name,
  isBelowOthers: true,
  title: 'undici and its MockAgent',
  modules: [name, 'cloudflare:test'],
  call,
  answers: { to: ['fetch'], by: answerMethods },
  given: (given) => givenToReply(given) ?? givenToMatcher(given),
  additions: settingHeaders(new Set(['headers.set', 'headers.append'])),
  addsBy: ['headers'],
  asksBy: ['stream', 'pipeline'],
  retries: [name],
};
