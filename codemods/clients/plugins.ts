/** What libraries give to functions of the project: options to plugins, properties to components. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/all-callers.ts';
import { declaredAs } from '../evaluate/declared.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { choiceOf, type FunctionValue, optionsOf, type Value } from '../evaluate/values.ts';
import type { CallNode, Expression, Node } from '../syntax/tree.ts';
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

interface Placed {
  readonly giving: Giving;
  readonly rank: number;
}

/** Steps to find out which functions one place gives something. */
const maxSteps = 500;
/** What hangs on what is being found out just now is looked at again by who asks next. */
const maxTries = 3;

interface Givings {
  readonly byFunction: Map<Node, Placed[]>;
  /** What was not followed to its end yet. */
  open: readonly Placed[];
  tries: number;
}

/**
 * What a parameter is given, by its place among the others. All places are looked at once, for all functions, in steps that are nobody's: who asked first
 * would come to a part of them only, and the others would not see the rest.
 * @param givingsIn all places that give something there, by the syntax alone
 */
export function givenAt(index: number, givingsIn: (module: SourceModule) => readonly Giving[]): NonNullable<ClientRule['injected']> {
  const known = new WeakMap<Evaluation, Givings>();
  return (ev, param) => {
    const fn = param.parent;
    if (fn?.kind !== 'function' || fn.params[index] !== param) return undefined;
    const givings = known.get(ev) ?? givingsOf(ev, givingsIn);
    // Whoever asks on the way there is told what is known by then.
    known.set(ev, givings);
    if (givings.open.length > 0 && givings.tries < maxTries) follow(ev, givings);
    const found = givings.byFunction.get(fn) ?? [];
    if (found.length === 0) return undefined;
    return choiceOf(found.toSorted((one, other) => one.rank - other.rank).map(({ giving }) => giving.value(ev)));
  };
}

function givingsOf(ev: Evaluation, givingsIn: (module: SourceModule) => readonly Giving[]): Givings {
  const byFunction = new Map<Node, Placed[]>();
  const open: Placed[] = [];
  const all = [...ev.world.modules.values()].flatMap((module) => givingsIn(module));
  for (const [rank, giving] of all.entries()) {
    const declared = declaredAs(ev, giving.named, giving.module)?.node;
    if (declared?.kind === 'function') put(byFunction, declared, { giving, rank });
    else open.push({ giving, rank });
  }
  return { byFunction, open, tries: 0 };
}

function follow(ev: Evaluation, givings: Givings): void {
  const { open } = givings;
  const again: Placed[] = [];
  givings.tries++;
  givings.open = [];
  for (const placed of open) {
    const { giving } = placed;
    const place = { node: giving.named, module: giving.module };
    const { value, isCut } = ev.budget.aside(place, () => giving.functions(ev), maxSteps);
    if (!isCut && ev.isResolved(giving.named, { frame: undefined })) {
      const functions = new Set(value.flatMap((each) => (each.type === 'function' ? each.node : [])));
      for (const fn of functions) put(givings.byFunction, fn, placed);
    } else again.push(placed);
  }
  givings.open = again;
}

function put(lists: Map<Node, Placed[]>, key: Node, placed: Placed): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [placed]);
  else list.push(placed);
}

/** `app.register(plugin, options)`, `app.use({ install }, options)`: the options are given to the plugin, and to nobody else. */
export const pluginOptions = (method: RegExp): Pick<ClientRule, 'injected' | 'handsOn'> => ({
  injected: givenAt(1, (module) =>
    module.calls.flatMap((node): Giving[] => {
      const [plugin, options] = node.args;
      if (plugin === undefined || options === undefined || plugin.kind === 'spread' || options.kind === 'spread') return [];
      if (!isCallOf(node, { method, on: /./ })) return [];
      const value = (ev: Evaluation): Value => forAllCallers(ev, undefined, (frame) => ev.evaluate(options, { module, frame }));
      return [{ named: plugin, module, functions: (ev) => pluginsOf(ev, node, module, method), value }];
    }),
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

/** What a call plugs in: a function, an object with one, or what a file exports by default. */
function pluginsOf(ev: Evaluation, node: CallNode, module: SourceModule, method: RegExp): readonly Value[] {
  const [plugin] = node.args;
  if (plugin === undefined || plugin.kind === 'spread' || !isCallOf(node, { method, on: /./ })) return [];
  return optionsOf(ev.evaluate(plugin, { module, frame: undefined })).flatMap((each) => {
    if (each.type === 'object') return optionsOf(ev.member(each, 'install', node, { module, frame: undefined }));
    return each.type === 'namespace' ? optionsOf(ev.member(each, 'default', node, { module, frame: undefined })) : [each];
  });
}
