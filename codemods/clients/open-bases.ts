/**
 * A base among the options of one request that only callers whom nobody sees could give: the client's own is its default. Where the program itself names such
 * an option, it may come there by a way that is not followed.
 */
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isForeign } from '../evaluate/writes/loose-writes.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isLeftToDefault } from '../evaluate/language/or-default.ts';
import { isNullish } from '../evaluate/language/or-default.ts';
import { optionsOf, type Value } from '../evaluate/values/values.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';

const bases = /^(?:base_?ur[il]|prefix(?:url)?)$/i;

/** @param options which do not name it themselves */
export const isOpenBase = (ev: Evaluation, options: Value, name: string): boolean =>
  bases.test(name) && optionsOf(options).every(isOfOthers) && !namedIn(ev).has(name);

/** Whether all of an object that is not known is what callers whom nobody sees would give: no item of a list that the program goes through. */
function isOfOthers(options: Value): boolean {
  if (options.type === 'object') return options.unknown.every(isOfOthers);
  const of = options.type === 'method' ? options.receiver : options;
  if (isNullish(options)) return true;
  return of.type === 'unknown' && isLeftToDefault(of) && of.node?.kind === 'param' && of.node.parent?.parent?.kind !== 'call';
}

const known = new WeakMap<Evaluation['world'], ReadonlySet<string>>();

/** The names of bases under which the program puts anything, but where it makes a client. */
function namedIn({ world }: Evaluation): ReadonlySet<string> {
  const before = known.get(world);
  if (before !== undefined) return before;
  const isToClient = (object: Node | undefined, module: SourceModule): boolean =>
    object?.parent?.kind === 'call' && object.parent.callee !== object && isForeign(object.parent.callee, module, world);
  const found = [...world.modules.values()].flatMap((module) => [
    ...nodesOfKind(module.tree.program, 'property').flatMap(({ name, parent }) => (isToClient(parent, module) ? [] : (name ?? []))),
    ...module.writes.flatMap(({ target }) =>
      target.kind === 'member' && !isForeign(target.object, module, world) ? (target.property ?? textOf(target.computed)) : [],
    ),
  ]);
  const names = new Set(found.filter((name) => bases.test(name)));
  known.set(world, names);
  return names;
}

const textOf = (node: Node | undefined): string | [] => (node?.kind === 'string' ? node.value : []);
