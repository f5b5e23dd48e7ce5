/** What libraries give to functions of the project: options to plugins, properties to components. */
import type { ClientRule } from '../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/calls/all-callers.ts';
import { declaredAs } from '../evaluate/names/declared.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { choiceOf, type FunctionValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { memoOf } from '../once.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../syntax/tree.ts';
import { isCallOf } from './names.ts';

/** A place where a library gives something to functions. */
export interface Giving {
  /** What names the functions … */
  readonly named: Expression;
  readonly module: SourceModule;
  /** … and which of them that is. */
  functions(ev: Evaluation): readonly Value[];
  value(ev: Evaluation): Value;
}

/** Steps to find out which functions one place gives something. */
const maxSteps = 500;

/** How often it is asked anew what one place gives, by questions that have more steps for it. */
const maxTries = 3;

/** What is drawn in a function may be what that is given, by one that is drawn in another. */
const maxRounds = 6;

interface Givings {
  readonly byFunction: Map<Node, Set<Giving>>;
  /** What was not followed to its end, and how often that was tried: it may give something to any function. */
  open: Map<Giving, number>;
  isFound: boolean;
}

/**
 * What a parameter is given, by its place among the others. All places are looked at once, for all functions, in steps that are nobody's: who asked first
 * would come to a part of them only, and the others would not see the rest.
 * @param givingsIn all places that give something there, by the syntax alone
 * @param mayBeGiven whether a function is of the kind that is given anything so
 */
export function givenAt(
  index: number,
  givingsIn: (module: SourceModule) => readonly Giving[],
  mayBeGiven: (fn: FunctionNode) => boolean = () => true,
): NonNullable<ClientRule['injected']> {
  const known = new WeakMap<Evaluation, Givings>();
  return (ev, param, { module }) => {
    const fn = param.parent;
    if (fn?.kind !== 'function' || fn.params[index] !== param) return undefined;
    const before = known.get(ev);
    const givings = before ?? { byFunction: new Map(), open: new Map(), isFound: false };
    known.set(ev, givings);
    if (before === undefined) find(ev, [...ev.world.modules.values()].flatMap(givingsIn), givings);
    // Whoever asks on the way there gets what is known by then, and is asked again.
    if (!givings.isFound) ev.budget.cut();
    // Nothing is edited far from a base.
    if (!ev.budget.isFar({ node: param, module }) && mayBeGiven(fn)) followOpen(ev, givings);
    const all = [...(givings.byFunction.get(fn) ?? [])];
    return all.length === 0 ? undefined : choiceOf(all.map((giving) => giving.value(ev)));
  };
}

/** The least fixpoint: which functions are given something by a place may hang on what is given by others. */
function find(ev: Evaluation, all: readonly Giving[], givings: Givings): void {
  let [rest, isNew] = [all, true];
  for (let round = 0; isNew && round < maxRounds; round++) ({ rest, isNew } = follow(ev, rest, givings.byFunction));
  givings.isFound = true;
  givings.open = new Map(follow(ev, rest, givings.byFunction).rest.map((giving) => [giving, 0]));
}

/** What was not followed to its end may give any function something: as far as there are steps for it, it is found out for all of them. */
function followOpen(ev: Evaluation, { open, byFunction }: Givings): void {
  for (const [giving, tries] of open) {
    if (ev.budget.isExhausted || tries >= maxTries) {
      ev.budget.cut(undefined, tries >= maxTries);
      continue;
    }
    const { cuts } = ev.budget;
    for (const each of giving.functions(ev)) if (each.type === 'function') add(byFunction, each.node, giving);
    if (ev.budget.cuts > cuts) open.set(giving, tries + 1);
    else if (ev.isResolved(giving.named, { frame: undefined })) open.delete(giving);
  }
}

/** @returns whether that was not known */
function add(byFunction: Givings['byFunction'], fn: Node, giving: Giving): boolean {
  const list = byFunction.get(fn) ?? new Set();
  byFunction.set(fn, list);
  const isNew = !list.has(giving);
  list.add(giving);
  return isNew;
}

