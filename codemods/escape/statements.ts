/** What is asked of the text of a statement: a long one, as a table of data is, is asked about for each text in it. */
import type { SourceModule } from '../evaluate/module.ts';
import { memoOf } from '../once.ts';
import type { Node } from '../syntax/tree.ts';

/** The statement, or the part of one that a function or a block is made of, around a node. */
export function statementAround(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && !isStatement(at.parent)) at = at.parent;
  return at;
}

export const isStatement = ({ kind }: Node): boolean =>
  ['other', 'block', 'variable', 'return', 'program', 'assign', 'classMember', 'function'].includes(kind);

/** Asks of each stretch of code once, however many nodes in it are asked about. */
export function askedOnce<Answer>(
  ask: (text: string, stretch: Node, module: SourceModule) => Answer,
): (stretch: Node, module: SourceModule) => Answer {
  const answers = memoOf((module: SourceModule) =>
    memoOf((stretch: Node) => ask(module.text.slice(stretch.start, stretch.end), stretch, module)),
  );
  return (stretch, module) => answers(module)(stretch);
}

/** The same of the statement around a node. */
export function askedOfStatement<Answer>(
  ask: (text: string, stretch: Node, module: SourceModule) => Answer,
): (node: Node, module: SourceModule) => Answer {
  const answer = askedOnce(ask);
  return (node, module) => answer(statementAround(node), module);
}
