/** Numbers as people write waits: `60_000`, `60 * 1000`, the most that a wait may be, a constant, or a default that is. */
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { BinaryNode, CallNode, Expression, MemberNode, NameNode } from '../../syntax/tree.ts';

/** Names that stand for names that … further than this are not looked up. */
const maxDepth = 4;

export function numberOf(node: Expression, module: SourceModule, depth = 0): number | undefined {
  const value = writtenAs(node, module);
  return value === undefined || depth > maxDepth ? undefined : reckoned(value, module, depth + 1);
}

/** What stands for a name: its constant, the default of a parameter, or what alone is kept under it. Anything else stands for itself. */
export const writtenAs = (node: Expression, module: SourceModule): Expression | undefined =>
  node.kind === 'name' ? valueOf(node, module) : node.kind === 'member' ? keptAs(node, module) : node;

/** `wait.pause = 60_000`, `const waits = { pause: 60_000 }`, and of `this` a field. */
function keptAs({ object, property }: MemberNode, module: SourceModule): Expression | undefined {
  if (property === undefined) return undefined;
  const { program } = module.tree;
  if (object.kind === 'this') {
    const [field, ...others] = nodesOfKind(program, 'classMember').filter(({ name }) => name === property);
    return others.length === 0 ? field?.value : undefined;
  }
  const binding = object.kind === 'name' ? module.scopes.bindingOf(object) : undefined;
  if (binding === undefined) return undefined;
  const { owner } = binding;
  const made = owner.kind === 'variable' && owner.init?.kind === 'object' ? owner.init.properties : [];
  const entries = made.flatMap((each) => (each.kind === 'property' && each.name === property ? [each.value] : []));
  const written = binding.references.flatMap(({ parent }) =>
    parent?.kind === 'member' && parent.property === property && parent.parent?.kind === 'assign' && parent.parent.target === parent
      ? [parent.parent.value]
      : [],
  );
  const [value, ...others] = [...entries, ...written];
  return others.length === 0 ? value : undefined;
}

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
