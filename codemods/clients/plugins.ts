/** What libraries give to functions of the project: options to plugins, properties to components. Each place is looked at once, for all functions. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/all-callers.ts';
import { declaredAs } from '../evaluate/declared.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { type Keys, ResolvedIndex } from '../evaluate/resolved-index.ts';
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

interface Index {
  readonly near: ResolvedIndex<Giving, Node>;
  readonly far: ResolvedIndex<Giving, Node>;
}

/**
 * What a parameter is given, by its place among the others.
 * @param givingsIn all places that give something there, by the syntax alone
 */
export function givenAt(index: number, givingsIn: (module: SourceModule) => readonly Giving[]): NonNullable<ClientRule['injected']> {
  const known = new WeakMap<Evaluation, Index>();
  return (ev, param, { module }) => {
    const fn = param.parent;
    if (fn?.kind !== 'function' || fn.params[index] !== param) return undefined;
    const { near, far } = known.get(ev) ?? indexOf(ev, givingsIn);
    known.set(ev, { near, far });
    // Whoever uses what may be edited is near as well: a question about that has its steps for these.
    const givings = [...near.under(fn), ...(ev.budget.isFar({ node: param, module }) ? far.under(fn) : [])];
    return givings.length === 0 ? undefined : choiceOf(givings.map((giving) => giving.value(ev)));
  };
}

function indexOf(ev: Evaluation, givingsIn: (module: SourceModule) => readonly Giving[]): Index {
  const all = [...ev.world.modules.values()].flatMap((module) => givingsIn(module));
  const { near = [], far = [] } = Object.groupBy(all, ({ named, module }) => (ev.budget.isFar({ node: named, module }) ? 'far' : 'near'));
  const functionsOf = (giving: Giving): Keys<Node> | undefined => functionsGiven(ev, giving);
  return { near: new ResolvedIndex(near, functionsOf), far: new ResolvedIndex(far, functionsOf) };
}

/** What is not followed to its end is asked for again, by whoever has steps left: it may be any function. */
function functionsGiven(ev: Evaluation, giving: Giving): Keys<Node> | undefined {
  const declared = declaredAs(ev, giving.named, giving.module);
  if (declared?.node.kind === 'function') return { keys: [declared.node], isFinal: true };
  const { cuts } = ev.budget;
  if (ev.budget.isExhausted) {
    ev.budget.cut();
    return undefined;
  }
  const keys = giving.functions(ev).flatMap((each) => (each.type === 'function' ? each.node : []));
  return { keys, isFinal: ev.budget.cuts === cuts && ev.isResolved(giving.named, { frame: undefined }) };
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
