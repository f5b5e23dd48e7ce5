/** What libraries give to functions of the project: options to plugins, properties to components. Found by the names that both go by. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/all-callers.ts';
import { declaredAs } from '../evaluate/declared.ts';
import { namesLeadingTo, namesWithin } from '../evaluate/function-names.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { choiceOf, type FunctionValue, optionsOf, type Value } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
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

interface Givings {
  /** What the syntax alone says who is given. */
  readonly byFunction: ReadonlyMap<Node, readonly Placed[]>;
  /** The others, by what stands where they say who: functions that are written there, and names. */
  readonly byPart: ReadonlyMap<Node | string, readonly Placed[]>;
  namesOf(fn: Node): ReadonlySet<string>;
}

/**
 * What a parameter is given, by its place among the others.
 * @param givingsIn all places that give something there, by the syntax alone
 */
export function givenAt(index: number, givingsIn: (module: SourceModule) => readonly Giving[]): NonNullable<ClientRule['injected']> {
  const known = new WeakMap<Evaluation, Givings>();
  return (ev, param) => {
    const fn = param.parent;
    if (fn?.kind !== 'function' || fn.params[index] !== param) return undefined;
    const givings = known.get(ev) ?? givingsOf(ev, givingsIn);
    known.set(ev, givings);
    const { byFunction, byPart, namesOf } = givings;
    const named = new Set([...around(fn), ...namesOf(fn)].flatMap((part) => byPart.get(part) ?? []));
    const found = [...(byFunction.get(fn) ?? []), ...Array.from(named).filter(({ giving }) => isGiven(ev, fn, giving))];
    if (found.length === 0) return undefined;
    return choiceOf(found.toSorted((one, other) => one.rank - other.rank).map(({ giving }) => giving.value(ev)));
  };
}

function givingsOf(ev: Evaluation, givingsIn: (module: SourceModule) => readonly Giving[]): Givings {
  const byFunction = new Map<Node, Placed[]>();
  const byPart = new Map<Node | string, Placed[]>();
  const all = [...ev.world.modules.values()].flatMap((module) => givingsIn(module));
  for (const [rank, giving] of all.entries()) {
    const declared = declaredAs(ev, giving.named, giving.module)?.node;
    if (declared?.kind === 'function') put(byFunction, declared, { giving, rank });
    else for (const part of partsOf(giving.named)) put(byPart, part, { giving, rank });
  }
  const names = [...byPart.keys()].flatMap((part) => (typeof part === 'string' ? part : []));
  return { byFunction, byPart, namesOf: names.length === 0 ? () => none : namesLeadingTo(ev.world, names) };
}

function partsOf(named: Expression): Iterable<Node | string> {
  const parts = new Set<Node | string>(namesWithin(named));
  walk(named, (node) => {
    if (node.kind === 'function') parts.add(node);
    return node.kind !== 'function';
  });
  return parts;
}

function around(fn: Node): Node[] {
  const nodes: Node[] = [];
  for (let at: Node | undefined = fn; at !== undefined; at = at.parent) if (at.kind === 'function') nodes.push(at);
  return nodes;
}

const none: ReadonlySet<string> = new Set();

function put<Key>(lists: Map<Key, Placed[]>, key: Key, placed: Placed): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [placed]);
  else list.push(placed);
}

function isGiven(ev: Evaluation, fn: Node, giving: Giving): boolean {
  // Each of thousands would take another step.
  if (ev.budget.isExhausted) {
    ev.budget.cut();
    return false;
  }
  return giving.functions(ev).some((each) => each.type === 'function' && each.node === fn);
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