/** @returns what was not followed to its end, and whether something was found that was not known */
function follow(
  ev: Evaluation,
  all: readonly Giving[],
  byFunction: Givings['byFunction'],
): { readonly rest: readonly Giving[]; readonly isNew: boolean } {
  let isNew = false;
  const rest = all.filter((giving) => {
    const { functions, isFinal } = functionsOf(ev, giving);
    for (const fn of functions) isNew = add(byFunction, fn, giving) || isNew;
    return !isFinal;
  });
  return { rest, isNew };
}

function functionsOf(
  ev: Evaluation,
  { named, module, functions }: Giving,
): { readonly functions: readonly Node[]; readonly isFinal: boolean } {
  const declared = declaredAs(ev, named, module)?.node;
  if (declared?.kind === 'function') return { functions: [declared], isFinal: true };
  const { value, isCut } = ev.aside({ node: named, module }, () => functions(ev), maxSteps);
  return {
    functions: value.flatMap((each) => (each.type === 'function' ? each.node : [])),
    isFinal: !isCut && ev.isResolved(named, { frame: undefined }),
  };
}

/** `app.register(plugin, options)`, `app.use({ install }, options)`: the options are given to the plugin, and to nobody else. */
export const pluginOptions = (method: RegExp): Pick<ClientRule, 'injected' | 'handsOn'> => ({
  injected: givenAt(
    1,
    (module) =>
      module.calls.flatMap((node): Giving[] => {
        const [plugin, options] = node.args;
        if (plugin === undefined || options === undefined || plugin.kind === 'spread' || options.kind === 'spread') return [];
        // `queues.register(`worker:${name}`, stop)`: a registry of names plugs nothing in.
        if (texts.has(plugin.kind) || !isCallOf(node, { method, on: /./ })) return [];
        const value = (ev: Evaluation): Value => forAllCallers(ev, undefined, (frame) => ev.evaluate(options, { module, frame }));
        return [{ named: plugin, module, functions: (ev) => pluginsOf(ev, node, module, method), value }];
      }),
    (fn) => !isOnlyCalled(fn),
  ),
  handsOn(ev, node, module) {
    const call = node.parent;
    if (call?.kind !== 'call' || call.args[1] !== node) return undefined;
    const plugins = pluginsOf(ev, call, module, method);
    const own = plugins.filter((each): each is FunctionValue => each.type === 'function');
    return own.length === 0 || own.length < plugins.length
      ? undefined
      : own.map((fn) => ({ params: fn.node.params.slice(1, 2), module: fn.module }));
  },
});

const texts: ReadonlySet<Node['kind']> = new Set(['string', 'template', 'concat']);

/** Whether no place can have a function for its value: a constructor, or a method under a private name that its class does nothing with but call it. */
const isOnlyCalled = memoOf((fn: FunctionNode): boolean => {
  const member = fn.parent;
  if (member?.kind !== 'classMember' || member.value !== fn) return false;
  if (member.role === 'constructor') return true;
  const { name, role, decorators, parent: around } = member;
  // What decorates a method has it.
  if (role !== 'method' || name?.startsWith('#') !== true || decorators.length > 0 || around === undefined) return false;
  let isTaken = false;
  walk(around, (node) => {
    isTaken ||= node.kind === 'member' && node.property === name && !(node.parent?.kind === 'call' && node.parent.callee === node);
    return !isTaken;
  });
  return !isTaken;
});

/** What a call plugs in: a function, an object with one, or what a file exports by default. */
function pluginsOf(ev: Evaluation, node: CallNode, module: SourceModule, method: RegExp): readonly Value[] {
  const [plugin] = node.args;
  if (plugin === undefined || plugin.kind === 'spread' || !isCallOf(node, { method, on: /./ })) return [];
  return optionsOf(ev.evaluate(plugin, { module, frame: undefined })).flatMap((each) => {
    if (each.type === 'object') return optionsOf(ev.member(each, 'install', node, { module, frame: undefined }));
    return each.type === 'namespace' ? optionsOf(ev.member(each, 'default', node, { module, frame: undefined })) : [each];
  });
}
