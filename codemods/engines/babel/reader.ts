import type { Expression, Node } from '../../syntax/tree.ts';
import type { AstNode } from './nodes.ts';

/** One file being read; what the readers of single kinds need of each other. */
export interface Reader {
  readonly text: string;
  expression(node: AstNode): Expression;
  /** The statements of a list in source order; a `const a = 1, b = 2` gives two nodes, a type none. */
  statements(nodes: readonly AstNode[]): Node[];
}
