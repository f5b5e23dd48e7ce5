/** nock: https://github.com/nock/nock#usage. Interceptors expect a request; their answers do not matter here. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { HttpValue, Value } from '../evaluate/values.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../evaluate/client-rule.ts';
import { headersOfCall, made, option, verbs } from './shapes.ts';

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
    if (verb !== undefined && verb !== 'default') return undefined;
    return expected('client', call, { base: args[0], join: 'append', headers: [option(call, args[1], 'reqheaders')] });
  }
  if (verb === undefined) return undefined;
  if (verb === 'matchHeader') return expected(on.stage, call, { headers: [headersOfCall(ev, call.node, call)] });
  if (answers.has(verb)) return on.notes?.['scope'];
  if (ofInterceptors.test(verb)) return on.stage === 'request' ? expected('request', call, {}) : on;
  const isIntercept = verb === 'intercept';
  if (!isIntercept && !verbs.has(verb) && verb !== 'merge') return undefined;
  const headers = [option(call, args[isIntercept ? 3 : 2], 'reqheaders')];
  return { ...expected('request', call, { url: args[0], method: isIntercept ? args[1] : verb, headers }), notes: { scope: on } };
}

const expected = (...[stage, call, described]: [HttpValue['stage'], RuleCall, Parameters<typeof made>[3]]): HttpValue => ({
  ...made(name, stage, call, described),
  mock: {},
});

/** `scope.matchHeader(…)` as a statement of its own. */
function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const isStatement = mutation.kind === 'call' && mutation.node.parent?.kind === 'other' && mutation.path.join('.') === 'matchHeader';
  return isStatement ? { headers: [headersOfCall(ev, mutation.node, mutation)] } : undefined;
}

export const nockRule: ClientRule = { name, isForTests: true, modules: [name], call, additions };
