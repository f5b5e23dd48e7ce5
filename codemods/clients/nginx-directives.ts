/** Directives of nginx, as rules read them in the tree. */
import { directive } from '../engines/nginx.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { type Part, partsOf } from '../evaluate/values.ts';
import type { Node, ProgramNode, StringNode, TemplateNode } from '../syntax/tree.ts';

export type Word = StringNode | TemplateNode;

export interface Directive {
  readonly node: Node;
  /** Empty for the file, which holds what stands in no block. */
  readonly name: string;
  readonly words: readonly Word[];
  readonly block: readonly Directive[];
}

/** Where a directive stands: the blocks around it, the nearest first and the file as the last, and the groups of servers in the file. */
export interface Place extends At {
  readonly ev: Evaluation;
  readonly around: readonly Directive[];
  readonly upstreams: ReadonlyMap<string, Directive>;
}

/** All of a file; its block is empty where the file is none of nginx. */
export const fileOf = (program: ProgramNode): Directive => ({
  node: program,
  name: '',
  words: [],
  block: program.body.flatMap(directivesAt),
});

function directivesAt(node: Node): Directive[] {
  if (node.kind !== 'other' || node.what !== directive) return [];
  const [first, ...words] = node.children.filter(isWord);
  return [{ node, name: first?.kind === 'string' ? first.value : '', words, block: node.children.flatMap(directivesAt) }];
}

const isWord = (node: Node): node is Word => node.kind === 'string' || node.kind === 'template';

/** The text of a word, each variable an unknown part. */
export const partsIn = (word: Word, { ev, module, frame }: Place): readonly Part[] => partsOf(ev.evaluate(word, { module, frame }));

/** The name of a variable of nginx: `request_uri`. */
export function variableIn(part: Part | undefined, { module }: Place): string | undefined {
  const value = part !== undefined && 'unknownPart' in part ? part.unknownPart : undefined;
  const node = value?.type === 'unknown' ? value.node : undefined;
  return node && /\w+/.exec(module.text.slice(node.start, node.end))?.[0];
}
