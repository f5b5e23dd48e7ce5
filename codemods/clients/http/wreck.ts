/** wreck: https://hapi.dev/module/wreck/api. Defaults of defaults, and the events of a client that tells of its requests. */
import { type HttpValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { headersSetBy, isGivenAway, replacedBy } from '../callbacks.ts';
import { made, option, verbs } from '../shapes.ts';

const name = 'wreck';

const described = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseUrl'),
  headers: [option(call, options, 'headers')],
  moved: option(call, options, 'socketPath') === undefined ? undefined : unknown(call.node, call.module, 'assigned'),
  join: 'resolve' as const,
});

function call(call: RuleCall): Value | undefined {
  const [verb = '', ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0 || call.on?.stage === 'request') return undefined;
  const { args } = call;
  if (verb === 'defaults') return made(name, 'client', call, described(call, args[0]));
  if (verb === 'request') return made(name, 'request', call, { ...described(call, args[2]), url: args[1], method: args[0] });
  return verbs.has(verb) ? made(name, 'request', call, { ...described(call, args[1]), url: args[0], method: verb }) : undefined;
}

const listening = new Set(['events.on', 'events.once', 'events.addListener', 'events.prependListener']);
/** What node is asked for, which listeners may still write to. */
const address = ['protocol', 'host', 'hostname', 'port', 'path', 'socketPath'];

/** `client.events.on('preRequest', (uri) => …)`: the request is sent as its listeners leave it. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || !listening.has(mutation.path.join('.'))) return undefined;
  const { node, module } = mutation;
  const [event, listener] = node.args.map((arg) => (arg.kind === 'spread' ? unknown(arg, module) : ev.evaluate(arg, mutation)));
  if (event === undefined || listener === undefined || plainText(event) === 'response') return undefined;
  const listeners = optionsOf(listener);
  const isMoved = listeners.some((each) => isGivenAway(ev, each, 0) || address.some((part) => replacedBy(ev, each, 0, part).length > 0));
  const headersOf = (each: Value): Value | undefined =>
    plainText(event) === 'request' ? headersSetBy(ev, each, 0, [], ['setHeader']) : headersSetBy(ev, each, 0, ['headers']);
  return {
    headers: listeners.flatMap((each) => headersOf(each) ?? []),
    ...(isMoved ? { moved: unknown(node, module, 'assigned') } : {}),
  };
}

export const wreckRule: ClientRule = { name, modules: ['@hapi/wreck'], call, additions, addsBy: ['events'] };
