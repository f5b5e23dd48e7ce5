/** What libraries give to functions of the project: options to plugins, properties to components. It is found once, for all functions. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/all-callers.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { choiceOf, type FunctionValue, optionsOf, type Value } from '../evaluate/values.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { isCallOf } from './names.ts';

/** A function, with what it is given. */
export type Given = readonly [fn: Node, value: () => Value];

/**
 * What a parameter is given, by its place among the others.
 * @param find all functions that are given something there
 */
export function givenAt(index: number, find: (ev: Evaluation) => Iterable<Given>): NonNullable<ClientRule['injected']> {
  const known = new WeakMap<Evaluation, Map<Node, (() => Value)[]>>();
  return (ev, param) => {
    const fn = param.parent;
    if (fn?.kind !== 'function' || fn.params[index] !== param) return undefined;
    const all = known.get(ev) ?? new Map<Node, (() => Value)[]>();
    if (!known.has(ev)) {
      // Whoever asks on the way there is told nothing.
      known.set(ev, all);
      for (const [of, value] of find(ev)) all.set(of, [...(all.get(of) ?? []), value]);
    }
    const values = all.get(fn) ?? [];
    return values.length === 0 ? undefined : choiceOf(values.map((value) => value()));
  };
}

/** `app.register(plugin, options)`, `app.use({ install }, options)`: the options are given to the plugin, and to nobody else. */
export const pluginOptions = (method: RegExp): Pick<ClientRule, 'injected' | 'handsOn'> => ({
  injected: givenAt(1, function* find(ev) {
    for (const module of ev.world.modules.values()) {
      for (const node of module.calls) {
        const [, options] = node.args;
        if (options === undefined || options.kind === 'spread') continue;
        for (const plugin of pluginsOf(ev, node, module, method))
          if (plugin.type === 'function')
            yield [plugin.node, () => forAllCallers(ev, undefined, (frame) => ev.evaluate(options, { module, frame }))];
      }
    }
  }),
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
