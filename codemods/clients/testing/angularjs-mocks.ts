/** AngularJS's `$httpBackend` of ngMock: https://docs.angularjs.org/api/ngMock/service/$httpBackend. It expects requests, and answers them. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { type Entry, type FunctionValue, type HttpValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { ParamNode } from '../../syntax/tree.ts';
import { injectedIntoTest, injectedName } from '../containers/angularjs.ts';
import { made } from '../shapes.ts';
import { comparisonsOf } from './expected/compared-values.ts';
import { headerReadIn } from './expected/expected-headers.ts';
import { addressOf } from './path-patterns.ts';

const name = 'angularjs-mocks';
/** `expectGET(url, headers)`, `whenPOST(url, data, headers)`, `expect(method, url, data, headers)` */
const expecting = /^(?:expect|when)([A-Z]+)?$/;
const withBody = new Set(['POST', 'PUT', 'PATCH']);

const injected = (_ev: Evaluation, param: ParamNode, { module }: At): HttpValue | undefined =>
  (injectedIntoTest(param, module) ?? injectedName(param, module)) === '$httpBackend'
    ? { type: 'http', client: name, stage: 'client', node: param, module, headers: [], origins: [param], mock: {} }
    : undefined;

function call(call: RuleCall): Value | undefined {
  const { path, on, args, node, module } = call;
  const [verb = '', ...more] = path;
  const found = expecting.exec(verb);
  if (on === undefined || on.stage !== 'client' || more.length > 0 || found === null) return undefined;
  const [, short] = found;
  const at = short === undefined ? 1 : 0;
  const { url, mock } = addressOf(node.args[at], module, args[at]);
  const isWithBody = short === undefined || withBody.has(short);
  const headers = args[at + (isWithBody ? 2 : 1)];
  const method = short ?? args[0];
  return {
    ...made(name, 'request', call, { url, ...(method !== undefined && { method }), headers: [headers && expectedOf(headers, call)] }),
    mock,
  };
}

/** Headers as an object, or what a function asks of them. */
const expectedOf = (headers: Value, call: RuleCall): Value | undefined => {
  const [first] = optionsOf(headers);
  return first?.type === 'function' ? askedBy(first, call) : headers;
};

/** `(headers) => headers['x-api-key'] === key` */
function askedBy({ node, module }: FunctionValue, call: RuleCall): Value | undefined {
  const target = node.params[0]?.target;
  const binding = target?.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
  const of: RuleCall = { ...call, module, frame: undefined };
  const entries = (binding?.references ?? []).flatMap(({ parent: read }): Entry[] => {
    const keys = read?.kind === 'member' ? headerReadIn(read, of) : undefined;
    if (read?.kind !== 'member' || keys === undefined) return [];
    // They are asked for in the letters in which the program has them.
    return comparisonsOf(read, of, call.ev).flatMap((each) => keys.map((key): Entry => ({ ...key, ...each, isLookup: false })));
  });
  return { type: 'object', node, module, entries, unknown: [] };
}

export const angularJsMocksRule: ClientRule = { name, title: "AngularJS's $httpBackend", isForTests: true, call, injected };
