/** AngularJS's `$http`: https://docs.angularjs.org/api/ng/service/$http. It is injected into what a module registers, by the parameter's name or by a list. */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat } from '../../../evaluate/values/text.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import { assignmentsOf } from '../../../evaluate/names/assignments.ts';
import { everyOf } from '../../../evaluate/names/bindings.ts';
import { optionsOf, partsOf, plainText, unknown, type HttpValue, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { CallNode, NameNode, Node, ParamNode } from '../../../syntax/tree.ts';
import { injectedName, madeOf, providedUnder } from '../../containers/angularjs.ts';
import { guardOf, isWrittenByRequest } from '../../servers/guards.ts';
import { isAnywhere } from '../../whole-program.ts';
import { made, option, withBody } from '../../shapes.ts';
import { intercepted, mutatedHeaders } from '../axios.ts';

const name = 'angularjs';
const service = '$http';
const others = new Set(['get', 'delete', 'head']);
const provider = '$httpProvider';
/** What sets headers or an address for all requests, or has another `$http` be given. */
const hooks = String.raw`\$httpProvider\b|\.defaults\.headers\b|\b(?:constant|decorator|factory|provider|service|value)\(\s*['"]\$http`;
/** What of it is not read: it has another `$http` be given, or asks through it without being a rule's. */
const unread = String.raw`\b(?:constant|decorator|factory|provider|service|value)\(\s*['"]\$http|\bRestangular(?:Provider)?\b|\$resource\b`;
/** Templates at an address of their own: `$http` asks for them, with what is set for all requests. */
const templates = [
  String.raw`(?:\btemplateUrl\s*:|\$templateRequest\(|\bng-include(?:\s+src)?\s*=\s*["']|<ng-include\b[^<>]{0,300}?\ssrc\s*=\s*["'])\s*['"\x60](?:https?:)?//`,
  String.raw`\bng-messages-include\s*=\s*["'](?:https?:)?//`,
  // angular-translate asks for its texts by it, too.
  String.raw`\b(?:useUrlLoader|useStaticFilesLoader)\([^)]{0,300}?['"\x60](?:https?:)?//`,
].join('|');
/** Templates whose address only the program knows: a constant before a path, a function. */
const madeTemplates = String.raw`\btemplateUrl\s*:\s*(?!['"])`;

function injected(_ev: Evaluation, param: ParamNode, { module }: At): HttpValue | undefined {
  const asked = injectedName(param, module);
  if ((asked !== service && asked !== provider) || isDeclaredAgain(param, module)) return undefined;
  return { type: 'http', client: name, stage: 'client', node: param, module, headers: [], origins: [param, everyOf(name)] };
}

/** `var $http = wrapped($http)` */
function isDeclaredAgain({ target }: ParamNode, { scopes }: SourceModule): boolean {
  const binding = target.kind === 'patternName' ? scopes.declaredBy(target) : undefined;
  return binding === undefined || binding.again.length > 0 || assignmentsOf(binding).all.length > 0;
}

function call(call: RuleCall): Value | undefined {
  const { on, path, args } = call;
  const [verb, ...more] = path;
  if (on === undefined || on.stage === 'request' || more.length > 0) return undefined;
  const asked = verb === undefined ? described(call, args[0]) : short(call, verb);
  if (asked === undefined || !isHookedOpenly(call.ev)) return asked;
  return { ...asked, notes: { ...asked.notes, moved: unknown(call.node, call.module, 'assigned') } };
}

/** Whether something is done to all requests that is not read: by a `$httpProvider` that nobody is seen to be given, or in another way than by what `additions` knows. */
function isHookedOpenly(ev: Evaluation): boolean {
  const before = hookedOpenly.get(ev);
  if (before !== undefined) return before;
  // What a template's address is made of may be asked for itself.
  hookedOpenly.set(ev, false);
  const isOpen = mayBeHooked(ev);
  hookedOpenly.set(ev, isOpen);
  return isOpen;
}

const hookedOpenly = new WeakMap<Evaluation, boolean>();

function mayBeHooked(ev: Evaluation): boolean {
  const { world } = ev;
  if (isAnywhere(world, unread)) return true;
  const hooking = [...world.modules.values()].filter((module) => !isTest(module) && hooked.test(module.text));
  return (
    (hooking.length > 0 && (isAnywhere(world, templates) || areTemplatesElsewhere(ev))) ||
    hooking.some((module) => namesOfHooks(module).some((each) => !isRead(each, module)))
  );
}

/** `templateUrl: CDN + '/card.html'`, `templateUrl: function () {…}`: whether one is at a host, or behind what nobody knows. */
const areTemplatesElsewhere = (ev: Evaluation): boolean =>
  [...ev.world.modules.values()].some(
    (module) =>
      !isTest(module) &&
      nodesOfKind(module.tree.program, 'property').some(({ name: key, value }) => {
        if (key !== 'templateUrl') return false;
        const made = value.kind === 'array' ? value.elements.at(-1) : value;
        const places = made?.kind === 'function' ? returnsOf(made) : made === undefined || made.kind === 'spread' ? [] : [made];
        return places.some((node) => optionsOf(ev.evaluate(node, { module, frame: undefined })).some(isElsewhere));
      }),
  );

function isElsewhere(value: Value): boolean {
  if (value.type !== 'text') return false;
  const [first] = partsOf(value);
  return first !== undefined && ('unknownPart' in first || /^(?:https?:)?\/\//.test(plainText(value) ?? flat(partsOf(value))));
}

const hooked = /\$httpProvider\b|\$http\s*\.\s*defaults\b/;

/** `$httpProvider`, and `$http.defaults`, wherever they are named. */
const namesOfHooks = ({ tree: { program } }: SourceModule): readonly NameNode[] =>
  nodesOfKind(program, 'name').filter(
    (node) => node.name === provider || (node.name === service && node.parent?.kind === 'member' && node.parent.property === 'defaults'),
  );

/** `$httpProvider.interceptors.push(…)`, `$http.defaults.headers.common[name] = …` of what is injected. */
function isRead(node: NameNode, module: SourceModule): boolean {
  const owner = module.scopes.bindingOf(node)?.owner;
  if (owner?.kind !== 'param' || injectedName(owner, module) !== node.name || isDeclaredAgain(owner, module)) return false;
  let at: Node = node;
  const path: string[] = [];
  for (; at.parent?.kind === 'member' && at.parent.object === at; at = at.parent) path.push(at.parent.property ?? '');
  const { parent } = at;
  if (path.join('.') === 'interceptors.push') return parent?.kind === 'call' && parent.callee === at;
  return /^defaults\.headers(?:\.|$)/.test(path.join('.')) && parent?.kind === 'assign' && parent.target === at && parent.operator === '=';
}

/** What interceptors do to a request, and defaults of headers. */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call') return mutation.path[0] === 'defaults' ? { headers: defaultHeaders(mutation, request, ev) } : undefined;
  if (mutation.path.join('.') !== 'interceptors.push') return undefined;
  const all = mutation.node.args.map((arg) => interceptedBy(arg, mutation, request, ev));
  return {
    headers: all.flatMap(({ headers = [] }) => headers),
    prefixes: all.flatMap(({ prefixes = [] }) => prefixes),
    ...all.findLast(({ moved }) => moved !== undefined),
  };
}

const described = (call: RuleCall, settings: Value | undefined): HttpValue =>
  made(name, 'request', call, {
    url: option(call, settings, 'url'),
    method: option(call, settings, 'method') ?? 'GET',
    headers: [option(call, settings, 'headers')],
  });

function short(call: RuleCall, verb: string): HttpValue | undefined {
  if (!withBody.has(verb) && !others.has(verb)) return undefined;
  const [url] = call.args;
  return made(name, 'request', call, { url, method: verb, headers: [option(call, call.args[withBody.has(verb) ? 2 : 1], 'headers')] });
}

/** `$httpProvider.defaults.headers.common['x-api-key'] = key`: those of a method are of requests with that alone. */
function defaultHeaders(mutation: Exclude<Mutation, { kind: 'call' }>, { method }: HttpValue, ev: Evaluation): Value[] {
  const [, of, group] = mutation.path;
  const asked = (typeof method === 'object' ? plainText(method) : method)?.toLowerCase();
  return of === 'headers' && (group === 'common' || group === asked) ? [mutatedHeaders(mutation, ev)] : [];
}

/** What one interceptor does to a request: a service by its name, or what makes one, https://docs.angularjs.org/api/ng/service/$http#interceptors. */
function interceptedBy(arg: CallNode['args'][number], mutation: Mutation, request: HttpValue, ev: Evaluation): Additions {
  const { node, module, frame } = mutation;
  const at: At = { module, frame };
  const elsewhere = { moved: unknown(node, module, 'assigned') };
  if (arg.kind === 'spread') return elsewhere;
  const made = arg.kind === 'string' ? providedUnder(ev, arg, at) : madeOf(ev, arg, at);
  if (made?.type !== 'object' || made.unknown.length > 0) return elsewhere;
  const hook = ev.member(made, 'request', arg, at);
  if (hook.type === 'literal') return {};
  const name = hook.type === 'function' ? hook.node.params[0]?.target : undefined;
  if (name?.kind !== 'patternName') return elsewhere;
  const { headers = [], moved } = intercepted(ev, mutation, [hook], request);
  const given = headers.map((each) => guarded(each, name.name, request, ev));
  return {
    headers: given.map((each) => each.headers),
    prefixes: given.flatMap((each) => each.prefixes),
    ...(moved === undefined ? {} : { moved }),
  };
}

/** Those headers that a request comes by, and what addresses have to begin with that get them. */
function guarded(headers: Value, name: string, request: HttpValue, ev: Evaluation): { headers: Value; prefixes: readonly Value[] } {
  if (headers.type !== 'object') return { headers, prefixes: [] };
  const prefixes: Value[] = [];
  const entries = headers.entries.filter(({ node, module }) => {
    const of = ev.world.modules.get(module.file);
    const guard = of && guardOf(ev, { node, module: of, frame: undefined });
    if (guard === undefined) return !isWrittenByRequest(ev, node, name);
    if (guard.excludes(request.url)) return false;
    prefixes.push(...guard.prefixes);
    return true;
  });
  return { headers: { ...headers, entries }, prefixes };
}

export const angularJsRule: ClientRule = {
  name,
  title: "AngularJS's $http",
  isOfPages: true,
  call,
  additions,
  addsBy: ['defaults', 'interceptors'],
  injected,
  ambient: { mark: new RegExp(hooks), reached: new RegExp(String.raw`\$http\b|${templates}|${madeTemplates}`), isSilent: true },
};
