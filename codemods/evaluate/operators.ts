/** Conditions and other operators: which of their operands they give. */
import type { ConcatNode, ConditionalNode, Expression, LogicalNode, UnaryNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { choiceOf, optionsOf, plainText, type Value } from './values.ts';

/** `test ? a : b`: the branch that is taken, where that is known; `c ? a : d ? b : …`, however long, from left to right. */
export function conditionalValue(ev: Evaluation, node: ConditionalNode, at: At): Value {
  const branches: Value[] = [];
  const open: Value[] = [];
  let rest: Expression = node;
  while (rest.kind === 'conditional') {
    const { test, whenTrue, whenFalse }: ConditionalNode = rest;
    const asked = ev.evaluate(test, at);
    const holds = typeTest(ev, test, at) ?? truth(asked);
    // What the caller decides has to be asked of the caller.
    if (holds === undefined) open.push(...optionsOf(asked).filter(({ type }) => type === 'param'));
    if (holds !== false) branches.push(ev.evaluate(whenTrue, at));
    if (holds === true) return choiceOf([...branches, ...open.slice(0, 1)]);
    rest = whenFalse;
  }
  return choiceOf([...branches, ev.evaluate(rest, at), ...open.slice(0, 1)]);
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

/** `a && b`, `a || b` and `a ?? b`, however long, from left to right. */
export function logicalValue(ev: Evaluation, node: LogicalNode, at: At): Value {
  const chain: LogicalNode[] = [];
  let first: Expression = node;
  while (first.kind === 'logical') {
    chain.push(first);
    first = first.left;
  }
  let found: Value[] = [ev.evaluate(first, at)];
  for (const { operator, right } of chain.toReversed()) {
    const [left] = found;
    const only = found.length === 1 && left !== undefined ? left : undefined;
    const plain = only && plainText(only);
    // `a && b` is b wherever it matters; for `||` and `??` text that is there stands before what would replace it.
    if (operator === '&&' || (only !== undefined && (isMissing(only, operator) || plain === ''))) found = [ev.evaluate(right, at)];
    else if (plain === undefined) found.push(ev.evaluate(right, at));
  }
  return choiceOf(found);
}

/** `||` gives what is right of it for `false`, too. */
const isMissing = (value: Value, operator: LogicalNode['operator']): boolean =>
  value.type === 'literal' && (value.value === undefined || value.value === null || (value.value === false && operator === '||'));

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

/** Whether a default speaks for a value: a variable of the environment, or what nobody is seen to give to a function. */
export function isLeftToDefault(given: Value): boolean {
  if (given.type === 'env') return true;
  const of = given.type === 'method' ? given.receiver : given;
  return given.why !== 'assigned' && of.type === 'unknown' && of.why === 'call' && of.node?.kind === 'param';
}
