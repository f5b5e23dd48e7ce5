/** axios-mock-adapter: https://github.com/ctimmerm/axios-mock-adapter. It answers for one axios instance, or for axios itself. */
import { isNullish } from '../../evaluate/language/or-default.ts';
import { flat } from '../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import { axiosRule } from '../http/axios.ts';
import type { ClientRule, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { receivedBy } from './mock-function.ts';
import { addressOf } from './path-patterns.ts';
import { made, option, verbs, withBody } from '../shapes.ts';

const name = 'axios-mock-adapter';
/** What gives the adapter back: `mock.onGet(url).replyOnce(429).onGet(url).reply(200)`. */
const answering = /^(?:reply|passThrough|abortRequest|networkError|timeout)(?:Once)?$/;

function call(call: RuleCall): Value | undefined {
  const { path, args, node, on } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) return node.isNew && args[0] !== undefined ? adaptersOf(call, args[0]) : undefined;
  if (answering.test(verb)) return on.notes?.['adapter'];
  if (verb === 'withDelayInMs') return on;
  const [, method] = /^on([A-Z][a-z]+)$/.exec(verb) ?? [];
  const asked = method?.toLowerCase();
  if (asked === undefined || (!verbs.has(asked) && asked !== 'any')) return undefined;
  // Before version 2 headers came last, after the parameters or the body; now they stand beside the parameters.
  const [, second, third] = args;
  const headers = [third?.type === 'object' ? (option(call, third, 'headers') ?? third) : undefined];
  if (!withBody.has(asked)) headers.push(option(call, second, 'headers'));
  // Without a path it answers whatever the client asks, and says nothing of where that goes.
  const { url, mock } =
    node.args[0] === undefined ? { url: undefined, mock: { expects: 'part' } as const } : addressOf(node.args[0], call.module, args[0]);
  const request = made(name, 'request', call, { url, headers, ...(asked === 'any' ? {} : { method: asked }) });
  return {
    ...request,
    mock: isBelowNothing(on, url) ? { ...mock, expects: mock.expects ?? 'value' } : mock,
    notes: { ...request.notes, adapter: on },
  };
}

/**
 * A path for a client that has no base of its own, as axios itself has none: whoever asks by it says at each call where that goes, and it moves if
 * all of these do, as what is expected of them.
 */
const isBelowNothing = ({ base }: HttpValue, url: Value | undefined): boolean =>
  base === undefined && url !== undefined && optionsOf(url).every((each) => each.type === 'text' && /^\/?v1\//.test(flat(each.parts)));

/** `onGet(url).reply((config) => …)`: the request that it answers. */
function given({ path, on, index, argument, within, node, module }: Given): Value | undefined {
  const isReply = /^reply(?:Once)?$/.test(path.join('.')) && index === 0 && argument === 0 && within.length === 0;
  if (!isReply || on?.stage !== 'request') return undefined;
  const { base, url, join, mock } = on;
  return receivedBy({ node, module }, { ...(base && { base }), ...(url && { url }), ...(join && { join }), ...(mock && { mock }) }, true);
}

/** An instance that is made when it is first asked for is nothing until then: `let instance = null`. */
function adaptersOf(call: RuleCall, client: Value): Value | undefined {
  const adapters = optionsOf(client)
    .filter((each) => !isNullish(each))
    .map((each) => adapterOf(call, each));
  return adapters.length > 0 && adapters.every((each) => each !== undefined) ? choiceOf(adapters) : undefined;
}

/** Base and defaults are those of the instance. */
function adapterOf(call: RuleCall, client: Value): HttpValue | undefined {
  if (client.type === 'external') return { ...made(name, 'client', call, { join: 'slash' }), origins: [client.source], mock: {} };
  if (client.type !== 'http' || client.client !== axiosRule.name) return undefined;
  return { ...made(name, 'client', { ...call, on: client }, {}), mock: {} };
}

export const axiosMockAdapterRule: ClientRule = {
  name,
  isForTests: true,
  modules: [name],
  call,
  given,
  ...(axiosRule.additions === undefined ? {} : { additions: axiosRule.additions }),
};
