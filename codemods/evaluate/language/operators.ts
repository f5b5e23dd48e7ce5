/** Conditions and other operators: which of their operands they give. */
import type { BinaryNode, CallNode, ConcatNode, ConditionalNode, Expression, LogicalNode, Node, UnaryNode } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { neverReturns } from '../calls/returns.ts';
import { isEqual } from './chosen.ts';
import { isEnvironment, isReadAlone } from '../settings/environments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isLookedUp, leftBy, lookedUp, there, truth } from './looked-up.ts';
import { endsTest } from './narrowing.ts';
import type { SourceModule } from '../module.ts';
import { asksWhatItGrows } from './query-marks.ts';
import { concatenated, textOf } from '../values/text.ts';
import { isNullish, orDefault, orEmpty, orSameHost } from './or-default.ts';
import { asSetting } from '../settings/package-settings.ts';
import { isWrittenLater } from '../writes/written-later.ts';
import { choiceOf, maxAlternatives, maxOptions, nothing, optionsOf, plainText, unknown, type Value } from '../values/values.ts';

/** `test ? a : b`: the branch that is taken, where that is known; `c ? a : d ? b : …`, however long, from left to right. */
export function conditionalValue(ev: Evaluation, node: ConditionalNode, at: At): Value {
  const branches: Value[] = [];
  const open: Value[] = [];
  let rest: Expression = node;
  while (rest.kind === 'conditional') {
    const { test, whenTrue, whenFalse }: ConditionalNode = rest;
    if (asksWhatItGrows(rest, at.module)) {
      branches.push(ev.evaluate(whenTrue, at));
      rest = whenFalse;
      continue;
    }
    const asked = ev.evaluate(test, at);
    const holds = typeTest(ev, test, at) ?? queryTest(ev, test, at) ?? endsTest(ev, rest, at) ?? isEqual(ev, test, at) ?? truth(asked);
    // What the caller decides has to be asked of the caller.
    if (holds === undefined) open.push(...optionsOf(asked).filter(({ type }) => type === 'param'));
    if (holds !== false) branches.push(ev.evaluate(whenTrue, at));
    if (holds === true) return choiceOf([...branches, ...open.slice(0, 1)]);
    if (isAskedEmpty(test, whenFalse, at)) return choiceOf([...branches, textOf([]), ...open.slice(0, 1)]);
    rest = whenFalse;
  }
  return choiceOf([...branches, ev.evaluate(rest, at), ...open.slice(0, 1)]);
}

/** `params.toString() ? '?' + params.toString() : params.toString()`: a text that was asked whether it is empty is so on the other way; anything else may be none. */
function isAskedEmpty(test: Expression, otherwise: Expression, { module }: At): boolean {
  const asked = test.kind === 'member' && test.property === 'length' ? test.object : test;
  const isText = asked.kind === 'call' && asked.callee.kind === 'member' && asked.callee.property === 'toString';
  return isText && sourceOf(asked, module) === sourceOf(otherwise, module);
}

const sourceOf = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

/** `typeof x === 'function'`, `Array.isArray(x)`, `x instanceof Request`, where it is known what x is. */
function typeTest(ev: Evaluation, test: Expression, at: At): boolean | undefined {
  const given = givenAsRequest(test, at);
  if (given !== undefined) return optionsOf(ev.evaluate(given, at)).every(isNoRequest) ? false : undefined;
  if (isListTest(test)) return test.args.some((arg) => arg.kind !== 'spread' && isSurelyList(ev.evaluate(arg, at))) || undefined;
  if (test.kind !== 'binary' || !/^===?$/.test(test.operator) || test.left.kind !== 'unary' || test.left.operator !== 'typeof')
    return undefined;
  const asked = plainText(ev.evaluate(test.right, at));
  const [first, ...others] = optionsOf(ev.evaluate(test.left.argument, at)).map((of) => isAsked(asked, of));
  return others.every((each) => each === first) ? first : undefined;
}

/** Whether a value is of the type that is asked about. */
function isAsked(type: string | undefined, of: Value): boolean | undefined {
  const known = isLookedUp(of) ? undefined : of.type === 'literal' ? typeof of.value : typeNames[of.type];
  return type === undefined || known === undefined ? undefined : type === known;
}

