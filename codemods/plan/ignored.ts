/** `// migrate-v2-ignore: reason` leaves alone what follows, at a line's end its line; `migrate-v2-ignore-file: reason` the file. */
import type { SourceModule } from '../identify/module.ts';
import type { Comment, Node } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Ignored extends Place {
  /** What the comment gives; may be empty. */
  readonly reason: string;
  /** Where the comment stands, where it speaks for the file. */
  readonly file: Place | undefined;
}

const mark = /migrate-v2-ignore(?<whole>-file)?\b:?\s*(?<reason>[^*\r\n]*)/;
/** How far down a comment still speaks for the file. */
const headLines = 10;

/** The stretches of a file that its comments exempt. */
export function ignoredIn(module: SourceModule): Ignored[] {
  return module.tree.comments.flatMap((comment): Ignored[] => {
    const groups = mark.exec(comment.text)?.groups;
    if (groups === undefined) return [];
    const reason = (groups['reason'] ?? '').trim();
    if (groups['whole'] === undefined) return [{ ...stretchOf(module, comment), reason, file: undefined }];
    const isHead = module.position(comment.start).line <= headLines;
    return isHead ? [{ start: 0, end: module.text.length, reason, file: comment }] : [];
  });
}

function stretchOf(module: SourceModule, { start, end }: Comment): Place {
  const lineStart = Math.max(module.text.lastIndexOf('\n', start - 1), module.text.lastIndexOf('\r', start - 1)) + 1;
  if (module.text.slice(lineStart, start).trim() !== '') return { start: lineStart, end: lineEnd(module.text, end) };
  return nextNode(module, end) ?? { start: end, end };
}

const lineEnd = (text: string, from: number): number => {
  const length = text.slice(from).search(/[\r\n]/);
  return length === -1 ? text.length : from + length;
};

/** The outermost that begins next: a statement, a property, an argument. */
function nextNode({ tree }: SourceModule, from: number): Node | undefined {
  let next: Node | undefined;
  walk(tree.program, (node) => {
    if (node.end <= from) return false;
    if (node.start >= from && (next === undefined || node.start < next.start)) next = node;
    return node.start < from;
  });
  return next;
}
