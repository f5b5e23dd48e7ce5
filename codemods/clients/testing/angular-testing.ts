/** Angular's HttpTestingController: https://angular.dev/guide/http/testing. It expects requests, and hands out those that came. */
import type { ClientRule, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { flat } from '../../evaluate/values/text.ts';
import { type HttpValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import { incomingRequest, readHeader } from '../servers/incoming.ts';
import { mockFunctionRule } from './mock-function.ts';
import { made, option } from '../shapes.ts';

const name = 'angular-testing';
const expecting = new Set(['expectOne', 'expectNone', 'match']);

function call(call: RuleCall): Value | undefined {
  const { path, on, args } = call;
  const [verb = '', ...more] = path;
  if (on === undefined) return undefined;
  if (more.length === 0 && expecting.has(verb)) return args[0] === undefined ? undefined : expected(call, args[0]);
  // `controller.expectOne(url).request.headers.get(name)`, of `match` with an index before it.
  const at = path.indexOf('request');
  return readHeader(name, { ...call, path: at === -1 ? path : path.slice(at + 1) });
}

/** By an address, or by what a request is like; whatever a function lets pass is expected by what it compares. */
function expected(call: RuleCall, match: Value): Value {
  const [first = match] = optionsOf(match);
  if (first.type === 'function') return { ...made(name, 'client', call, {}), mock: { isWhole: true } };
  const [url, method] = first.type === 'object' ? [option(call, match, 'url'), option(call, match, 'method')] : [match, undefined];
  return mock(made(name, 'request', call, { url, method }), url !== undefined && isWithoutHost(url));
}

/**
 * @param isOpen whether nothing in it says whose it is: a path, of a test that runs a service without what gives that its host. It moves if all do that the
 * test runs and that ask for it.
 */
const mock = (http: HttpValue, isOpen = false): HttpValue => ({ ...http, mock: isOpen ? { expects: 'value', isWhole: true } : {} });

const isWithoutHost = (url: Value): boolean => optionsOf(url).every((each) => each.type === 'text' && /^\/?v1\//.test(flat(each.parts)));

/** `controller.expectOne((request) => request.url === '…')` */
function given(given: Given): Value | undefined {
  const { path, index, argument } = given;
  if (!expecting.has(path.at(-1) ?? '') || index !== 0 || argument !== 0) return undefined;
  return { ...incomingRequest(mockFunctionRule.name, given, {}), notes: { received: { type: 'literal', value: index } } };
}

export const angularTestingRule: ClientRule = {
  name,
  title: "Angular's HttpTestingController",
  isForTests: true,
  modules: ['@angular/common/http/testing'],
  types: ['HttpTestingController'],
  comparesIn: /\bHttpTestingController\b/,
  call,
  given,
};