/** What is asked about by `input instanceof Request`, where that is the platform's. */
function givenAsRequest(test: Expression, { module: { scopes } }: At): Expression | undefined {
  if (test.kind !== 'binary' || test.operator !== 'instanceof') return undefined;
  const { left, right } = test;
  return right.kind === 'name' && right.name === 'Request' && scopes.bindingOf(right) === undefined ? left : undefined;
}

/** An address, be it a text or a URL object, which is kept as one; and what is missing. */
const isNoRequest = ({ type }: Value): boolean => type === 'text' || type === 'env' || type === 'literal';

const isSurelyList = (value: Value): boolean => value.type === 'list' && !isLookedUp(value);

const isListTest = (test: Expression): test is CallNode =>
  test.kind === 'call' &&
  test.callee.kind === 'member' &&
  test.callee.property === 'isArray' &&
  test.callee.object.kind === 'name' &&
  test.callee.object.name === 'Array';

/** `url.includes('?')`, where all of the address is known: whether what is put behind it begins with `?` or `&`. */
function queryTest(ev: Evaluation, test: Expression, at: At): boolean | undefined {
  if (test.kind !== 'call' || test.callee.kind !== 'member' || test.callee.property !== 'includes') return undefined;
  const [asked, more] = test.args;
  if (asked?.kind !== 'string' || asked.value !== '?' || more !== undefined) return undefined;
  return plainText(ev.evaluate(test.callee.object, at))?.includes(asked.value);
}

/** `a && b`, `a || b` and `a ?? b`, however long, from left to right. */
export function logicalValue(ev: Evaluation, node: LogicalNode, at: At): Value {
  const chain: LogicalNode[] = [];
  let first: Expression = node;
  while (first.kind === 'logical') {
    chain.push(first);
    first = first.left;
  }
  let found = optionsOf(ev.evaluate(first, at));
  // How many of these are there for certain, as `a` is in what `a || b` gives: what follows stands in the place of the others alone.
  let certain: { readonly by: LogicalNode['operator']; readonly count: number } = { by: '&&', count: 0 };
  const isOfOne = node.operator !== '&&' && chain.every(({ operator }) => operator === node.operator);
  let toJoin = maxOptions;
  for (const { operator, left, right } of chain.toReversed()) {
    const isCertain = operator !== '&&' && isGiven(left, at);
    const isKnownThere = operator !== '&&' && (certain.by === '||' || certain.by === operator);
    const open = found.slice(isKnownThere ? certain.count : 0);
    const last = left.kind === 'logical' ? left.right : left;
    const isMissing = operator !== '&&' && open.length > 0 && isWrittenLater(ev, last, at);
    const isOpen =
      found.length === 0 || isMissing || open.some((value) => givesWay(value, operator, right) && !(isCertain && isClient(value)));
    const kept = found.flatMap((value) => keptBy(value, operator, left));
    // Of more than a join keeps nothing is known, whatever else stands in such a chain.
    if (isOfOne && kept.length > toJoin) {
      const all = choiceOf(kept);
      if (all.type === 'unknown' && all.why === 'too many') return all;
      toJoin = 2 * kept.length;
    }
    // `process.env.URL ?? fail('URL is missing')`: what goes on has what is on the left.
    if (isOpen && operator !== '&&' && isNever(ev, right, at)) {
      found = kept;
      certain = { by: operator, count: kept.length };
      continue;
    }
    // Where the left may be something else than a variable that is read there, the right is no default of it.
    const [only] = found;
    const isAlone = found.length === 1 && only?.type === 'env' && only.node === left && operator !== '&&';
    const asked = isOpen ? ev.evaluate(right, at) : operator === '&&' ? nothing : orSameHost(found, at, () => ev.evaluate(right, at));
    const otherwise = operator === '&&' && found.some(isLookedUp) ? lookedUp(asked) : asked;
    // Of `process.env ?? {}` nothing is asked that the environment does not give.
    const isOfEnvironment = only?.type === 'external' && found.length === 1 && operator !== '&&' && isEnvironment(ev, only);
    if (isOfEnvironment && isEmpty(otherwise) && isReadAlone(node, at.module)) continue;
    // Nor of `schema.safeParse(process.env).data ?? {}`, which is only there for the types.
    if (found.length === 1 && operator !== '&&' && only?.type === 'object' && only.entries.length > 0 && isEmpty(otherwise)) continue;
    const given = orEmpty(kept, otherwise).map((each) => asSetting(ev, each, otherwise));
    found = isAlone ? optionsOf(orDefault(only, otherwise)) : [...given, ...optionsOf(otherwise)];
    certain = { by: operator, count: isAlone ? 1 : given.length };
  }
  return choiceOf(found);
}

