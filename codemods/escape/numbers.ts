/** Numbers as people write waits: `60_000`, `60 * 1000`, the most that a wait may be, or a constant or default that is. */
import type { SourceModule } from '../evaluate/module.ts';
import type { CallNode, Expression, NameNode } from '../syntax/tree.ts';

/** Names that stand for names that … further than this are not looked up. */
const maxDepth = 4;

export function numberOf(node: Expression, module: SourceModule, depth = 0): number | undefined {
  const value = node.kind === 'name' ? writtenAs(node, module) : node;
  return value === undefined || depth > maxDepth ? undefined : reckoned(value, module, depth + 1);
}

/** What stands for a name: its constant, or the default of a parameter. */
function writtenAs(node: NameNode, module: SourceModule): Expression | undefined {
  const { owner, declaration } = module.scopes.bindingOf(node) ?? {};
  const { parent } = declaration ?? {};
  if (parent?.kind === 'param' || parent?.kind === 'patternProperty') return parent.default;
  return owner?.kind === 'variable' ? owner.init : undefined;
}

function reckoned(node: Expression, module: SourceModule, depth: number): number | undefined {
  if (node.kind === 'literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.kind === 'call') return isMin(node) ? mostOf(node, module, depth) : undefined;
  if (node.kind !== 'binary' || node.operator !== '*') return undefined;
  const [left, right] = [reckoned(node.left, module, depth), reckoned(node.right, module, depth)];
  return left === undefined || right === undefined ? undefined : left * right;
}

const isMin = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'min' && callee.object.kind === 'name' && callee.object.name === 'Math';

/** `Math.min(retryAfter, 60_000)`: no more than what is known. */
function mostOf({ args }: CallNode, module: SourceModule, depth: number): number | undefined {
  const known = args.flatMap((arg) => (arg.kind === 'spread' ? [] : (numberOf(arg, module, depth) ?? [])));
  return known.length === 0 ? undefined : Math.min(...known);
}
