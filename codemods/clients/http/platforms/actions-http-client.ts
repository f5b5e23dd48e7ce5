/** What actions of GitHub send requests with: https://github.com/actions/toolkit/tree/main/packages/http-client. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { type HttpValue, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { writtenHeader } from '../../../evaluate/writes/writes.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Node } from '../../../syntax/tree.ts';
import { headersSetBy, isGivenAway, replacedBy } from '../../callbacks.ts';
import { authorized, made, option, verbs, withBody } from '../../shapes.ts';

const name = '@actions/http-client';

/** `new HttpClient(userAgent, handlers, { headers })` has no base; each call names the whole address. */
function call(call: RuleCall): Value | undefined {
  const { path, args, on, node } = call;
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) {
    if (verb !== 'HttpClient' || !node.isNew) return undefined;
    const [, handlers, settings] = args;
    const { headers, moved } = handledBy(call.ev, call, handlers === undefined ? [] : [handlers]);
    return made(name, 'client', call, { headers: [option(call, settings, 'headers'), ...headers], moved });
  }
  // request(verb, url, data, headers), and sendStream in the same order
  if (verb === 'request' || verb === 'sendStream')
    return made(name, 'request', call, { method: args[0], url: args[1], headers: [args[3]] });
  const method = verb === 'del' ? 'delete' : verb.replace(/Json$/, '');
  return verbs.has(method)
    ? made(name, 'request', call, { method, url: args[0], headers: [args[withBody.has(method) ? 2 : 1]] })
    : undefined;
}

/** What handlers make of all requests: those of the project say themselves what `prepareRequest` writes, and those that nobody reads may write anything. */
interface Handled {
  readonly headers: readonly Value[];
  readonly moved: Value | undefined;
}

/** Where a handler finds the address in what it prepares. */
const addresses = ['host', 'hostname', 'port', 'protocol', 'path'];

function handledBy(ev: Evaluation, place: At & { readonly node: Node }, handlers: readonly Value[]): Handled {
  const { node, module } = place;
  const items = handlers.flatMap(optionsOf).flatMap((each) => {
    if (each.type !== 'list') return each.type === 'literal' ? [] : [each];
    return each.isOpen ? [...each.items, unknown(node, module)] : each.items;
  });
  const all = items.map((item) => preparedBy(ev, place, item));
  return { headers: all.flatMap(({ headers }) => headers), moved: all.find(({ moved }) => moved !== undefined)?.moved };
}

function preparedBy(ev: Evaluation, place: At & { readonly node: Node }, handler: Value): Handled {
  const { node, module } = place;
  if (isOfPackage(ev, handler, place)) return { headers: [authorized(place)], moved: undefined };
  const fns = optionsOf(ev.member(handler, 'prepareRequest', node, place));
  const isSeen = (fn: Value): boolean =>
    fn.type === 'function' && !isGivenAway(ev, fn, 0) && addresses.every((name) => replacedBy(ev, fn, 0, name).length === 0);
  return {
    headers: fns.flatMap((fn) => headersSetBy(ev, fn, 0, ['headers']) ?? []),
    moved: fns.every(isSeen) ? undefined : unknown(node, module, 'assigned'),
  };
}

/** `new BearerCredentialHandler(token)`: those of the package write `Authorization`. */
function isOfPackage(ev: Evaluation, handler: Value, place: At): boolean {
  const made = handler.type === 'unknown' && handler.node?.kind === 'call' ? handler.node : undefined;
  const of = made && ev.evaluate(made.callee, place);
  return of?.type === 'external' && of.source.startsWith(name);
}

/** `http.handlers.push(…)`, `http.requestOptions.headers[name] = value`. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const [first, second, ...more] = mutation.path;
  if (first === 'handlers') return addedBy(mutation, ev);
  if (first !== 'requestOptions' || mutation.kind === 'call') return undefined;
  if (more.length > 0 || mutation.kind === 'delete') return { headers: [writtenHeader(ev, mutation.node, mutation)] };
  const value = ev.evaluate(mutation.value, mutation);
  return { headers: [second === undefined ? ev.member(value, 'headers', mutation.node, mutation) : value] };
}

function addedBy(mutation: Mutation, ev: Evaluation): Additions {
  const given =
    mutation.kind === 'call' ? ev.args(mutation.node, mutation) : mutation.kind === 'write' ? [ev.evaluate(mutation.value, mutation)] : [];
  const { headers, moved } = handledBy(ev, mutation, given);
  return { headers, ...(moved === undefined ? {} : { moved }) };
}

export const actionsHttpClientRule: ClientRule = {
  name,
  modules: [name],
  asksBy: ['del', 'sendStream', '(?:get|post|put|patch)Json'],
  call,
  additions,
  addsBy: ['handlers', 'requestOptions'],
};
