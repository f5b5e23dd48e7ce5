/** http-call: https://github.com/heroku/http-call#readme. A class whose static methods ask, with what the class or one made of it has for defaults. */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { type HttpValue, unknown, type Value } from '../../evaluate/values/values.ts';
import { writtenHeader } from '../../evaluate/writes/writes.ts';
import { made, option, verbs } from '../shapes.ts';
import { inParts } from './node-http.ts';

const name = 'http-call';

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default' && each !== 'HTTP');
  if (more.length > 0 || on?.stage === 'request' || call.node.isNew) return undefined;
  // What a class that was made has for defaults goes over what it was made of.
  if (verb === 'create') return on === undefined ? made(name, 'client', call, described(call, args[0], true)) : undefined;
  if (verb === 'stream' || verb === 'request' || verbs.has(verb ?? '')) {
    const { method } = described(call, args[1], false);
    const isAsked = verb !== 'stream' && verb !== 'request' ? verb : (method ?? on?.method ?? 'GET');
    return made(name, 'request', call, { ...described(call, args[1], false), url: args[0], method: isAsked });
  }
  return undefined;
}

const described = (call: RuleCall, options: Value | undefined, isOfAll: boolean) => ({
  // The host of one request's options is not looked at, only that of the defaults.
  base: isOfAll && options !== undefined && option(call, options, 'host') !== undefined ? inParts(call, options, 'https') : undefined,
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers')],
  join: 'resolve' as const,
});

/** Defaults by which an address is completed; of the others but headers none says where a request goes. */
const places = new Set<string | undefined>(['host', 'port', 'protocol', 'path', undefined]);

/** `HTTP.defaults.headers = { … }`, `HTTP.defaults.headers['x-api-key'] = key`, `Texts.defaults.host = …`. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const path = mutation.path[0] === 'HTTP' ? mutation.path.slice(1) : mutation.path;
  const [first, second] = path;
  if (first !== 'defaults') return undefined;
  if (mutation.kind === 'call' || places.has(second)) return { moved: unknown(mutation.node, mutation.module, 'assigned') };
  if (second !== 'headers') return undefined;
  const isAll = mutation.kind === 'write' && path.length === 2;
  return { headers: [isAll ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation)] };
}

export const httpCallRule: ClientRule = {
  name,
  modules: [name],
  call,
  additions,
  addsBy: ['defaults'],
  ambient: { mark: /\bhttp-call\b[^]*\.\s*defaults\b/, reached: /\bhttp-call\b/, isSilent: true },
  defaults: ['defaults'],
};
