/** What libraries give to functions of the project: options to plugins, properties to components. It is found once, for all functions. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { forAllCallers } from '../evaluate/all-callers.ts';
import { choiceOf, optionsOf, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';
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

/** `app.register(plugin, options)`, `app.use({ install }, options)` */
export const pluginOptions = (method: RegExp): NonNullable<ClientRule['injected']> =>
  givenAt(1, function* find(ev) {
    for (const module of ev.world.modules.values()) {
      for (const node of module.calls) {
        const [plugin, options] = node.args;
        if (node.callee.kind !== 'member' || !isCallOf(node, { method }) || plugin === undefined || options === undefined) continue;
        if (plugin.kind === 'spread' || options.kind === 'spread') continue;
        const at = { module, frame: undefined };
        for (const each of optionsOf(ev.evaluate(plugin, at))) {
          const fn = each.type === 'object' ? ev.member(each, 'install', node, at) : each;
          if (fn.type === 'function')
            yield [fn.node, () => forAllCallers(ev, undefined, (frame) => ev.evaluate(options, { module, frame }))];
        }
      }
    }
  });
