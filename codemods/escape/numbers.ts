/** Numbers as people write waits: `60_000`, `60 * 1000`, or a constant that is. */
import type { SourceModule } from '../evaluate/module.ts';
import type { Expression } from '../syntax/tree.ts';

export function numberOf(node: Expression, module: SourceModule): number | undefined {
  const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
  const value = owner?.kind === 'variable' ? owner.init : node;
  return value === undefined ? undefined : reckoned(value);
}

function reckoned(node: Expression): number | undefined {
  if (node.kind === 'literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.kind !== 'binary' || node.operator !== '*') return undefined;
  const [left, right] = [reckoned(node.left), reckoned(node.right)];
  return left === undefined || right === undefined ? undefined : left * right;
}
