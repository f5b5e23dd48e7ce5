/** Angular's HttpClient: https://angular.dev/guide/http. Injected by type or by `inject`, with headers that never change, and interceptors. */
import { isAuthorization } from '../../../../src/contract/auth.ts';
import { goesByRequest, guardOf } from '../../servers/guards.ts';
import type { Additions, ClientRule, Mutation, GivenByType, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { made, option, verbs, withBody } from '../../shapes.ts';
import { clientOfType, everyOf } from '../../../evaluate/names/bindings.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { flat, isAbsolute, sliceParts } from '../../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, type ObjectValue, optionsOf, partsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { headersOf, setBy } from '../../../evaluate/writes/writes.ts';
import { memoOf } from '../../../once.ts';
import { nameFor } from '../../../syntax/scopes.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';

const name = 'angular';
export const namesAngular = (text: string): boolean => text.includes('@angular/');

function call(call: RuleCall): Value | undefined {
  const { path, args, on, node } = call;
  const [verb, second, ...more] = path;
  if (verb === undefined || more.length > 0) return undefined;
  if (on === undefined) return ofPackage(call, verb);
  if (verb === 'clone') return made(name, 'client', call, {});
  if (verb === 'headers' && (second === 'set' || second === 'append')) return objectOf(call, setBy(call.ev, node, call));
  if (second !== undefined) return undefined;
  if (verb === 'request') return args[0]?.type === 'http' ? sent(call, args[0]) : request(call, args[0], args[1], args[2]);
  return verbs.has(verb) ? request(call, verb, args[0], args[withBody.has(verb) ? 2 : 1]) : undefined;
}

function ofPackage(call: RuleCall, verb: string): Value | undefined {
  const { args, node } = call;
  switch (verb) {
    case 'inject':
      return injected(call, args[0]);
    case 'TestBed':
      return /^(?:inject|get)$/.test(call.path[1] ?? '') ? injected(call, args[0]) : undefined;
    case 'HttpHeaders': {
      const [init] = args;
      if (init === undefined) return objectOf(call, { entries: [], unknown: [] });
      const found = optionsOf(init).flatMap((each) => headersOf(each) ?? []);
      return found.length === 0 ? undefined : choiceOf(found.map((each) => ({ ...each, node })));
    }
    case 'HttpRequest': {
      // new HttpRequest(method, url, init) or new HttpRequest(method, url, body, init)
      const [method, url, ...rest] = args;
      return made(name, 'client', call, { method, url, headers: [option(call, rest.at(-1), 'headers')] });
    }
    case 'httpResource':
      return resource(call);
    default:
      return undefined;
  }
}

/** `httpResource(() => url)`, `httpResource(() => ({ url, headers }))`, `httpResource.text(…)`; without a request nothing is asked: https://angular.dev/guide/http/http-resource. */
function resource(call: RuleCall): Value | undefined {
  const { ev, args, node } = call;
  const asked = (args[0] === undefined ? [] : optionsOf(args[0])).flatMap((each) =>
    each.type === 'function' ? optionsOf(ev.apply(each, [], node, call)) : [each],
  );
  const requests = asked.filter(({ type }) => type !== 'literal');
  return choiceOf(
    requests.map((each) =>
      each.type === 'object'
        ? request(call, option(call, each, 'method') ?? 'get', option(call, each, 'url'), each)
        : request(call, 'get', each, undefined),
    ),
  );
}

/** What a token stands for, by its name: a client, or what stands in for the service in tests. */
function injected({ ev, node, module }: RuleCall, token: Value | undefined): Value | undefined {
  const type = token?.type === 'external' ? token.path.at(-1) : undefined;
  return type === undefined ? undefined : clientOfType(ev, type, node, { module, frame: undefined });
}

const objectOf = ({ node, module }: RuleCall, entries: Pick<ObjectValue, 'entries' | 'unknown'>): ObjectValue => ({
  type: 'object',
  node,
  module,
  ...entries,
});

const request = (call: RuleCall, method: Value | string | undefined, url: Value | undefined, options: Value | undefined): HttpValue =>
  every(made(name, 'request', call, { method, url, headers: [option(call, options, 'headers')] }));

const sent = (call: RuleCall, on: HttpValue): HttpValue => every(made(name, 'request', { ...call, on }, {}));

/** With everything that interceptors do. */
const every = (http: HttpValue): HttpValue => ({ ...http, origins: [everyOf(name)] });

/** `req.clone({ … })` in an interceptor, and what is cloned of that: `req.clone({ url }).clone({ headers })`. */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path[0] !== 'clone') return undefined;
  const isOwn = isOfApp(mutation.module, request.module, ev.world);
  if (isOwn === false) return undefined;
  const changes = clonesFrom(mutation.node).map((node) => ({ node, value: ev.args(node, mutation)[0] }));
  const isKnown = changes.every(({ value }) => value?.type === 'object');
  if (changes[0]?.value?.type !== 'object') return undefined;
  const all = (...names: readonly string[]): Value[] =>
    changes.flatMap(({ node, value }) => names.flatMap((each) => (value === undefined ? [] : ev.member(value, each, node, mutation))));
  // What is not known of a later clone may put another key there, or another host.
  const given = isKnown ? all('headers', 'setHeaders') : [];
  const [chosen, ...more] = given.flatMap(chosenHeaders);
  const guard = guardOf(ev, chosen === undefined || more.length > 0 ? mutation : { ...mutation, node: chosen.node });
  const headers = [
    ...given.filter(({ type }) => type === 'object'),
    ...(chosen === undefined || more.length > 0 || guard === undefined ? [] : [chosen]),
  ];
  // One before may have given it the base that is asked for here.
  if (guard?.excludes(request.url) === true)
    return guard.prefixes.length > 0 && isPathOfV1(request.url) && givesBases(ev.world)
      ? { headers, moved: unknown(mutation.node, mutation.module, 'assigned') }
      : undefined;
  // Of what may be added to others alone a token counts against our key, and a key is none of ours.
  if (guard === undefined && !headers.some(hasToken) && goesByRequest(ev, mutation.node)) return undefined;
  // The last that has an address says it, whether that is known or not.
  const url = all('url').findLast((each) => each.type !== 'literal');
  const base = url && baseOf(url);
  const isElsewhere =
    isOwn === undefined ||
    (url !== undefined && optionsOf(url).some(isRewritten)) ||
    isClonedAgain(mutation.node, changes.at(-1)?.node, mutation.module);
  return {
    headers,
    ...(guard === undefined ? {} : { prefixes: guard.prefixes }),
    ...(base === undefined ? {} : { base }),
    ...(isElsewhere ? { moved: unknown(mutation.node, mutation.module, 'assigned') } : {}),
  };
}

