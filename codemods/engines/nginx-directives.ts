/** Directives of nginx, as they stand in the tree. */
import type { Node, ProgramNode, StringNode, TemplateNode } from '../syntax/tree.ts';
import { directive } from './nginx.ts';

export type Word = StringNode | TemplateNode;

export interface Directive {
  readonly node: Node;
  /** Empty for the file, which holds what stands in no block. */
  readonly name: string;
  readonly words: readonly Word[];
  readonly block: readonly Directive[];
}

/** All of a file; its block is empty where the file is none of nginx. */
export const fileOf = (program: ProgramNode): Directive => ({
  node: program,
  name: '',
  words: [],
  block: program.body.flatMap(directivesAt),
});

/** None at what is no directive. */
export function directivesAt(node: Node): Directive[] {
  if (node.kind !== 'other' || node.what !== directive) return [];
  const [first, ...words] = node.children.filter(isWord);
  return [{ node, name: first?.kind === 'string' ? first.value : '', words, block: node.children.flatMap(directivesAt) }];
}

const isWord = (node: Node): node is Word => node.kind === 'string' || node.kind === 'template';
