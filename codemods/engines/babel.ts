import type { Comment, ProgramNode, SyntaxTree } from '../syntax/tree.ts';
import { expression } from './babel/expressions.ts';
import { bodyOf } from './babel/functions.ts';
import { endOf, maybe, parts, startOf, type AstNode } from './babel/nodes.ts';
import { parseWith } from './babel/parsers.ts';
import type { Reader } from './babel/reader.ts';
import { statements } from './babel/statements.ts';
import { type Engine, orFault } from './engine.ts';
import { hideShebang } from './shebang.ts';

/** Reads JavaScript with Flow, and all else that jscodeshift reads, with the parsers of jscodeshift. Not JSON. */
export const babel: Engine = {
  name: 'babel',
  parse: (path, text) => orFault(() => fromBabel(parseWith(path, hideShebang(text)), text)),
  check(path, text) {
    orFault(() => parseWith(path, hideShebang(text)));
  },
};

/**
 * The tree of what Babel's, Flow's or an ESTree parser has read.
 *
 * @param ast a `File` or `Program` whose offsets are those of `text`: as parsed, not as recast gives it (that expands tabs)
 */
export function fromBabel(ast: AstNode, text: string): SyntaxTree {
  const reader: Reader = {
    text,
    expression: (node) => expression(node, reader),
    statements: (nodes) => statements(nodes, reader),
  };
  const program: ProgramNode = { kind: 'program', body: bodyOf(maybe(ast, 'program') ?? ast, reader), start: 0, end: text.length };
  return { program, comments: commentsOf(ast, text) };
}

/** The comments that mention migrate-v2. */
function commentsOf(ast: AstNode, text: string): Comment[] {
  const all = parts(ast, 'comments').map((comment) => ({ start: startOf(comment), end: endOf(comment) }));
  return all
    .map((place) => ({ ...place, text: text.slice(place.start, place.end) }))
    .filter((comment) => comment.text.includes('migrate-v2'));
}
