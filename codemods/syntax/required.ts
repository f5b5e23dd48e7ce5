/** What CommonJS loads. */
import type { Node, StringNode } from './tree.ts';

/** @returns the specifier of `require('./client')` */
export function requiredBy(node: Node | undefined): StringNode | undefined {
  const [specifier] = node?.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'require' ? node.args : [];
  return specifier?.kind === 'string' ? specifier : undefined;
}
