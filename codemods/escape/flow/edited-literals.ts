/** The literals of a file that edits are in. */
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';

const literals = new WeakMap<SourceModule, readonly Node[]>();

/** What an edit is in, or takes the place of: a name of the header that is written out. */
export function editedAt(module: SourceModule, { start, end, text }: Pick<Change, 'start' | 'end' | 'text'>): Node | undefined {
  const { program } = module.tree;
  if (!/^['"]/.test(text)) return literalAt(module, start);
  const isReplaced = (node: Node): boolean => node.start === start && node.end === end;
  return nodesOfKind(program, 'member').find(isReplaced) ?? nodesOfKind(program, 'name').find(isReplaced) ?? literalAt(module, start);
}

/** The literal, or the property by its name, that an edit is in. */
function literalAt(module: SourceModule, start: number): Node | undefined {
  const all = literals.get(module) ?? literalsOf(module);
  literals.set(module, all);
  // What stands within another comes after it.
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0; index--) if ((all[index]?.end ?? 0) >= start) return all[index];
  return undefined;
}

function literalsOf({ tree }: SourceModule): Node[] {
  const numbers = nodesOfKind(tree.program, 'literal').filter(({ value }) => typeof value === 'number');
  return [
    ...(['property', 'template', 'string'] as const).flatMap((kind): readonly Node[] => nodesOfKind(tree.program, kind)),
    ...numbers,
  ].toSorted((one, other) => one.start - other.start || other.end - one.end);
}