function isNever(ev: Evaluation, node: Expression, at: At): boolean {
  if (node.kind !== 'call' || node.isNew) return false;
  const callees = optionsOf(ev.evaluate(node.callee, at));
  return callees.length > 0 && callees.every((each) => each.type === 'function' && neverReturns(each.node));
}

const isEmpty = (value: Value): boolean => value.type === 'object' && value.entries.length === 0 && value.unknown.length === 0;

/** `given ?? fetch`, where a function is given a client: each call of it says which. */
function isGiven(node: Node, { module }: At): boolean {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  return binding?.owner.kind === 'param' && assignmentsOf(binding).all.length === 0;
}

/** What is asked in place: what a function of the program asks itself counts elsewhere, and other hosts would not be found beside the default. */
const isClient = (value: Value): boolean => value.type === 'http' && value.stage === 'client';

/** Whether the right side may stand in place of a value on the left. */
function givesWay(value: Value, operator: LogicalNode['operator'], right: Expression): boolean {
  if (operator === '&&') return truth(value) !== false;
  const isEmptyText = right.kind === 'string' && right.value === '';
  const left = leftBy(value);
  // What `??` leaves may be empty, and is then what an empty default would be.
  if (left === '||' || (left === '??' && (operator === '??' || isEmptyText))) return false;
  // A variable that has a default is empty where it is set to that alone.
  if (value.type === 'env' && isEmptyText && value.otherwise?.type === 'text') return truth(value.otherwise) !== true;
  if (operator === '??') return value.type === 'literal' ? isNullish(value) : value.type !== 'text' || isLookedUp(value);
  // What is put together in more than one way may be missing, for all that is asked.
  return value.type !== 'text' && value.type !== 'literal' ? true : truth(value) !== true;
}

/** What a value on the left may give itself. */
function keptBy(value: Value, operator: LogicalNode['operator'], left: Expression): Value[] {
  if (operator === '??') return isNullish(value) ? [] : [there(value, operator)];
  // Within what stands behind `&&` it is there.
  const holds = operator === '&&' && isLookedUp(value) ? true : truth(value);
  if (operator === '||') return holds === false ? [] : [there(value, operator)];
  if (holds !== undefined) return holds ? [] : [value];
  return [isCondition(left) ? { type: 'literal', value: false } : missingText];
}

/** Whether an expression gives `true` or `false` and nothing else. */
const isCondition = (node: Expression): boolean =>
  node.kind === 'binary' ? /^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(node.operator) : node.kind === 'unary' && node.operator === '!';

/** What `query && …` gives where the query is not there: within a text nothing. */
const missingText: Value = { type: 'literal', value: undefined, why: 'empty' };

/** A number below zero. */
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

/** `60 * 1000`; other operators make nothing that anybody asks for. */
export function multiplied(ev: Evaluation, { operator, left, right }: BinaryNode, at: At): Value | undefined {
  if (operator !== '*') return undefined;
  const [one, other] = [ev.evaluate(left, at), ev.evaluate(right, at)];
  return isNumber(one) && isNumber(other) ? { type: 'literal', value: one.value * other.value } : undefined;
}

/** `a + b + c`: numbers are added up to the first text, and from there on all are put together. */
export function added(values: readonly Value[], node: Node, { module }: At): Value {
  const end = values.findIndex((value) => value.type === 'text' || value.type === 'env');
  const before = values.slice(0, end === -1 ? undefined : end);
  if (before.length < 2 || !before.some((value) => optionsOf(value).some(isNumber))) return concatenated(values);
  return concatenated([
    summed(before) ?? before.find(({ type }) => type === 'param') ?? unknown(node, module),
    ...values.slice(before.length),
  ]);
}

const isNumber = (value: Value): value is Extract<Value, { type: 'literal' }> & { value: number } =>
  value.type === 'literal' && typeof value.value === 'number';

/** undefined where not all of it is a number, and known. */
function summed(values: readonly Value[]): Value | undefined {
  let sums = [0];
  for (const value of values) {
    const options = optionsOf(value);
    const numbers = options.filter(isNumber);
    if (numbers.length < options.length || sums.length * numbers.length > maxAlternatives) return undefined;
    sums = [...new Set(sums.flatMap((sum) => numbers.map((number) => sum + number.value)))];
  }
  return choiceOf(sums.map((value) => ({ type: 'literal', value })));
}

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
