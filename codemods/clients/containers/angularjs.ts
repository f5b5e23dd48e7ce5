/** AngularJS: what its modules register is given by name what it asks for, https://docs.angularjs.org/guide/di. */
import { assignmentsOf } from '../../evaluate/names/assignments.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { type Ask, type AskNode, providedFor, type Put, type PutNode } from '../../evaluate/libraries/provided.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { nameOf } from '../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { unknown, type Value } from '../../evaluate/values/values.ts';
import { escaped } from '../../find/words/literals.ts';
import { memo, memoOf } from '../../once.ts';
import { objectOf } from '../servers/incoming.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { ArrayNode, Expression, FunctionNode, NameNode, Node, ParamNode, StringNode } from '../../syntax/tree.ts';
import { madeBy } from './injection.ts';
import { lastName } from '../names.ts';
import { isAnywhere } from '../whole-program.ts';

const space = 'angularjs';
/** What a module registers by a function that is injected into: https://docs.angularjs.org/api/ng/type/angular.Module */
const registering = new Set(['config', 'controller', 'directive', 'factory', 'filter', 'provider', 'run', 'service']);

/** What a parameter is injected by, in a function or class that a module registers. */
export function injectedName(param: ParamNode, module: SourceModule): string | undefined {
  const fn = param.parent;
  const own = fn?.kind === 'function' ? registered(fn, module) : undefined;
  if (fn?.kind !== 'function' || own === undefined) return undefined;
  if (own.names === undefined) return param.target.kind === 'patternName' ? param.target.name : undefined;
  const name = own.names[fn.params.indexOf(param)];
  return name?.kind === 'string' ? name.value : undefined;
}

/** What a parameter of a test is given by ngMock, which leaves the underscores around a name out: `inject(function ($httpBackend, _API_) { … })`, `inject(['API', function (url) { … }])`. */
export function injectedIntoTest({ target, parent: fn, ...param }: ParamNode, module: SourceModule): string | undefined {
  const listed = fn?.parent?.kind === 'array' ? fn.parent : undefined;
  const call = (listed ?? fn)?.parent;
  if (fn?.kind !== 'function' || !isTest(module) || call?.kind !== 'call' || lastName(call.callee) !== 'inject') return undefined;
  const name = listed?.elements[fn.params.findIndex(({ start }) => start === param.start)];
  const asked = listed === undefined && target.kind === 'patternName' ? target.name : name?.kind === 'string' ? name.value : undefined;
  return asked?.replace(/^_(.+)_$/, '$1');
}

const registered = (fn: FunctionNode, module: SourceModule): Registered | undefined =>
  registeredAs(fn, module) ?? registeredByName(fn, module) ?? listedFor(fn, module) ?? annotated(fn, module);

/** A class that lists itself what it is given: `static $inject = ['$http']`, `Texts.$inject = ['$http']`. */
function listedFor(fn: FunctionNode, module: SourceModule): Registered | undefined {
  const binding = bindingOf(fn, module);
  if (binding === undefined || binding.again.length > 0 || assignmentsOf(binding).all.length > 0) return undefined;
  const [list, ...others] = listsOf(binding);
  return list === undefined || others.length > 0 ? undefined : { names: list };
}

/** What says itself that it is injected into, whichever file registers it: https://github.com/olov/ng-annotate#explicit-annotations-with-nginject */
function annotated({ body, start }: FunctionNode, { text }: SourceModule): Registered | undefined {
  const [first] = body?.kind === 'block' ? body.body : [];
  const isSaid = first !== undefined && /^['"]ngInject['"]/.test(text.slice(first.start, first.end));
  return isSaid || /\/\*\*?\s*@ngInject\s*\*\/\s*$/.test(text.slice(Math.max(0, start - longestComment), start))
    ? { names: undefined }
    : undefined;
}

const longestComment = 30;

/** The names that are listed for it; undefined where those of its parameters are meant. */
interface Registered {
  readonly names: ArrayNode['elements'] | undefined;
}

/** `app.factory('Texts', it)`, `app.factory('Texts', ['$http', it])` */
function registeredAs(it: Node, module: SourceModule): Registered | undefined {
  const listed = it.parent?.kind === 'array' ? it.parent : undefined;
  const call = (listed ?? it).parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || !registering.has(call.callee.property ?? '')) return undefined;
  if (!isModule(call.callee.object, module) || (listed !== undefined && listed.elements.at(-1) !== it)) return undefined;
  return { names: listed?.elements };
}

