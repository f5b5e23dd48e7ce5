/** apisauce, which is axios with headers of its own and functions that change each request: https://github.com/infinitered/apisauce#readme. */
import { baseReadBack } from '../../evaluate/libraries/client-base.ts';
import { written } from '../../evaluate/writes/external-writes.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { choiceOf, type HttpValue, type Value } from '../../evaluate/values/values.ts';
import { takenHeader, writtenHeader } from '../../evaluate/writes/writes.ts';
import { axiosRule, config, doneBehind, intercepted } from './axios.ts';
import { registeredBy } from '../callbacks.ts';
import { isReplay } from './replays.ts';
import { headersOfCall, made, option } from '../shapes.ts';

const name = 'apisauce';
/** Where a client has its instance of axios. */
const behind = 'axiosInstance';
const methods = new Set(['get', 'delete', 'head', 'post', 'put', 'patch', 'link', 'unlink']);

function call(call: RuleCall): Value | undefined {
  const { path, args, on } = call;
  const [first = '', ...rest] = path;
  if (on === undefined) return first === 'create' && rest.length === 0 ? created(call) : undefined;
  if (rest.length > 0 || isReplay(call)) return undefined;
  if (first === 'getBaseURL') return baseReadBack(call.ev, on);
  if (first === 'any') return made(name, 'request', call, { ...config(call, args[0]), join: 'slash' });
  if (!methods.has(first)) return undefined;
  // Parameters or the body come before the configuration.
  return made(name, 'request', call, { ...config(call, args[2]), url: args[0], method: first, join: 'slash' });
}

/** `create({ baseURL, headers })`, or `create({ axiosInstance })`, which has all but the headers from that. */
function created(call: RuleCall): HttpValue | undefined {
  const settings = call.args[0];
  const instance = option(call, settings, behind);
  if (instance === undefined)
    return { ...made(name, 'client', call, { ...config(call, settings), join: 'slash' }), origins: [axiosRule.name] };
  if (instance.type !== 'http' || instance.client !== axiosRule.name) return undefined;
  const client = made(name, 'client', { ...call, on: instance }, { headers: [option(call, settings, 'headers')] });
  return { ...client, origins: instance.origins };
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  return (
    (mutation.kind === 'call' ? addedBy(mutation, ev) : headersWritten(mutation, ev)) ??
    axiosRule.additions?.(doneBehind(mutation, behind), request, ev)
  );
}

function addedBy(mutation: Extract<Mutation, { kind: 'call' }>, ev: Evaluation): Additions | undefined {
  switch (mutation.path.join('.')) {
    case 'setHeader':
    case 'setHeaders':
      return { headers: [headersOfCall(ev, mutation.node, mutation)] };
    case 'deleteHeader':
      return { headers: [takenHeader(ev, mutation.node, mutation)] };
    case 'setBaseURL':
      return { base: choiceOf(ev.args(mutation.node, mutation).slice(0, 1).map(written)) };
    case 'addRequestTransform':
    case 'addAsyncRequestTransform':
      return intercepted(ev, mutation, registeredBy(ev, mutation.node, mutation));
    default:
      return undefined;
  }
}

/** `api.headers['x-api-key'] = key` */
const headersWritten = (mutation: Exclude<Mutation, { kind: 'call' }>, ev: Evaluation): Additions | undefined =>
  mutation.path[0] === 'headers' && mutation.path.length === 2 ? { headers: [writtenHeader(ev, mutation.node, mutation)] } : undefined;

export const apisauceRule: ClientRule = {
  name,
  asksThrough: axiosRule.name,
  modules: [name],
  types: ['ApisauceInstance'],
  call,
  additions,
  clients: { [behind]: axiosRule.name },
  ownOfClients: ['interceptors'],
  defaults: [],
  asksBy: ['any', 'link', 'unlink', 'setHeader', 'setHeaders', 'deleteHeader', 'addRequestTransform', 'addAsyncRequestTransform'],
};
