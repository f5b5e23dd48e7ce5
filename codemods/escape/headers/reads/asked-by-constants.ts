/**
 * Headers that arrived at a server and are asked by the constant that gives ours its name: `if (!arrived.has(KEY_HEADER)) arrived.set(KEY_HEADER, key)`. Behind the
 * edit they would be asked for something else that their sender put there.
 */
import type { Place } from '../../../evaluate/budget.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isOfArrived } from '../../../requests/forwarded-headers.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { ChangesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import { receiverOf } from '../../../verdict/key-mentions.ts';
import { type Change, isNameChange } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';

/** @returns where they are asked, and the name that is edited */
export function askedByConstants(query: DataflowQuery, changes: ChangesByPlace): (Place & { readonly change: Change })[] {
  if (!changes.all.some(isNameChange)) return [];
  return [...query.ev.world.modules.values()].filter(isScript).flatMap((module) =>
    presenceTestsIn(module).flatMap((node) => {
      const receiver = receiverOf(node);
      if (receiver === undefined) return [];
      const change = query.carried({ node, module }).find(isNameChange);
      return change === undefined || !isOfArrived(query.ev, { node: receiver, module }) ? [] : [{ node: receiver, module, change }];
    }),
  );
}

/** What stands in the place of a name that is asked for: `headers.has(NAME)`, `NAME in headers`. */
function presenceTestsIn({ calls, tree: { program } }: SourceModule): readonly Node[] {
  const asked = calls.flatMap(({ callee, args: [name] }) =>
    callee.kind === 'member' && callee.property === 'has' && name !== undefined ? [name] : [],
  );
  const sought = nodesOfKind(program, 'binary').flatMap(({ operator, left }) => (operator === 'in' ? [left] : []));
  return [...asked, ...sought].filter(({ kind }) => kind === 'name' || kind === 'member');
}