/** A function or class that is registered by its name, and named for nothing else than what it is given: `Texts.$inject = ['$http']`. */
function registeredByName(fn: FunctionNode, module: SourceModule): Registered | undefined {
  const binding = bindingOf(fn, module);
  if (binding === undefined || binding.again.length > 0 || assignmentsOf(binding).all.length > 0) return undefined;
  const all = binding.references.map((each) => registeredAs(each, module));
  const isPlain = binding.references.every((each, index) => all[index] !== undefined || each.parent?.kind === 'member');
  const found = all.filter((each) => each !== undefined);
  const lists = [...listsOf(binding), ...found.flatMap(({ names }) => (names === undefined ? [] : [names]))];
  return found.length > 0 && isPlain && lists.length < 2 ? { names: lists[0] } : undefined;
}

/** The name of a function, or of the class that it makes. */
function bindingOf(fn: FunctionNode, { scopes }: SourceModule): Binding | undefined {
  const of = fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor' ? fn.parent.parent : fn;
  const name = of?.kind === 'class' || of?.kind === 'function' ? nameOf(of) : undefined;
  return name && scopes.declaredBy(name);
}

/** What is listed for a function or class, also as a static member of that. */
const listsOf = ({ owner, references }: Binding): ArrayNode['elements'][] => [
  ...references.flatMap(listOf),
  ...(owner.kind === 'class' ? owner.members : []).flatMap(({ name, value }) =>
    name === '$inject' ? [value?.kind === 'array' ? value.elements : []] : [],
  ),
];

/** `Texts.$inject = ['$http']` */
function listOf({ parent: member }: NameNode): ArrayNode['elements'][] {
  if (member?.kind !== 'member' || member.property !== '$inject') return [];
  const { parent: write } = member;
  return [write?.kind === 'assign' && write.target === member && write.value.kind === 'array' ? write.value.elements : []];
}

/** `angular.module('texts')`, also behind others of the same chain, and a variable that holds it. */
function isModule(node: Node, module: SourceModule): boolean {
  const root = rootOf(node);
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  const owner = binding?.owner;
  if (binding === undefined || owner?.kind !== 'variable') return isMade(root);
  const isOne = owner.init !== undefined && owner.target.kind === 'patternName' && binding.again.length === 0;
  return isOne && assignmentsOf(binding).all.length === 0 && isMade(rootOf(owner.init));
}

/** What a chain of calls begins with. */
function rootOf(node: Node): Node {
  let at = node;
  while (!isMade(at) && at.kind === 'call' && at.callee.kind === 'member') at = at.callee.object;
  return at;
}

const isMade = (node: Node): boolean =>
  node.kind === 'call' &&
  node.callee.kind === 'member' &&
  node.callee.property === 'module' &&
  node.callee.object.kind === 'name' &&
  node.callee.object.name === 'angular';

/** A service or controller is an object of its own: what it puts into itself it puts nowhere else. */
const thisIn = (_ev: Evaluation, node: FunctionNode, { module }: At): Value | undefined =>
  registered(node, module) && objectOf({}, { node, module });

/** `angular.module('texts').constant('API', 'https://…')`, `.factory('keys', function () { … })` */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind !== 'call' || node.callee.kind !== 'member' || !isModule(node.callee.object, module)) return [];
  const { property = '' } = node.callee;
  const [key, given] = node.args;
  if (key?.kind !== 'string' || given === undefined || given.kind === 'spread') return [];
  if (property === 'constant' || property === 'value') return [constantOf(key, given)];
  return property === 'factory'
    ? [{ space, key, node: given, value: (ev, at) => (isDecorated(ev, key) ? unknown(given, at.module) : madeOf(ev, given, at)) }]
    : [];
}

