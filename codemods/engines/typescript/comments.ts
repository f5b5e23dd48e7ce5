import type { Comment } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';

/** What makes a comment one of ours. */
const mark = 'migrate-v2';

/** The comments that mention migrate-v2; what strings, templates and JSX text hold is no comment. */
export function commentsOf(file: ts.SourceFile): Comment[] {
  const { text } = file;
  const found: Comment[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (at < (found.at(-1)?.end ?? 0)) continue;
    const comment = commentAt(file, at);
    if (comment) found.push(comment);
  }
  return found;
}

function commentAt(file: ts.SourceFile, at: number): Comment | undefined {
  const gap = gapAt(file, at);
  if (gap === undefined) return undefined;
  const scanner = compiler.createScanner(
    compiler.ScriptTarget.Latest,
    false,
    compiler.LanguageVariant.JSX,
    file.text,
    undefined,
    gap.start,
    gap.end - gap.start,
  );
  for (let token = scanner.scan(); token !== compiler.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const start = scanner.getTokenStart();
    const end = scanner.getTokenEnd();
    if (start > at) return undefined;
    const isComment = token === compiler.SyntaxKind.SingleLineCommentTrivia || token === compiler.SyntaxKind.MultiLineCommentTrivia;
    if (isComment && at < end) return { start, end, text: file.text.slice(start, end) };
  }
  return undefined;
}

/**
 * The stretch of text around an offset that belongs to the innermost node and to none of its children: there are only
 * keywords, punctuation, white space and comments. Undefined inside a literal or JSX text.
 */
function gapAt(file: ts.SourceFile, at: number): { start: number; end: number } | undefined {
  let node: ts.Node = file;
  let gap = { start: 0, end: file.text.length };
  for (let inner: ts.Node | undefined = node; inner;) {
    node = inner;
    gap = { start: node.pos, end: node.end };
    inner = undefined;
    compiler.forEachChild(node, (child) => {
      if (child.end <= at) gap.start = Math.max(gap.start, child.end);
      else if (child.pos > at) gap.end = Math.min(gap.end, child.pos);
      else inner = child;
    });
    if (compiler.isToken(node)) gap.end = Math.min(gap.end, compiler.isJsxText(node) ? node.pos : node.getStart(file));
  }
  return at < gap.end ? gap : undefined;
}
