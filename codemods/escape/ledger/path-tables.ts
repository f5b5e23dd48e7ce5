/** Paths that nobody calls, in a table of paths: an enum, an object, a file of constants. */
import type { Node, VariableNode } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { isRoute, type Suspicious } from './suspicious.ts';

/** What has a path among others: an enum, or the object that has it for a value, or for what a function of it gives: `{ contact: (id) => `/v1/contacts/${id}` }`. */
function tableAround(node: Node): Node | undefined {
  let at = node;
  while (at.parent !== undefined && /^(?:function|block|return)$/.test(at.parent.kind)) at = at.parent;
  if (at.parent?.kind === 'enum') return at.parent;
  if (isConstant(at.parent)) return at.parent.parent?.kind === 'program' ? at.parent.parent : at.parent.parent?.parent;
  return at.parent?.kind === 'property' && at.parent.parent?.kind === 'object' ? at.parent.parent : undefined;
}

/** Where a table has its paths; a file of constants has them in these: `export const contacts = '/v1/contacts'`. */
const stretchesOf = (table: Node): readonly Node[] =>
  table.kind === 'program'
    ? table.body.flatMap((each) => (each.kind === 'exportDeclaration' ? each.declarations : each)).filter(isConstant)
    : [table];

function isConstant(node: Node | undefined): node is VariableNode {
  if (node?.kind !== 'variable' || node.declares !== 'const') return false;
  const { init, parent } = node;
  const text = init?.kind === 'string' ? init.value : init?.kind === 'template' ? init.texts[0]?.value : undefined;
  return text?.startsWith('/') === true && (parent?.kind === 'exportDeclaration' ? parent.parent : parent)?.kind === 'program';
}

/**
 * An unused path in a table of paths that are moved: its first use would send v2's header to v1.
 * @param isOnV2 whether calls are on v2 already: then paths of v2 in a table were moved before
 */
export function besideMoved(moved: ChangesByPlace, isOnV2: boolean): (literal: Suspicious) => boolean {
  const known = new Map<Node, boolean>();
  return ({ node, module }) => {
    const table = isRoute(node) ? tableAround(node) : undefined;
    if (table === undefined) return false;
    const isMoved =
      known.get(table) ??
      ((isOnV2 && /["'`]\/v2\//.test(module.text.slice(table.start, table.end))) ||
        stretchesOf(table).some((each) =>
          moved.at(module, each.start, each.end).some(({ what, start }) => what === 'path' && each.start <= start && start < each.end),
        ));
    known.set(table, isMoved);
    return isMoved;
  };
}
