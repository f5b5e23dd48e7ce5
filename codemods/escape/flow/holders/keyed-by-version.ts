/**
 * Maps that are asked by a path or a version which moves, while other code names the same keys itself: `` cache.delete(`/v1/${id}`) ``,
 * `strategies.set('v1', …)`, a loop over the keys that looks for the version. It would find nothing there any more.
 */
import { aliasesOf, meantByAlias } from '../../../evaluate/names/aliases.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { World } from '../../../evaluate/program.ts';
import { plainText } from '../../../evaluate/values/values.ts';
import { walk } from '../../../syntax/link.ts';
import type { Node } from '../../../syntax/tree.ts';
import { isNameChange } from '../../../verdict/changes/spans.ts';
import { isVersionAlone } from '../../answers/old-types.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { isKeyOfMap } from '../harmless-calls.ts';
import type { Carried } from '../harmless-uses.ts';

const asking = /^(?:get|set|has|add|delete)$/;
const listing = /^(?:keys|entries|forEach|values)$/;
/** At the beginning of a key: behind a word of its own it is told by `kept-keys.ts`. */
const namesVersion = /['"`]\^?(?:\\?\/)?v1(?![\w-])|\/\^?\\\/v1(?![\w-])/;

/** Whether a map is given it as a key, and others of its keys, which name the version, do not go along. */
export function isKeyOfOthers(query: DataflowQuery, { node, module, carried }: Carried): boolean {
  const { world } = query.ev;
  const call = node.parent;
  if (call?.kind !== 'call' || call.args[0] !== node || call.callee.kind !== 'member' || call.callee.object.kind !== 'name') return false;
  const { property = '', object: map } = call.callee;
  if (!asking.test(property)) return false;
  const isKept = carried.some((change) => !isNameChange(change) && (isKeyOfMap(call, node) || isVersionAlone(change)));
  // By a constant, too, unless that moves as well.
  const isMoving = (place: Place): boolean => query.carried(place).some((change) => carried.includes(change));
  const saidAt = (place: Place): string =>
    isMoving(place)
      ? ''
      : query
          .values(place)
          .flatMap((value) => plainText(value) ?? [])
          .map((text) => `'${text}'`)
          .join(' ');
  return isKept && otherKeysOf(world, map, module, saidAt).some((text) => namesVersion.test(text));
}

type SaidAt = (place: Place) => string;

/** What stands there, and what is said by the names in it. */
function textOf(of: SourceModule, node: Node, saidAt: SaidAt): string {
  const said = [of.text.slice(node.start, node.end)];
  walk(node, (each) => {
    if (each.kind === 'name' || each.kind === 'member') said.push(saidAt({ node: each, module: of }));
    return each.kind !== 'member' && each.kind !== 'function';
  });
  return said.join(' ');
}

/** What a map is made with, and what it is asked by or gone through for wherever it is known. */
function otherKeysOf(world: World, map: Node, module: SourceModule, saidAt: SaidAt): string[] {
  const named = map.kind === 'name' ? module.scopes.bindingOf(map) : undefined;
  if (named === undefined) return [];
  const origin = meantByAlias(world, named) ?? { binding: named, module };
  const { owner } = origin.binding;
  const made = owner.kind === 'variable' && owner.init !== undefined ? [textOf(origin.module, owner.init, saidAt)] : [];
  const places = [origin, ...aliasesOf(world, origin.binding)].flatMap(({ binding, module: of }) =>
    binding.references.filter((each) => each !== map).map((each) => ({ node: each, module: of })),
  );
  return [
    ...made,
    ...places.flatMap(({ node, module: of }) => {
      const { parent } = node;
      const called = parent?.kind === 'member' && parent.object === node ? parent : undefined;
      if (called?.parent?.kind === 'call' && asking.test(called.property ?? ''))
        return called.parent.args.slice(0, 1).map((key) => textOf(of, key, saidAt));
      return called === undefined || listing.test(called.property ?? '') ? [textOf(of, statementAround(node), saidAt)] : [];
    }),
  ];
}

function statementAround(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && at.parent.kind !== 'block' && at.parent.kind !== 'program' && at.parent.kind !== 'function')
    at = at.parent;
  return at;
}
