/** Whether what is written behind the name of a header is written for that header alone: `name + ': ' + value` in a function may be for any. */
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { Part, TextPart } from '../../evaluate/values/values.ts';
import type { Expression, Node } from '../../syntax/tree.ts';

/** @param source where a text stands that is behind the name */
export function isOfName({ node, start, module }: NonNullable<TextPart['source']>, name: Part | undefined): boolean {
  const named = name !== undefined && 'text' in name ? name.source?.node : undefined;
  if (named === node) return true;
  const before = expressionBefore(node, start);
  return before !== undefined && isScript(module) && isAlwaysSame(before, module);
}

/** What stands before a text in the template or the sum that it is part of. */
function expressionBefore(node: Node, start: number): Expression | undefined {
  if (node.kind === 'template') return node.expressions[node.texts.findIndex((text) => text.start <= start && start <= text.end) - 1];
  const { parent } = node;
  if (parent?.kind !== 'concat' || parent.right !== node) return undefined;
  return parent.left.kind === 'concat' ? parent.left.right : parent.left;
}

/** A text, a constant that is one, or what a constant object or another file has under a name: no parameter, and nothing of a loop. */
function isAlwaysSame(node: Expression, module: SourceModule): boolean {
  if (node.kind === 'string') return true;
  const isMember = node.kind === 'member' && node.property !== undefined;
  const root = isMember ? node.object : node;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  if (owner?.kind === 'import') return true;
  if (owner?.kind !== 'variable' || owner.declares !== 'const') return false;
  return owner.init?.kind === (isMember ? 'object' : 'string');
}
