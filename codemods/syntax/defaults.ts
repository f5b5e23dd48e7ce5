/** Defaults that are written as questions: `base ? base : 'https://…'`. */
import type { BinaryNode, ConditionalNode, Expression, LogicalNode } from './tree.ts';

type Defaulted = Omit<LogicalNode, 'kind'> | undefined;

/** `x ? x : y` means `x || y`, and `x != null ? x : y` and `x === undefined ? y : x` mean `x ?? y`: each is read as what it means. */
export function conditional(node: Omit<ConditionalNode, 'kind'>): ConditionalNode | LogicalNode {
  const defaulted = asDefault(node);
  return defaulted === undefined ? { kind: 'conditional', ...node } : { kind: 'logical', ...defaulted };
}

function asDefault({ test, whenTrue, whenFalse, ...place }: Omit<ConditionalNode, 'kind'>): Defaulted {
  const isNegated = test.kind === 'unary' ? test.operator === '!' : test.kind === 'binary' && /^===?$/.test(test.operator);
  const asked = test.kind === 'binary' ? askedByNull(test) : test.kind === 'unary' && isNegated ? test.argument : test;
  if (asked === undefined || !isSame(asked, isNegated ? whenFalse : whenTrue)) return undefined;
  const operator = test.kind === 'binary' ? '??' : '||';
  // Of the two places where it stands, the one before its default.
  return isNegated ? { operator, left: asked, right: whenTrue, ...place } : { operator, left: whenTrue, right: whenFalse, ...place };
}

/** What is compared with null or undefined. */
function askedByNull({ operator, left, right }: BinaryNode): Expression | undefined {
  if (!/^[!=]==?$/.test(operator)) return undefined;
  return isNull(right) ? left : isNull(left) ? right : undefined;
}

/** Whether nothing is written there. */
export function isNull(node: Expression): boolean {
  if (node.kind === 'literal') return node.value === null;
  return node.kind === 'name' ? node.name === 'undefined' : node.kind === 'unary' && node.operator === 'void';
}

/** Whether both are the same name, or the same way from one: nothing is done by reading it twice. */
function isSame(one: Expression, other: Expression): boolean {
  if (one.kind === 'member' && other.kind === 'member')
    return one.property !== undefined && one.property === other.property && isSame(one.object, other.object);
  return one.kind === 'name' ? other.kind === 'name' && one.name === other.name : one.kind === 'this' && other.kind === 'this';
}
