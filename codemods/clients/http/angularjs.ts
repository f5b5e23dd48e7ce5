/** AngularJS's `$http`: https://docs.angularjs.org/api/ng/service/$http. It is injected into what a module registers, by the parameter's name or by a list. */
import { axiosRule } from './axios.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Carrying } from '../../evaluate/provided.ts';
import { escaped } from '../../find/literals.ts';
import { assignmentsOf } from '../../evaluate/assignments.ts';
import { unknown, type HttpValue, type Value } from '../../evaluate/values.ts';
import type { CallNode, FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import { askedBy } from '../names.ts';
import { isAnywhere } from '../whole-program.ts';
import { made, option } from '../shapes.ts';

const name = 'angularjs';
const service = '$http';
/** What a module registers by a function that is injected into: https://docs.angularjs.org/api/ng/type/angular.Module */
const registering = new Set(['controller', 'directive', 'factory', 'filter', 'run', 'service']);
/** What takes a body before its settings. */
const withBody = new Set(['post', 'put', 'patch']);
const others = new Set(['get', 'delete', 'head']);
/** What sets headers or an address for all requests, or has another `$http` be given. */
const hooks = String.raw`\$httpProvider\b|\b(?:constant|decorator|factory|provider|service|value)\(\s*['"]\$http`;

function injected(_ev: Evaluation, param: ParamNode, { module }: At): HttpValue | undefined {
  const fn = param.parent;
  if (fn?.kind !== 'function' || nameFor(param, fn, module) !== service || isDeclaredAgain(param, module)) return undefined;
  return { type: 'http', client: name, stage: 'client', node: param, module, headers: [], origins: [name] };
}

/** `var $http = wrapped($http)` */
function isDeclaredAgain({ target }: ParamNode, { scopes }: SourceModule): boolean {
  const binding = target.kind === 'patternName' ? scopes.declaredBy(target) : undefined;
  return binding === undefined || binding.again.length > 0 || assignmentsOf(binding).all.length > 0;
}

/** What a parameter is injected by, in a function that a module of AngularJS registers. */
function nameFor(param: ParamNode, fn: FunctionNode, module: SourceModule): string | undefined {
  const listed = fn.parent?.kind === 'array' ? fn.parent : undefined;
  const call = (listed ?? fn).parent;
  if (call?.kind !== 'call' || !isOfModule(call, registering, module)) return undefined;
  if (listed === undefined) return param.target.kind === 'patternName' ? param.target.name : undefined;
  const given = listed.elements[fn.params.indexOf(param)];
  return listed.elements.at(-1) === fn && given?.kind === 'string' ? given.value : undefined;
}

/** `angular.module('texts').factory('Texts', …)`, also behind others of the same chain, and of a name for it. */
function isOfModule({ callee }: CallNode, methods: ReadonlySet<string>, { scopes }: SourceModule): boolean {
  if (callee.kind !== 'member' || !methods.has(callee.property ?? '')) return false;
  let at: Node = callee.object;
  const owner = at.kind === 'name' ? scopes.bindingOf(at)?.owner : undefined;
  if (owner?.kind === 'variable' && owner.init !== undefined) at = owner.init;
  while (at.kind === 'call' && at.callee.kind === 'member') {
    if (at.callee.property === 'module') return at.callee.object.kind === 'name' && at.callee.object.name === 'angular';
    at = at.callee.object;
  }
  return false;
}

const space = 'angularjs';
const registers = /\$inject\b|\bngInject\b|\.(?:component|config|controller|directive|factory|filter|provider|run|service)\(/;
const putting = new Set(['constant', 'value']);

/** `angular.module('texts').constant('API', { url: 'https://…' })`, which is injected by its name: https://docs.angularjs.org/guide/providers#constant-recipe */
const constants: Carrying = {
  where: /\bangular\b/,
  puts(node, module) {
    if (node.kind !== 'call' || !isOfModule(node, putting, module)) return [];
    const [key, value] = node.args;
    return key?.kind === 'string' && value !== undefined && value.kind !== 'spread' ? [{ space, key, node: value }] : [];
  },
  asks(node, _name, module) {
    if (node.kind === 'call') return askedBy(node, space, { method: /^get$/, on: /^\$injector$/ });
    const fn = node.kind === 'param' ? node.parent : undefined;
    if (node.kind !== 'param' || fn?.kind !== 'function') return undefined;
    // `Texts.$inject = ['$http', 'API']` of a function that is registered by its name.
    const own = node.target.kind === 'patternName' && registers.test(module.text) ? node.target.name : undefined;
    const key = nameFor(node, fn, module) ?? own;
    return key === undefined || key.startsWith('$') ? undefined : { space, key };
  },
};

const constant = /\.(?:constant|value)\(\s*['"]([\w$.]+)['"]/g;
const usesOf = (text: string): RegExp | undefined => {
  const names = Array.from(text.matchAll(constant), ([, of = '']) => escaped(of));
  return names.length === 0 ? undefined : new RegExp(`(?<![\\w$])(?:${names.join('|')})(?![\\w$])`);
};

function call(call: RuleCall): Value | undefined {
  const { on, path, args } = call;
  const [verb, ...more] = path;
  if (on === undefined || on.stage === 'request' || more.length > 0) return undefined;
  const asked = verb === undefined ? described(call, args[0]) : short(call, verb);
  if (asked === undefined || !isAnywhere(call.ev.world, hooks)) return asked;
  return { ...asked, notes: { ...asked.notes, moved: unknown(call.node, call.module, 'assigned') } };
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

/** `$http.defaults.headers.common['x-api-key'] = key`: https://docs.angularjs.org/api/ng/service/$http#setting-http-headers */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  const [first, second] = mutation.path;
  return mutation.kind !== 'call' && first === 'defaults' && second === 'headers'
    ? axiosRule.additions?.(mutation, request, ev)
    : undefined;
}

export const angularJsRule: ClientRule = {
  name,
  title: "AngularJS's $http",
  isOfPages: true,
  call,
  additions,
  addsBy: ['defaults'],
  defaults: ['defaults'],
  injected,
  carries: [constants],
  ambient: [
    { mark: new RegExp(String.raw`${hooks}|\.defaults\.headers\b`), reached: /\$http\b/, isSilent: true },
    { mark: new RegExp(constant, ''), reached: usesOf },
  ],
};
