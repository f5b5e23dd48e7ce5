/** What has to be parsed once more of an edited file: the rest is as it was when it was read. */
import { inOrder, type Replacement, splice } from '../../edit/splice.ts';
import type { SourceModule } from '../../evaluate/module.ts';

/**
 * The statements that are edited, each as it becomes with what stands before it. One that ends in `;` or `}`, and keeps that, is over
 * there whatever comes next: where it parses by itself, the whole text does.
 *
 * @returns undefined where some edit is not inside of such a statement
 */
export function editedStatements(
  { text, tree }: Pick<SourceModule, 'text' | 'tree'>,
  edits: readonly Replacement[],
): readonly string[] | undefined {
  const waiting = inOrder(edits, text.length);
  const found: string[] = [];
  let start = 0;
  for (const node of tree.program.body) {
    // A variable ends before the semicolon of its statement.
    const end = text[node.end] === ';' ? node.end + 1 : node.end;
    const behind = waiting.findIndex((edit) => edit.end >= end);
    const own = waiting.splice(0, behind === -1 ? waiting.length : behind);
    const [first] = own;
    if (first !== undefined) {
      if (first.start < start || !isOver(text[end - 1])) return undefined;
      found.push(splice(text.slice(start, end), own.map(movedBy(-start))));
    }
    start = end;
  }
  return waiting.length === 0 ? found : undefined;
}

const isOver = (last: string | undefined): boolean => last === ';' || last === '}';

const movedBy =
  (distance: number) =>
  ({ start, end, text }: Replacement): Replacement => ({ start: start + distance, end: end + distance, text });
