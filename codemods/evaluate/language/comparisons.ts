/** Places where a mock tells requests apart: what it gets of one is compared with an address or a key. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { walk } from '../../syntax/link.ts';
import type { BinaryNode, CallNode, Expression, MemberNode, Node, OtherNode, PatternProperty } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { type HttpValue, optionsOf, unknown, type Value } from '../values/values.ts';
import { choosing } from '../../syntax/item-methods.ts';
import { ruleNamed, rulesWith } from '../libraries/rules.ts';

/** `a === b`, `a in b`, `b[a]`, `b.get` of `b.get(a)`, `case b:`, `/b/.test(a)`, and what reads a header: `headers['x-api-key']`, `const { 'x-api-key': key } = headers`. */
export type ComparisonNode = BinaryNode | MemberNode | OtherNode | CallNode | PatternProperty;

export function isComparison(node: Node): node is ComparisonNode {
  switch (node.kind) {
    case 'binary':
      return /^(?:[!=]==?|in)$/.test(node.operator) && [node.left, node.right].every(({ kind }) => kind !== 'literal' && kind !== 'unary');
    case 'member':
      return (node.object.kind === 'name' && isLookedUp(nameIn(node))) || isKeyRead(node);
    case 'call':
      return isPatternTest(node) || isItemLook(node);
    case 'patternProperty':
      return isKeyHeader(node.name) && node.target.kind === 'patternName';
    default:
      return node.kind === 'other' && node.what === 'CaseClause' && node.parent?.kind === 'block';
  }
}

/** `/b/.test(a)`, `route.pattern.test(a)` */
const isPatternTest = ({ callee, args }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'test' && args.length === 1 && ['literal', 'name', 'member'].includes(callee.object.kind);

/** `calls.find(([url]) => url.endsWith('/v1/contacts'))`: items of a list are looked for by a text with a version. */
export function isItemLook({ callee, args: [fn] }: CallNode): boolean {
  if (callee.kind !== 'member' || !choosing.has(callee.property ?? '') || fn?.kind !== 'function') return false;
  let isFound = false;
  walk(fn, (node) => {
    isFound ||= textsIn(node).some((text) => /\bv1\b/.test(text));
    return !isFound;
  });
  return isFound;
}

function textsIn(node: Node): readonly string[] {
  if (node.kind === 'string') return [node.value];
  if (node.kind === 'template') return node.texts.map(({ value }) => value);
  return node.kind === 'literal' && typeof node.value === 'object' && node.value !== null ? [node.value.pattern] : [];
}

/** What is looked up in a table: `answers[url]`, `answers.get(url)`, `answers.has(url)`. */
function nameIn(looked: MemberNode): Node | undefined {
  const { computed, property = '', parent } = looked;
  const isAsked = parent?.kind === 'call' && parent.callee === looked && /^(?:get|has)$/.test(property);
  return isAsked && computed === undefined ? parent.args[0] : computed;
}

/** `answers[url]`, `answers[pathname + search]`; what is counted on from an index is no text. */
const isLookedUp = (name: Node | undefined): boolean =>
  name !== undefined &&
  (['name', 'call', 'member', 'template'].includes(name.kind) ||
    (name.kind === 'concat' && [name.left, name.right].every(({ kind }) => kind !== 'literal')));

/** Whether v1's key is read by the name of its header, and neither written nor deleted. */
const isKeyRead = ({ computed, parent, start }: MemberNode): boolean =>
  computed?.kind === 'string' &&
  isKeyHeader(computed.value) &&
  !(parent?.kind === 'assign' && parent.target.start === start) &&
  !(parent?.kind === 'unary' && parent.operator === 'delete');

/** @returns the requests that a comparison expects, as the rule of the mock says; unknown where it is about none */
export function comparedAt(ev: Evaluation, node: ComparisonNode, at: At): Value {
  if (node.kind === 'call' && isItemLook(node)) return lookedForAt(ev, node, at);
  for (const { actual: actualNode, expected: expectedNode, isKey } of pairsIn(node, at)) {
    const actual = ev.evaluate(actualNode, at);
    const mock = mockIn(actual);
    const rule = ruleNamed(ev.rules, mock?.client);
    const expected = rule?.compare === undefined ? undefined : ev.evaluate(expectedNode, at);
    const made =
      expected === undefined ? undefined : rule?.compare?.({ ...at, ev, node, actual, actualNode, expected, expectedNode, isKey });
    if (made !== undefined) return made;
  }
  return unknown(node, at.module);
}

function lookedForAt(ev: Evaluation, node: CallNode, at: At): Value {
  for (const rule of rulesWith(ev.rules, 'looksFor')) {
    const made = rule.looksFor?.(node, at, ev);
    if (made !== undefined) return made;
  }
  return unknown(node, at.module);
}

interface Pair {
  readonly actual: Expression;
  readonly expected: Expression;
  /** Whether it is one of the names of the other. */
  readonly isKey: boolean;
}

const pair = (actual: Node | undefined, expected: Node | undefined, isKey: boolean): Pair[] =>
  // What stands in a comparison and in the head of a clause is an expression.
  actual === undefined || expected === undefined ? [] : [{ actual: actual as Expression, expected: expected as Expression, isKey }];

function pairsIn(node: ComparisonNode, { module }: At): Pair[] {
  switch (node.kind) {
    case 'patternProperty': {
      // What was taken is known where it is used.
      const [use] = (node.target.kind === 'patternName' ? module.scopes.declaredBy(node.target)?.references : undefined) ?? [];
      return pair(use, use, false);
    }
    case 'binary':
      return node.operator === 'in'
        ? pair(node.left, node.right, true)
        : [...pair(node.left, node.right, false), ...pair(node.right, node.left, false)];
    case 'member':
      return isKeyRead(node) ? pair(node, node.computed, false) : pair(nameIn(node), node.object, true);
    case 'call':
      return node.callee.kind === 'member' && node.args[0]?.kind !== 'spread' ? pair(node.args[0], node.callee.object, false) : [];
    default:
      return node.parent?.kind === 'block' ? pair(node.parent.body[0], node.children[0], false) : [];
  }
}

/** The mock that hands a value out, or something of it: a text may begin with what is no part of the address. */
export function mockIn(value: Value, isLookedFor: (on: HttpValue) => boolean = ({ mock }) => mock !== undefined): HttpValue | undefined {
  for (const option of optionsOf(value)) {
    const on = option.type === 'method' ? option.receiver : option;
    if (on.type === 'http' && isLookedFor(on)) return on;
    for (const part of option.type === 'text' ? option.parts : []) {
      const inside = 'unknownPart' in part ? mockIn(part.unknownPart, isLookedFor) : undefined;
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
}
