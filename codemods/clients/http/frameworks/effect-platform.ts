/**
 * Effect's HttpClient: https://effect.website/docs/platform/http-client. `yield*` asks for the client; requests and clients go through the steps of a `pipe`,
 * each of which is known here as a request with no more than what the step adds.
 */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { ClientRule, LibraryFunction, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { World } from '../../../evaluate/program.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { concatenated } from '../../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, type MethodValue, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import type { Node } from '../../../syntax/tree.ts';
import { authorized, type Described, headersOfCall, made, option, verbs } from '../../shapes.ts';

const name = 'effect-platform';
const whole = '@effect/platform';
const modules = [whole, `${whole}/HttpClient`, `${whole}/HttpClientRequest`];

/** Steps that change neither address nor headers, of requests and of clients. */
const plain =
  /^(?:accept\w*|body\w*|setBody|(?:set|append)UrlParams?|setHash|filterStatus\w*|retry\w*|tap\w*|catch\w*|with(?:Scope|TracerPropagation|TracerDisabledWhen|SpanNameGenerator))$/;

/** A client that the project hands out itself may add a login, or ask elsewhere; one of tests asks nobody. */
const isReplaced = memoOf(({ modules: all }: World) =>
  [...all.values()].some((module) => !isTest(module) && module.text.includes(whole) && replacing.test(module.text)),
);
const replacing = /\(\s*HttpClient(?:\.HttpClient)?\s*,|\bHttpClient\.make/;

/** `HttpClientRequest.setHeader` of the package, `setHeader` of its own module. */
const lastOf = (path: readonly string[]): string => path.filter((each) => !/^HttpClient(?:Request)?$/.test(each)).join('.');

function call(call: RuleCall): Value | undefined {
  const { args, on, path } = call;
  if (on === undefined) return path.length > 2 ? undefined : ofPackage(call, lastOf(path));
  const [verb = '', ...more] = path;
  if (more.length > 0) return undefined;
  if (verb === 'pipe') return piped(call, on);
  if (on.stage === 'request') return undefined;
  if (verb === 'execute')
    return choiceOf(
      args
        .slice(0, 1)
        .flatMap(optionsOf)
        // A request that nobody follows is asked for with all that the client adds, too.
        .map((each) => (each.type === 'http' ? sent(call, on, each) : made(name, 'request', call, { url: each, join: 'append' }))),
    );
  return verbs.has(verb) || verb === 'del' ? made(name, 'request', call, described(call, verb)) : undefined;
}

const described = (call: RuleCall, verb: string): Described => ({
  url: call.args[0],
  method: verb === 'del' ? 'delete' : verb,
  join: 'append',
  headers: [option(call, call.args[1], 'headers')],
});

/** A request, or a step. */
function ofPackage(call: RuleCall, verb: string): Value | undefined {
  const { args, ev, node } = call;
  const [first, second] = args;
  const step = (what: Described): Value => made(name, 'client', call, what);
  if (verbs.has(verb) || verb === 'del') return step(described(call, verb));
  if (plain.test(verb)) return step({});
  switch (verb) {
    case 'setHeader':
    case 'setHeaders':
      return first?.type === 'http' ? undefined : step({ headers: [headersOfCall(ev, node, call)] });
    case 'bearerToken':
    case 'basicAuth':
      return step({ headers: [authorized(call)] });
    case 'prependUrl':
      return second === undefined ? step({ base: first, join: 'append' }) : undefined;
    case 'mapRequest':
      return second === undefined ? mapped(call, first) : undefined;
    default:
      return undefined;
  }
}

/** `HttpClient.mapRequest((request) => request.pipe(…))`: what it makes of a request of which nothing is known. */
function mapped(call: RuleCall, fn: Value | undefined): Value | undefined {
  const { ev, node } = call;
  const begun = made(name, 'client', call, {});
  const all = fn?.type === 'function' ? optionsOf(ev.apply(fn, [begun], node, call)) : fn === undefined ? [] : [fn];
  const [only, ...others] = all;
  return only?.type === 'http' && only.url === undefined && others.length === 0 ? { ...only, node, module: call.module } : undefined;
}

/** What a request or a client is behind all steps; undefined where one of them is not known. */
function piped(call: RuleCall, on: HttpValue): HttpValue | undefined {
  let now = on;
  for (const step of call.args) {
    // What comes behind the answer.
    if (now.stage === 'request') return now;
    if (step.type === 'http' && step.stage === 'client') now = joined(call, now, step);
    else if (isExecute(step)) now = sent(call, step.receiver, now);
    else if (step.type !== 'external' || !modules.includes(step.source) || !plain.test(lastOf(step.path))) return askedInTheEnd(call);
  }
  return { ...now, node: call.node, module: call.module };
}

interface Execute extends MethodValue {
  readonly receiver: HttpValue;
}

/** `client.execute`, as what a step is given. */
const isExecute = (step: Value | undefined): step is Execute =>
  step?.type === 'method' && step.receiver.type === 'http' && step.receiver.client === name && step.path.join('.') === 'execute';

/** What a client is given by a step behind one that is not known: it asks, and nobody knows what for. */
function askedInTheEnd(call: RuleCall): HttpValue | undefined {
  const execute = call.args.find(isExecute);
  return execute && made(name, 'request', { ...call, on: execute.receiver }, { url: unknown(call.node, call.module), join: 'append' });
}

/** `request.pipe(HttpClientRequest.bodyJson(…), Effect.flatMap(client.execute))`: a step that asks, as `client.execute` itself is one. */
const flatMap: LibraryFunction = (_ev, [step, ...others]) => (isExecute(step) && others.length === 0 ? step : undefined);

/** What a step puts before the address stands before all that is there. */
function joined(call: RuleCall, on: HttpValue, step: HttpValue): HttpValue {
  const base = step.base === undefined || on.base === undefined ? step.base : concatenated([step.base, on.base]);
  return made(name, 'client', { ...call, on }, { ...(base !== undefined && { base, join: 'append' }), headers: step.headers });
}

/** A client does to a request what its own steps do, when it is asked. */
const sent = (call: RuleCall, client: HttpValue, request: HttpValue): HttpValue =>
  made(name, 'request', { ...call, on: joined(call, request, client) }, {});

/** `yield* HttpClient.HttpClient`, and `yield* request.pipe(HttpClientRequest.bodyJson(…))`, which may fail to write the body. */
function yields(ev: Evaluation, of: Node, at: At): Value | undefined {
  const [tag, ...others] = optionsOf(ev.evaluate(of, at));
  if (tag?.type === 'http' && tag.client === name && tag.stage === 'client' && others.length === 0) return tag;
  if (tag?.type !== 'external' || others.length > 0 || isReplaced(ev.world)) return undefined;
  const isTag = /^@effect\/platform(?::HttpClient\.|\/HttpClient:)HttpClient$/.test(`${tag.source}:${tag.path.join('.')}`);
  return isTag
    ? { type: 'http', client: name, stage: 'client', node: of, module: at.module, headers: [], origins: [], join: 'append' }
    : undefined;
}

export const effectPlatformRule: ClientRule = {
  name,
  title: 'Effect (HttpClient)',
  modules,
  call,
  functions: Object.fromEntries(
    ['flatMap', 'andThen'].flatMap((each) => [`effect:Effect.${each}`, `effect/Effect:${each}`].map((of) => [of, flatMap])),
  ),
  yields,
  addsBy: ['setHeader', 'setHeaders', 'bearerToken', 'basicAuth', 'prependUrl'],
  asksBy: ['execute', 'pipe', 'del'],
};
