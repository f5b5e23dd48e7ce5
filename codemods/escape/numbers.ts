/** Numbers as people write waits: `60_000`, `60 * 1000`, or a constant or default that is. */
import type { SourceModule } from '../evaluate/module.ts';
import type { Expression, NameNode } from '../syntax/tree.ts';

export function numberOf(node: Expression, module: SourceModule): number | undefined {
  const value = node.kind === 'name' ? writtenAs(node, module) : node;
  return value === undefined ? undefined : reckoned(value);
}

/** What stands for a name: its constant, or the default of a parameter. */
function writtenAs(node: NameNode, module: SourceModule): Expression | undefined {
  const { owner, declaration } = module.scopes.bindingOf(node) ?? {};
  const { parent } = declaration ?? {};
  if (parent?.kind === 'param' || parent?.kind === 'patternProperty') return parent.default;
  return owner?.kind === 'variable' ? owner.init : undefined;
}

function reckoned(node: Expression): number | undefined {
  if (node.kind === 'literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.kind !== 'binary' || node.operator !== '*') return undefined;
  const [left, right] = [reckoned(node.left), reckoned(node.right)];
  return left === undefined || right === undefined ? undefined : left * right;
}
