/** Conditions and other operators: which of their operands they give. */
import type { ConcatNode, ConditionalNode, Expression, LogicalNode, UnaryNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { choiceOf, optionsOf, plainText, type Value } from './values.ts';

/** `test ? a : b`: the branch that is taken, where that is known. */
export function conditionalValue(ev: Evaluation, { test, whenTrue, whenFalse }: ConditionalNode, at: At): Value {
  const asked = ev.evaluate(test, at);
  const holds = typeTest(ev, test, at) ?? truth(asked);
  if (holds !== undefined) return ev.evaluate(holds ? whenTrue : whenFalse, at);
  // What the caller decides has to be asked of the caller.
  const open = optionsOf(asked).filter(({ type }) => type === 'param');
  return choiceOf([ev.evaluate(whenTrue, at), ev.evaluate(whenFalse, at), ...open.slice(0, 1)]);
}

/** `typeof x === 'function'`, where it is known what x is. */
function typeTest(ev: Evaluation, test: Expression, at: At): boolean | undefined {
  if (test.kind !== 'binary' || !/^===?$/.test(test.operator) || test.left.kind !== 'unary' || test.left.operator !== 'typeof')
    return undefined;
  const asked = plainText(ev.evaluate(test.right, at));
  const { type } = ev.evaluate(test.left.argument, at);
  const known = typeNames[type];
  return asked === undefined || known === undefined ? undefined : asked === known;
}

/** `a && b`, `a || b` and `a ?? b`. */
export function logicalValue(ev: Evaluation, node: LogicalNode, at: At): Value {
  const right = ev.evaluate(node.right, at);
  const left = ev.evaluate(node.left, at);
  // `a && b` is b wherever it matters; for `||` and `??` text that is there stands before what would replace it.
  if (node.operator === '&&') return right;
  const plain = plainText(left);
  if (plain !== undefined && plain !== '') return left;
  const isMissing = left.type === 'literal' && (left.value === undefined || left.value === null || left.value === false);
  return isMissing || plain === '' ? right : choiceOf([left, right]);
}

/** Whether a value counts as true; undefined where that is not known. */
function truth(value: Value): boolean | undefined {
  if (value.type === 'literal') return Boolean(value.value);
  if (['object', 'list', 'function', 'class', 'instance', 'http'].includes(value.type)) return true;
  const text = value.type === 'text' ? plainText(value) : undefined;
  return text === undefined ? undefined : text !== '';
}

/** A number below zero; other operators make nothing that a request hangs on. */
export function negated({ operator }: UnaryNode, value: Value): Value | undefined {
  return operator === '-' && value.type === 'literal' && typeof value.value === 'number'
    ? { type: 'literal', value: -value.value }
    : undefined;
}

const typeNames: Partial<Record<Value['type'], string>> = {
  text: 'string',
  function: 'function',
  class: 'function',
  object: 'object',
  list: 'object',
  instance: 'object',
};

/** `a + b + c`, however long, from left to right. */
export function operands(node: ConcatNode): Expression[] {
  const found: Expression[] = [];
  let at: Expression = node;
  while (at.kind === 'concat') {
    found.push(at.right);
    at = at.left;
  }
  found.push(at);
  return found.toReversed();
}