/**
 * Applications of a workspace share its package, and none of them the interceptors of another: `apps/shop`, `projects/shop`.
 * @returns undefined for what stands beside several of them, which each may have
 */
function isOfApp(interceptor: SourceModule, asking: SourceModule, world: World): boolean | undefined {
  const [app, another] = [interceptor, asking].map(appOf);
  if (app === undefined || app === another) return true;
  return another !== undefined ? false : appsIn(world).size > 1 ? undefined : true;
}

const isPathOfV1 = (url: Value | undefined): boolean =>
  url !== undefined && optionsOf(url).some((each) => /^\/?v1\//.test(flat(partsOf(each))));

/** Whether some interceptor writes addresses: `req.clone({ url: BASE + req.url })`. */
const givesBases = memoOf(({ modules }: World) => [...modules.values()].some(({ text }) => /\bclone\(\s*\{[^{}]*\burl\s*[:,}]/.test(text)));

const appOf = ({ file }: SourceModule): string | undefined => /^(?:.*\/)?(?:apps|projects)\/[^/]+\//.exec(file)?.[0];

const appsIn = memoOf(
  ({ modules }: World) =>
    new Set([...modules.values()].flatMap((module) => (!isTest(module) && namesAngular(module.text) ? (appOf(module) ?? []) : []))),
);

/** What a request has. */
const isOwnHeaders = (each: Value): boolean => each.type === 'method' && each.receiver.type === 'http' && each.path.join('.') === 'headers';

/** Headers that a request gets, or else keeps its own: `isOurs ? req.headers.set('x-api-key', key) : req.headers`, `isOurs ? { 'x-api-key': key } : {}`. */
function chosenHeaders(value: Value): readonly ObjectValue[] {
  if (value.type !== 'choice') return [];
  const others = optionsOf(value).filter((each) => !isOwnHeaders(each));
  return others.flatMap((each) => (each.type === 'object' && each.entries.length > 0 ? each : []));
}

const hasToken = (value: Value): boolean => value.type === 'object' && value.entries.some(({ name: header }) => isAuthorization(header));

/** `req.url.replace(ours, theirs)`, `'https://…/?url=' + req.url`: neither the address of the request nor one that begins with a base; what stands before it may be one. */
function isRewritten(url: Value): boolean {
  if (url.type !== 'text') return !isOwnUrl(url) && url.type !== 'literal';
  const [own, ...before] = partsOf(url).toReversed();
  if (!isAbsolute(flat(partsOf(url)))) return false;
  return own === undefined || !('unknownPart' in own) || !isOwnUrl(own.unknownPart) || /[\0?#]/.test(flat(before));
}

const isOwnUrl = (value: Value): boolean =>
  value.type === 'method' && value.receiver.type === 'http' && /^url(?:WithParams)?$/.test(value.path.join('.'));

/** `const own = req.clone({ … }); next.handle(own.clone({ url }))`: which of them is sent is not followed, nor what it has then. */
function isClonedAgain({ callee }: CallNode, last: CallNode | undefined, { scopes }: SourceModule): boolean {
  const binding = last && nameFor(last, scopes);
  // `req = req.clone(…)` is not cloned again by that itself.
  return binding?.references.some(({ parent: at }) => at?.kind === 'member' && at.property === 'clone' && at !== callee) === true;
}

function clonesFrom(first: CallNode): CallNode[] {
  const found = [first];
  for (let at = first; at.parent?.kind === 'member' && at.parent.property === 'clone' && at.parent.object === at; found.push(at)) {
    const next = at.parent.parent;
    if (next?.kind !== 'call' || next.callee !== at.parent) break;
    at = next;
  }
  return found;
}

/** `clone({ url: BASE + req.url })` */
function baseOf(url: Value): Value | undefined {
  const bases = optionsOf(url).flatMap((option): Value[] => {
    if (option.type !== 'text') return [];
    const text = flat(partsOf(option));
    const end = text.indexOf('\0');
    return isAbsolute(text) && end > 0 ? [{ type: 'text', parts: sliceParts(partsOf(option), 0, end) }] : [];
  });
  return bases.length === 0 ? undefined : choiceOf(bases);
}

/** `const intercept: HttpInterceptorFn = (req, next) => …` */
const givenByType = ({ ev, node, index, typeName, ...at }: GivenByType): Value | undefined => {
  const type = typeName === 'HttpInterceptorFn' ? ['HttpRequest', 'HttpHandlerFn'][index] : undefined;
  return type === undefined ? undefined : clientOfType(ev, type, node, at);
};

/** `@Component({ template: '…' })`, or markup with a call that such a template may go by a name. */
export const isTemplate = (node: Node): boolean => {
  const { parent } = node;
  const call = parent?.kind === 'property' && parent.name === 'template' ? parent.parent?.parent : undefined;
  if (call?.kind === 'call' && call.callee.kind === 'name' && call.callee.name === 'Component') return true;
  return callInTag.test(
    node.kind === 'string' ? node.value : node.kind === 'template' ? node.texts.map(({ value }) => value).join('') : '',
  );
};

/** `(click)="api.get('/v1/contacts')"` in such a template. */
const callsInTexts = (text: string): boolean =>
  /@Component\s*\(/.test(text) &&
  (callInTag.test(text) ||
    Array.from(text.matchAll(/\btemplate\s*:\s*(?:`[^`]*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")/g)).some(([template]) =>
      /[\w$]\([^()]*\/v1(?![\w-])/.test(template),
    ));

const callInTag = /<[a-z][^<>]*[\w$]\([^()<>]*\/v1(?![\w-])/i;

export const angularRule: ClientRule = {
  name,
  title: 'Angular',
  modules: ['@angular/common/http', '@angular/core', '@angular/core/testing'],
  // `next.handle(req)`, `next(req)`: what an interceptor hands on is sent.
  types: ['HttpClient', 'HttpRequest', 'HttpHandler', 'HttpHandlerFn'],
  everyTypes: ['HttpRequest'],
  announces: (name) => name === 'makeStateKey',
  call,
  additions,
  addsBy: ['clone'],
  givenByType,
  hookMethods: ['intercept'],
  ambient: { mark: /HttpInterceptor/, reached: /\bHttpClient\b/, isSilent: true },
  carriers: ['NgModule', 'bootstrapApplication'],
  callsInTexts,
  // https://angular.dev/tools/cli/environments
  variants: /^(.*(?:^|\/)environment)\.ts$/,
};
