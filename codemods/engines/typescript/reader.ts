import type { Expression, Node, SpreadNode } from '../../syntax/tree.ts';
import type { ts } from './compiler.ts';

/** One file being read; what the readers of single kinds need of each other. */
export interface Reader {
  readonly text: string;
  /** Offset of a node's first character, after white space and comments. */
  start(node: ts.Node): number;
  /** Offset after a node's last character. */
  end(node: ts.Node): number;
  expression(node: ts.Expression): Expression;
  /** The statements of a list in source order; a `const a = 1, b = 2` gives two nodes, a type none. */
  statements(nodes: readonly ts.Statement[]): readonly Node[];
}

/** An argument or element; undefined for an unknown part. */
export type Element = Expression | SpreadNode | undefined;
