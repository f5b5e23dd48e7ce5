/** Numbers as people write waits: `60_000`, `60 * 1000`, the most that a wait may be, a constant, or a default that is. */
import type { SourceModule } from '../evaluate/module.ts';
import type { BinaryNode, CallNode, Expression, NameNode } from '../syntax/tree.ts';

/** Names that stand for names that … further than this are not looked up. */
const maxDepth = 4;

export function numberOf(node: Expression, module: SourceModule, depth = 0): number | undefined {
  const value = writtenAs(node, module);
  return value === undefined || depth > maxDepth ? undefined : reckoned(value, module, depth + 1);
}

/** What stands for a name: its constant, or the default of a parameter. Anything else stands for itself. */
export const writtenAs = (node: Expression, module: SourceModule): Expression | undefined =>
  node.kind === 'name' ? valueOf(node, module) : node;

function valueOf(node: NameNode, module: SourceModule): Expression | undefined {
  const { owner, declaration } = module.scopes.bindingOf(node) ?? {};
  const { parent } = declaration ?? {};
  if (parent?.kind === 'param' || parent?.kind === 'patternProperty') return parent.default;
  return owner?.kind === 'variable' ? owner.init : undefined;
}

function reckoned(node: Expression, module: SourceModule, depth: number): number | undefined {
  if (node.kind === 'literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.kind === 'call') return isMin(node) ? mostOf(node, module, depth) : undefined;
  return node.kind === 'binary' ? product(node, (factor) => reckoned(factor, module, depth)) : undefined;
}

function product({ operator, left, right }: BinaryNode, numberFor: (factor: Expression) => number | undefined): number | undefined {
  const [one, other] = operator === '*' ? [numberFor(left), numberFor(right)] : [];
  return one === undefined || other === undefined ? undefined : one * other;
}

/** `Number(…)`, `Number.parseInt(…)`. */
export const isConversion = ({ callee }: CallNode): boolean =>
  callee.kind === 'name'
    ? /^(?:Number|parseInt|parseFloat)$/.test(callee.name)
    : callee.kind === 'member' &&
      callee.object.kind === 'name' &&
      callee.object.name === 'Number' &&
      (callee.property ?? '').startsWith('parse');

/** Where nothing else is set: `process.env.WAIT ?? 60_000`, `Number(process.env.WAIT || '60') * 1000`. */
export function defaultOf(node: Expression, module: SourceModule): number | undefined {
  if (node.kind === 'binary') return product(node, (factor) => defaultOf(factor, module));
  const [text] = node.kind === 'call' && isConversion(node) ? node.args : [node];
  const last = text?.kind === 'logical' && text.operator !== '&&' ? text.right : text;
  if (last === undefined || last.kind === 'spread') return undefined;
  return text !== node && last.kind === 'string' && /^\d+$/.test(last.value) ? Number(last.value) : numberOf(last, module);
}

const isMin = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'min' && callee.object.kind === 'name' && callee.object.name === 'Math';

/** `Math.min(retryAfter, 60_000)`: no more than what is known. */
function mostOf({ args }: CallNode, module: SourceModule, depth: number): number | undefined {
  const known = args.flatMap((arg) => (arg.kind === 'spread' ? [] : (numberOf(arg, module, depth) ?? [])));
  return known.length === 0 ? undefined : Math.min(...known);
}
