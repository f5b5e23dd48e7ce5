/** Nest's HttpService, which is axios with observables: https://docs.nestjs.com/techniques/http-module. */
import { axiosRule, doneBehind } from '../axios.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { exportsNothing, optionsMade } from '../../containers/nest-options.ts';
import { lastName } from '../../names.ts';
import { askersOf, importedFrom, isGlobal, isProvidedIn, type Lists, listed, modulesAround } from '../../containers/nest-modules.ts';
import { authorizedBy, made } from '../../shapes.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { forAllCallers } from '../../../evaluate/calls/all-callers.ts';
import { classAround, functionAround } from '../../../evaluate/calls/callees.ts';
import { mayBeCalledOtherwise } from '../../../evaluate/calls/other-calls.ts';
import { isOffered } from '../../../evaluate/libraries/offered.ts';
import { isScript } from '../../../evaluate/module.ts';
import { choiceOf, type HttpValue, nothing, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { CallNode, ClassNode, Node } from '../../../syntax/tree.ts';

const name = '@nestjs/axios';
/** What it hands on, it has under the name that others have it under. */
export const scopeOfNest = /^@nestjs\//;

/** Of a module: `HttpModule.register(…)`. */
type Call = At & Pick<RuleCall, 'node' | 'path'>;

function call(call: RuleCall): Value | undefined {
  const { on } = call;
  if (on === undefined) {
    // Its settings go to its host, whether or not anybody is seen to ask by it.
    if (call.path[0] === 'HttpModule') return made(name, 'client', call, settingsOf(call.ev, call) ?? {});
    if (call.path[0] !== 'HttpService' || !call.node.isNew) return undefined;
    const [instance] = call.args;
    return instance?.type === 'http'
      ? { ...made(name, 'client', { ...call, on: instance }, {}), origins: instance.origins }
      : made(name, 'client', call, {});
  }
  const [first, ...rest] = call.path;
  const isAxios = first === 'axiosRef';
  const found = axiosRule.call?.({ ...call, path: isAxios ? rest : call.path });
  // A module's settings are set apart from the service that is injected.
  return found?.type === 'http' ? { ...found, client: name, origins: [name] } : found;
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  const [first] = mutation.path;
  if (first === 'axiosRef') return axiosRule.additions?.(doneBehind(mutation, first), request, ev);
  if (mutation.kind !== 'call' || first !== 'HttpModule') return undefined;
  const askers = askersOf(request);
  const { node, module } = mutation;
  if (!isScript(module)) return undefined;
  const around = modulesAround(ev, node, module);
  const given = isProvidedIn(ev, around, askers) ? 'own' : importedFrom(ev, node, module, askers);
  const set = given && settingsOf(ev, mutation);
  if (set === undefined) return undefined;
  if (given === 'either') return { ...set, moved: unknown(node, module, 'assigned') };
  if (around.some(isForAll) && exportsMore(ev, around)) return { moved: unknown(node, module, 'assigned') };
  const own = doneByModules(ev, mutation, around, request);
  return { ...set, ...own, headers: [...set.headers, ...(own.headers ?? [])] };
}

/** What `HttpModule.register(…)` and `registerAsync(…)` are given, by all who call the method of a dynamic module. */
function settingsOf(ev: Evaluation, call: Call): { readonly base?: Value; readonly headers: readonly Value[] } | undefined {
  const { node, frame } = call;
  if (node.args.length === 0) return undefined;
  const isNotTaken = isOffered(ev, node) && registeredBeside(call).some((other) => !isOffered(ev, other));
  const ofAll = (find: (config: Value) => Value): Value =>
    forAllCallers(ev, frame, (within) => find(configOf(ev, { ...call, frame: within })), { isOffered: isNotTaken });
  // It has settings, and nobody knows which.
  const get = (name: string): Value => ofAll((config) => (config.type === 'object' ? ev.member(config, name, node, call) : config));
  const found = get('baseURL');
  if (optionsOf(found).length === 0) return undefined;
  // `tenants.map(ApiModule.forRoot)`: who has the method otherwise than to call it gives it what nobody sees.
  const method = functionAround(node);
  const isOpen = method?.parent?.kind === 'classMember' && mayBeCalledOtherwise(ev, method);
  const base = isOpen ? choiceOf([found, unknown(node, call.module)]) : found;
  const signed = ofAll((config) => authorizedBy(call, config, 'auth') ?? nothing);
  return { ...(base.type === 'literal' ? {} : { base }), headers: [get('headers'), ...optionsOf(signed)] };
}

function configOf(ev: Evaluation, call: Call): Value {
  const [settings] = ev.args(call.node, call);
  if (settings === undefined) return unknown(call.node, call.module);
  return call.path[1] === 'registerAsync' ? optionsMade(ev, settings, call, 'createHttpOptions') : settings;
}

const isRegistering = ({ callee }: CallNode): boolean => callee.kind === 'member' && lastName(callee.object) === 'HttpModule';

/** The other registrations of a class that makes dynamic modules. */
function registeredBeside({ node, module }: Call): readonly CallNode[] {
  const of = classAround(node);
  return of === undefined ? [] : module.calls.filter((each) => each !== node && isRegistering(each) && classAround(each) === of);
}

/** `http.axiosRef.defaults.headers.common[name] = key` in the class of a module itself, whose service is that of all its providers. */
function doneByModules(ev: Evaluation, { node, module }: Mutation, around: readonly Lists[], request: HttpValue): Additions {
  const classes = new Map(around.flatMap((each) => moduleOf(each) ?? []).map((each) => [each.of, each.at]));
  const done = [...classes].flatMap(([of, at]) => doneIn(of, at)).flatMap((each) => axiosRule.additions?.(each, request, ev) ?? []);
  if (done.length > 0 && exportsMore(ev, around)) return { moved: unknown(node, module, 'assigned') };
  const [moved] = done.flatMap((each) => each.moved ?? []);
  const bases = done.flatMap((each) => each.base ?? []);
  return {
    headers: done.flatMap((each) => each.headers ?? []),
    ...(bases.length > 0 && { base: choiceOf(bases) }),
    ...(moved !== undefined && { moved }),
  };
}

function doneIn(of: ClassNode, at: At): readonly Mutation[] {
  const isWithin = (each: Node): boolean => of.start <= each.start && each.end <= of.end;
  return [
    ...at.module.writes.filter(isWithin).flatMap((write): Mutation[] => {
      const path = pathFromAxios(write.target);
      const computed = write.target.kind === 'member' ? write.target.computed : undefined;
      return path === undefined ? [] : [{ ...at, kind: 'write', node: write, path, computed, value: write.value }];
    }),
    ...at.module.calls.filter(isWithin).flatMap((call): Mutation[] => {
      const path = pathFromAxios(call.callee)?.flatMap((name) => name ?? []);
      return path === undefined ? [] : [{ ...at, kind: 'call', node: call, path }];
    }),
  ];
}

/** Whether who imports a module may ask by the service that it exports, too: what else than its own classes may be that. */
const exportsMore = (ev: Evaluation, around: readonly Lists[]): boolean =>
  around.some(
    (each) => !exportsNothing(ev, each.lists, each) && listed(ev, each.lists, 'exports', each).some(({ type }) => type !== 'class'),
  );

/** The class of a module. */
function moduleOf({ lists, module, frame }: Lists): { readonly of: ClassNode; readonly at: At } | undefined {
  const of = classAround(lists) ?? module.classes.find(({ decorators }) => decorators.some((each) => each === lists.parent));
  return of && { of, at: { module, frame } };
}

/** What stands behind `axiosRef`: `['defaults', 'headers', 'common']`. */
function pathFromAxios(node: Node): readonly (string | undefined)[] | undefined {
  const path: (string | undefined)[] = [];
  let at = node;
  for (; at.kind === 'member' && at.property !== 'axiosRef'; at = at.object) path.unshift(at.property);
  return at.kind === 'member' ? path : undefined;
}

/** Whether nobody knows who imports the module: a function gives it, or it is one for all. */
const isForAll = ({ lists, isReturned }: Lists): boolean => isReturned || isGlobal(lists);

export const nestRule: ClientRule = {
  name,
  asksThrough: 'axios',
  title: 'Nest',
  modules: [name],
  types: ['HttpService'],
  call,
  additions,
  addsBy: ['axiosRef', 'HttpModule'],
  defaults: ['axiosRef', 'defaults'],
  carriers: ['Module'],
  lists: ['@nestjs/common:Module'],
};
