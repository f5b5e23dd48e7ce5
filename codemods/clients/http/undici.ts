/** undici: https://undici.nodejs.org/#/docs/api/Dispatcher. */
import { choiceOf, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { answerMethods, dispatchedBy, fetchRequest, packagedHeaders } from './fetch.ts';
import { headersSetBy, replacedBy } from '../callbacks.ts';
import { givenAt, passingOn } from '../middlewares.ts';
import { givenToMatcher, givenToReply, mockAgent } from '../testing/mock-agent.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { type Described, made, option, settingHeaders, urlOf } from '../shapes.ts';

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
    const origin = args[0]?.type === 'list' && args[0].items.length > 0 ? choiceOf(args[0].items) : args[0];
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

function described(call: RuleCall, options: Value | undefined): Described {
  const { headers, moved } = dispatchedBy(call, options);
  return { method: option(call, options, 'method') ?? 'GET', headers: [option(call, options, 'headers'), ...headers], moved };
}

/** What interceptors hand on: `(dispatch) => (options, handler) => dispatch({ ...options, origin: other }, handler)`. */
function composed({ ev, args, node, module }: RuleCall): Described {
  const interceptors = args.flatMap((each) => (each.type === 'list' ? each.items : [each])).flatMap((each) => passingOn(ev, each));
  const isMoved = interceptors.some(
    ({ ask, calls }) =>
      address.some((name) => replacedBy(ev, ask, 0, name).length > 0) ||
      calls.flatMap(givenAt(0)).some((given) => optionsOf(ev.evaluate(given, ask)).some(namesAddress)),
  );
  return {
    headers: interceptors.map(({ ask, calls }) => headersSetBy(ev, ask, 0, ['headers'], [], calls.flatMap(givenAt(0)))),
    moved: isMoved ? unknown(node, module, 'assigned') : undefined,
  };
}

const address = ['origin', 'path'];
const namesAddress = (options: Value): boolean =>
  options.type === 'object' && options.entries.some(({ name }) => name !== undefined && address.includes(name));

/** `pool.request({ path })`, and `agent.request({ origin, path })`. */
function onDispatcher(call: RuleCall, verb: string): Value | undefined {
  if (call.on?.stage !== 'client') return undefined;
  if (verb === 'compose') return made(name, 'client', call, composed(call));
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

const headersSet = settingHeaders(new Set(['headers.set', 'headers.append']));

export const undiciRule: ClientRule = {
  name,
  isBelowOthers: true,
  title: 'undici and its MockAgent',
  modules: [name, 'cloudflare:test'],
  call,
  answers: { to: ['fetch'], by: answerMethods },
  given: (given) => givenToReply(given) ?? givenToMatcher(given),
  additions(mutation, request, ev) {
    // A pool of several asks whichever is free.
    if (mutation.kind === 'call' && mutation.path.join('.') === 'addUpstream') return { base: ev.args(mutation.node, mutation)[0] };
    return headersSet(mutation, request, ev);
  },
  addsBy: ['headers', 'addUpstream'],
  asksBy: ['stream', 'pipeline'],
  retries: [name],
};
