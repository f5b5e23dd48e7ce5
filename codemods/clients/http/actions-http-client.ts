/** What actions of GitHub send requests with: https://github.com/actions/toolkit/tree/main/packages/http-client. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { type HttpValue, optionsOf, type Value } from '../../evaluate/values.ts';
import { writtenHeader } from '../../evaluate/writes.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/client-rule.ts';
import { authorized, made, option, verbs } from '../shapes.ts';

const name = '@actions/http-client';
const withBody = new Set(['post', 'put', 'patch']);

/** `new HttpClient(userAgent, handlers, { headers })` has no base; each call names the whole address. */
function call(call: RuleCall): Value | undefined {
  const { path, args, on, node } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) {
    if (verb !== 'HttpClient' || !node.isNew) return undefined;
    const [, handlers, settings] = args;
    return made(name, 'client', call, { headers: [option(call, settings, 'headers'), isEmpty(handlers) ? undefined : authorized(call)] });
  }
  // request(verb, url, data, headers), and sendStream in the same order
  if (verb === 'request' || verb === 'sendStream')
    return made(name, 'request', call, { method: args[0], url: args[1], headers: [args[3]] });
  const method = verb === 'del' ? 'delete' : verb.replace(/Json$/, '');
  return verbs.has(method)
    ? made(name, 'request', call, { method, url: args[0], headers: [args[withBody.has(method) ? 2 : 1]] })
    : undefined;
}

/** Handlers are there to authenticate: those of the package write `Authorization`. */
const isEmpty = (handlers: Value | undefined): boolean =>
  handlers === undefined ||
  optionsOf(handlers).every((each) => each.type === 'literal' || (each.type === 'list' && !each.isOpen && each.items.length === 0));

/** `http.handlers.push(…)`, `http.requestOptions.headers[name] = value`. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const [first, second, ...more] = mutation.path;
  if (first === 'handlers') return { headers: [authorized(mutation)] };
  if (first !== 'requestOptions' || mutation.kind === 'call') return undefined;
  if (more.length > 0 || mutation.kind === 'delete') return { headers: [writtenHeader(ev, mutation.node, mutation)] };
  const value = ev.evaluate(mutation.value, mutation);
  return { headers: [second === undefined ? ev.member(value, 'headers', mutation.node, mutation) : value] };
}

export const actionsHttpClientRule: ClientRule = {
  name,
  modules: [name],
  asksBy: ['del', 'sendStream', '(?:get|post|put|patch)Json'],
  call,
  additions,
  addsBy: ['handlers', 'requestOptions'],
};
