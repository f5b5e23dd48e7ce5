/** AngularJS's `$http`: https://docs.angularjs.org/api/ng/service/$http. It is injected into what a module registers, by the parameter's name or by a list. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { assignmentsOf } from '../../evaluate/names/assignments.ts';
import { unknown, type HttpValue, type Value } from '../../evaluate/values/values.ts';
import type { ParamNode } from '../../syntax/tree.ts';
import { injectedName } from '../containers/angularjs.ts';
import { isAnywhere } from '../whole-program.ts';
import { made, option } from '../shapes.ts';

const name = 'angularjs';
const service = '$http';
/** What takes a body before its settings. */
const withBody = new Set(['post', 'put', 'patch']);
const others = new Set(['get', 'delete', 'head']);
/** What sets headers or an address for all requests, or has another `$http` be given. */
const hooks = String.raw`\$httpProvider\b|\.defaults\.headers\b|\b(?:constant|decorator|factory|provider|service|value)\(\s*['"]\$http`;

function injected(_ev: Evaluation, param: ParamNode, { module }: At): HttpValue | undefined {
  if (injectedName(param, module) !== service || isDeclaredAgain(param, module)) return undefined;
  return { type: 'http', client: name, stage: 'client', node: param, module, headers: [], origins: [name] };
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

export const angularJsRule: ClientRule = {
  name,
  title: "AngularJS's $http",
  isOfPages: true,
  call,
  injected,
  ambient: { mark: new RegExp(hooks), reached: /\$http\b/, isSilent: true },
};
