/** What actions of GitHub send requests with: https://github.com/actions/toolkit/tree/main/packages/http-client. */
import { optionsOf, type Value } from '../evaluate/values.ts';
import type { ClientRule, RuleCall } from '../evaluate/client-rule.ts';
import { authorized, made, option, verbs } from './shapes.ts';

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

export const actionsHttpClientRule: ClientRule = {
  name,
  modules: [name],
  asksBy: ['del', 'sendStream', '(?:get|post|put|patch)Json'],
  call,
};
