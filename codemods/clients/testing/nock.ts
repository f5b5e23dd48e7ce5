/** nock: https://github.com/nock/nock#usage. Interceptors expect a request; their answers do not matter here. */
import { isKeyHeader, v2Auth } from '../../../src/contract/auth.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { concatenated, textOf } from '../../evaluate/values/text.ts';
import {
  choiceOf,
  type Entry,
  type HttpValue,
  type Mock,
  optionsOf,
  partsOf,
  type TextPart,
  type Value,
} from '../../evaluate/values/values.ts';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import { isScript } from '../../evaluate/module.ts';
import type { Expression, FunctionNode } from '../../syntax/tree.ts';
import type { Additions, ClientRule, Given, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { comparisonsOfParam } from './expected/compared-values.ts';
import { objectOf } from '../servers/incoming.ts';
import { receivedBy } from './mock-function.ts';
import { addressOf } from './path-patterns.ts';
import { headersOfCall, made, option, verbs } from '../shapes.ts';

const name = 'nock';
/** After these an interceptor's scope goes on: `nock(base).get(a).reply(200).get(b)`. */
const answers = new Set(['reply', 'replyWithError', 'replyWithFile']);
const ofInterceptors =
  /^(?:query|basicAuth|delay\w*|once|twice|thrice|times|optionally|persist|filtering\w+|replyContentLength|replyDate|defaultReplyHeaders|socketDelay)$/;

function call(call: RuleCall): Value | undefined {
  const { path, args, on, ev } = call;
  const [verb, ...more] = path;
  if (more.length > 0) return undefined;
  if (on === undefined) {
    if (verb === 'removeInterceptor') return removed(call);
    if (verb !== undefined && verb !== 'default') return undefined;
    const scope = expected('client', call, { base: args[0], join: 'slash', headers: [option(call, args[1], 'reqheaders')] });
    return { ...scope, mock: { ...scope.mock, ...deniedIn(call, args[1]) } };
  }
  if (verb === undefined) return undefined;
  if (verb === 'matchHeader') return expected(on.stage, call, { headers: [headersOfCall(ev, call.node, call)] });
  if (answers.has(verb)) return on.notes?.['scope'];
  if (ofInterceptors.test(verb)) return on.stage === 'request' ? expected('request', call, {}) : on;
  const isIntercept = verb === 'intercept';
  if (!isIntercept && !verbs.has(verb) && verb !== 'merge') return undefined;
  // What a function compares the path with is found there.
  if (args[0]?.type === 'function') return { ...on, notes: { scope: on } };
  const options = args[isIntercept ? 3 : 2];
  const headers = [option(call, options, 'reqheaders')];
  const { url, mock } = addressOf(call.node.args[0], call.module, args[0], on.base);
  const request = expected('request', call, { url, method: isIntercept ? args[1] : verb, headers });
  return { ...request, mock: { ...request.mock, ...mock, ...deniedIn(call, options) }, notes: { scope: on } };
}

/** `{ badheaders: ['x-api-key'] }`: a call that has one of these is not answered. One that names both keeps any key from there. */
function deniedIn(call: RuleCall, options: Value | undefined): Pick<Mock, 'denies'> {
  const names = option(call, options, 'badheaders');
  const denied = (names?.type === 'list' ? names.items : []).flatMap((item) => partsOf(item)).filter((part) => 'text' in part);
  const isAny = denied.some(({ text }) => text.toLowerCase() === v2Auth.field);
  const denies = isAny ? [] : denied.filter(({ text }) => isKeyHeader(text));
  return denies.length === 0 ? {} : { denies };
}

/** `nock.removeInterceptor({ hostname, path, method })`: what an interceptor before it expects, of whatever scheme where that is not said. */
function removed(call: RuleCall): Value | undefined {
  const [options] = call.args;
  if (options?.type !== 'object') return undefined;
  const [host, url, method, scheme] = ['hostname', 'path', 'method', 'proto'].map((each) => option(call, options, each));
  if (host?.type !== 'text' || url?.type !== 'text') return undefined;
  const base = concatenated([scheme?.type === 'text' ? scheme : textOf([{ text: 'https' }]), textOf([{ text: '://' }]), host]);
  return expected('request', call, { base, join: 'append', url, ...(method !== undefined && { method }) });
}

function expected(...[stage, call, described]: [HttpValue['stage'], RuleCall, Parameters<typeof made>[3]]): HttpValue {
  const { headers = [] } = described;
  const denies = headers.flatMap((each) => (each === undefined ? [] : missingIn(each)));
  return {
    ...made(name, stage, call, { ...described, headers: headers.map((each) => each && withPredicates(each, call.ev)) }),
    mock: { ...call.on?.mock, ...(denies.length > 0 && { denies }) },
  };
}

/** `{ 'x-api-key': (key) => !key }`, `matchHeader('x-api-key', (key) => key === undefined)`: keys that must not be there. */
const missingIn = (headers: Value): TextPart[] =>
  optionsOf(headers)
    .flatMap((each) => (each.type === 'object' ? each.entries : []))
    .flatMap(({ name, key, valueNode: fn }) =>
      key !== undefined && isKeyHeader(name) && fn?.kind === 'function' && returnsOf(fn).every(isAbsence) ? key : [],
    );

const isAbsence = (node: Expression): boolean =>
  (node.kind === 'unary' && node.operator === '!') ||
  (node.kind === 'binary' && /^===?$/.test(node.operator) && node.right.kind === 'name' && node.right.name === 'undefined');

/** `{ 'x-api-key': (key) => key === '…' }`: what a function compares the key with is expected. */
function withPredicates(headers: Value, ev: Evaluation): Value {
  const asked = (entry: Entry): Entry[] => {
    const { valueNode: fn, module } = entry;
    if (fn?.kind !== 'function' || !isScript(module) || !isKeyHeader(entry.name)) return [entry];
    return comparisonsOfParam(fn, { module, frame: undefined }, ev).map((each) => ({ ...entry, ...each }));
  };
  return choiceOf(optionsOf(headers).map((each) => (each.type === 'object' ? { ...each, entries: each.entries.flatMap(asked) } : each)));
}

/** `scope.matchHeader(…)` as a statement of its own. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const isStatement = mutation.kind === 'call' && mutation.node.parent?.kind === 'other' && mutation.path.join('.') === 'matchHeader';
  return isStatement ? { headers: [withPredicates(headersOfCall(ev, mutation.node, mutation), ev)] } : undefined;
}

/** `reply(200, (request) => …)`, and before version 15 `reply(function (path) { return [200, this.req.headers] })`: the request that it answers. */
const answeredBy = ({ base, url, join, mock }: HttpValue, place: Pick<Given, 'node' | 'module'>): HttpValue =>
  receivedBy(place, { ...(base && { base }), ...(url && { url }), ...(join && { join }), ...(mock && { mock }) });

function given({ path, on, index, argument, within, node, module }: Given): Value | undefined {
  if (on?.mock !== undefined && verbs.has(path.join('.')) && index === 0 && argument === 0 && within.length === 0)
    return receivedBy({ node, module }, { ...(on.base && { base: on.base, join: 'append' }) });
  const isReply = path.join('.') === 'reply' && index === 0 && argument < 2 && within.length === 0;
  return isReply && on !== undefined ? answeredBy(on, { node, module }) : undefined;
}

function thisIn(ev: Evaluation, node: FunctionNode, at: At): Value | undefined {
  const { parent: call } = node;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || call.callee.property !== 'reply') return undefined;
  const answered = optionsOf(ev.evaluate(call.callee.object, at)).find((each) => each.type === 'http');
  const place = { node, module: at.module };
  return answered?.client === name ? objectOf({ req: answeredBy(answered, place) }, place) : undefined;
}

export const nockRule: ClientRule = { name, isForTests: true, modules: [name], call, additions, addsBy: ['matchHeader'], given, thisIn };
