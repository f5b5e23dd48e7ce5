/**
 * What a function returns for what it is given: `if (name === 'url') return …`, `switch (name)`, `name === 'url' ? … : …`. A fake of a configuration
 * is asked by names, and each has an answer of its own.
 */
import type { BinaryNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { isAnswer } from '../calls/answers.ts';
import { assignmentsOf } from '../names/assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isLeaving } from '../names/order.ts';
import { isLookedUp, truth } from './looked-up.ts';
import { plainText, type Value } from '../values/values.ts';

/** Whether a place is run, as one question around it says; undefined where that is not known. */
type Condition = (ev: Evaluation, at: At, mayChange: boolean) => boolean | undefined;

const known = new WeakMap<Expression, readonly Condition[]>();

/**
 * Whether a function may return something in a call.
 * @param mayChange whether it is asked by what an object has, too: that may be another by then, so it says nothing of a key of v1's
 */
export function mayReturn(ev: Evaluation, returned: Expression, fn: FunctionNode, at: At, mayChange = false): boolean {
  if (at.frame === undefined) return true;
  const conditions = known.get(returned) ?? conditionsOf(returned, fn);
  known.set(returned, conditions);
  return conditions.every((holds) => holds(ev, at, mayChange) !== false);
}

function conditionsOf(returned: Expression, fn: FunctionNode): Condition[] {
  const found: Condition[] = [];
  for (
    let inside: Node = returned, around = returned.parent;
    around !== undefined && inside !== fn;
    inside = around, around = around.parent
  ) {
    if (around.kind === 'other' && around.what === 'IfStatement')
      found.push(...ifHolds(around.children[0], inside === around.children[1], inside));
    else if (around.kind === 'block' && inside.kind === 'other' && inside.what.endsWith('Clause'))
      found.push(clauseHolds(around.body, inside));
    else if (around.kind === 'block' && around.role !== 'loop')
      for (const before of around.body.slice(0, around.body.indexOf(inside)))
        if (before.kind === 'other' && before.what === 'IfStatement' && isLeaving(before.children[1]))
          found.push(...ifHolds(before.children[0], false, inside));
  }
  return found;
}

function ifHolds(test: Node | undefined, wanted: boolean, inside: Node): Condition[] {
  if (test === undefined || inside === test) return [];
  if (test.kind === 'unary' && test.operator === '!') return ifHolds(test.argument, !wanted, inside);
  if (test.kind !== 'binary' && test.kind !== 'name' && test.kind !== 'member') return [];
  return [
    (ev, at, mayChange) => {
      const asked = (): boolean | undefined => (test.kind === 'binary' ? isNamedIn(ev, test, at) : isThere(ev, test, at));
      const holds = (test.kind === 'binary' ? isEqual(ev, test, at, mayChange) : undefined) ?? (mayChange ? asked() : undefined);
      return holds === undefined ? undefined : holds === wanted;
    },
  ];
}

/** `if (auth.token) …` of what the call gives: what is not known may be missing. */
function isThere(ev: Evaluation, node: Node, at: At): boolean | undefined {
  const given = ofParam(ev, node, at);
  return given && truth(given);
}

/** `'token' in auth`, of an object all of which is known. */
function isNamedIn(ev: Evaluation, { operator, left, right }: BinaryNode, at: At): boolean | undefined {
  const given = operator === 'in' && left.kind === 'string' ? ofParam(ev, right, at) : undefined;
  if (given?.type !== 'object' || left.kind !== 'string' || given.unknown.length > 0 || isLookedUp(given)) return undefined;
  return given.entries.every(({ isGone, name }) => isGone !== true && name !== undefined)
    ? given.entries.some(({ name }) => name === left.value)
    : undefined;
}

/** A case is run where it is meant, or one before it from which the program goes on into it. */
const clauseHolds =
  ([subject, ...clauses]: readonly Node[], inside: Node): Condition =>
  (ev, at, mayChange) => {
    const text = subject === undefined ? undefined : textOfParam(ev, subject, at, mayChange);
    return text === undefined ? undefined : isRunFor(text, clauses, inside);
  };

/** Whether one of the clauses of a `switch` is run for a text; undefined where a case is none. */
export function isRunFor(text: string, clauses: readonly Node[], inside: Node): boolean | undefined {
  const tests = clauses.map((clause) => (clause.kind === 'other' && clause.what === 'CaseClause' ? clause.children[0] : undefined));
  if (tests.some((test) => test !== undefined && !isNamed(test))) return undefined;
  const meant = tests.findIndex((test) => test?.kind === 'string' && test.value === text);
  const first = meant === -1 ? tests.indexOf(undefined) : meant;
  const last = clauses.findIndex((clause, index) => index >= first && clause.kind === 'other' && isLeaving(clause.children.at(-1)));
  const own = clauses.indexOf(inside);
  return first !== -1 && first <= own && (last === -1 || own <= last);
}

/** `name === 'url'` of a parameter, where the call says what that is. */
export function isEqual(ev: Evaluation, test: Node, at: At, mayChange = false): boolean | undefined {
  if (test.kind !== 'binary' || !/^[!=]==?$/.test(test.operator)) return undefined;
  const { left, right } = test;
  const [asked, subject] = isNamed(left) ? [left, right] : [right, left];
  const text = isNamed(asked) ? textOfParam(ev, subject, at, mayChange) : undefined;
  return text === undefined || asked.kind !== 'string' ? undefined : (text === asked.value) === test.operator.startsWith('=');
}

/** Questions about what an edit changes say nothing. */
export const isAskedFor = (text: string): boolean => !/^v\d|\/|x-api-key/i.test(text);

const isNamed = (node: Node): boolean => node.kind === 'string' && isAskedFor(node.value);

function textOfParam(ev: Evaluation, node: Node, at: At, mayChange: boolean): string | undefined {
  const value = mayChange || node.kind === 'name' ? ofParam(ev, node, at) : undefined;
  return value && plainText(value);
}

/** `name`, `auth.kind`, `this.token`: what a call gives by a parameter that nothing else is put into, or what the instance has. */
function ofParam(ev: Evaluation, node: Node, at: At): Value | undefined {
  return isOfCall(ev, node, at) ? ev.evaluate(node, at) : undefined;
}

/** Of a constant, `const { auth } = this.options`, what that is taken of. */
function isOfCall(ev: Evaluation, node: Node, at: At): node is Expression {
  let root = node;
  while (root.kind === 'member' && root.computed === undefined) root = root.object;
  if (root.kind === 'this') return node !== root;
  const binding = root.kind === 'name' ? at.module.scopes.bindingOf(root) : undefined;
  if (binding === undefined || assignmentsOf(binding).all.length > 0) return false;
  const { owner } = binding;
  if (owner.kind === 'variable') return owner.declares === 'const' && owner.init !== undefined && isOfCall(ev, owner.init, at);
  // Of an answer nothing is known.
  return owner.kind === 'param' && !(root !== node && root.kind === 'name' && isAnswer(ev, root, at));
}