/** `$provide.decorator('keys', …)`: others are given what that makes of it. */
const isDecorated = (ev: Evaluation, { value }: StringNode): boolean =>
  isAnywhere(ev.world, String.raw`\bdecorator\(\s*['"]${escaped(value)}['"]`);

/** A constant goes to whoever asks for it, as far as all are seen that do. */
const constantOf = (key: StringNode, given: Expression): Put => ({
  space,
  key,
  node: given,
  value: (ev, at) => (isOpenlyAsked(ev.world)(key.value) ? unknown(given, at.module) : ev.evaluate(given, at)),
});

/** What a function makes that a module is given, also behind a list of what it asks for: `['$q', function ($q) { … }]`. */
export function madeOf(ev: Evaluation, given: Expression, at: At): Value {
  const fn = given.kind === 'array' ? given.elements.at(-1) : given;
  return fn === undefined || fn.kind === 'spread' ? unknown(given, at.module) : madeBy(ev, ev.evaluate(fn, at), fn, at);
}

/** What is registered under a name that is written out: `$httpProvider.interceptors.push('keys')`. */
export const providedUnder = (ev: Evaluation, key: StringNode, at: At): Value | undefined => providedFor(ev, { space, key }, key, at);

/** Whether something may be given what is registered under a name, or ask for it by that, and is not known to: `$injector.get('API')`, `resolve: { contact: function (API) { … } }`. */
const isOpenlyAsked = memoOf((world: World) => memo((name: string) => [...world.modules.values()].some((each) => asksOpenly(each, name))));

function asksOpenly(module: SourceModule, name: string): boolean {
  if (isTest(module) || !module.text.includes(name)) return false;
  const { program } = module.tree;
  return (
    nodesOfKind(program, 'param').some(
      (param) => param.target.kind === 'patternName' && param.target.name === name && injectedName(param, module) === undefined,
    ) || nodesOfKind(program, 'string').some((text) => text.value === name && !isRegistration(text, module) && !isListed(text, module))
  );
}

/** `angular.module('texts').constant('API', …)` */
const isRegistration = ({ parent, ...text }: StringNode, module: SourceModule): boolean =>
  parent?.kind === 'call' &&
  parent.args[0]?.start === text.start &&
  parent.callee.kind === 'member' &&
  /^(?:constant|value)$/.test(parent.callee.property ?? '') &&
  isModule(parent.callee.object, module);

/** Whether it stands in a list of what a function is given that is registered. */
function isListed({ parent: list }: StringNode, module: SourceModule): boolean {
  if (list?.kind !== 'array') return false;
  const fn = list.elements.at(-1);
  if (fn !== undefined && fn.kind !== 'spread' && registeredAs(fn, module)?.names === list.elements) return true;
  const of = list.parent;
  return (
    (of?.kind === 'assign' && of.target.kind === 'member' && of.target.property === '$inject') ||
    (of?.kind === 'classMember' && of.name === '$inject')
  );
}

const asks = (node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined => {
  const key = node.kind === 'param' ? (injectedName(node, module) ?? injectedIntoTest(node, module)) : undefined;
  return key === undefined ? undefined : { space, key };
};

const mark = /\.\s*(?:constant|value)\(\s*['"]/;

/** Those who may be given a constant, in whichever file of the same page. */
function reachedBy(text: string): RegExp | undefined {
  const names = Array.from(text.matchAll(/\.\s*(?:constant|value)\(\s*['"]([\w$.-]+)['"]/g), ([, name = '']) => escaped(name));
  return names.length === 0 ? undefined : new RegExp(`(?<![\\w$])_?(?:${names.join('|')})_?(?![\\w$])`);
}

export const angularJsLibrary: ClientRule = {
  name: 'angularjs modules',
  thisIn,
  carries: [{ where: /\bangular\s*\.\s*module\(/, puts, asks }],
  ambient: [
    { mark, reached: reachedBy },
    { mark: /\bdecorator\(\s*['"]/, reached: /\$httpProvider\b/, isSilent: true },
  ],
};
