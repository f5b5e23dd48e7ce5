/**
 * What a function returns for what it is given: `if (name === 'url') return …`, `switch (name)`, `name === 'url' ? … : …`. A fake of a configuration
 * is asked by names, and each has an answer of its own.
 */
import type { Expression, FunctionNode, Node } from '../syntax/tree.ts';
import { assignmentsOf } from './assignments.ts';
import type { At, Evaluation } from './evaluation.ts';
import { isLeaving } from './order.ts';
import { plainText } from './values.ts';

/** Whether a place is run, as one question around it says; undefined where that is not known. */
type Condition = (ev: Evaluation, at: At) => boolean | undefined;

const known = new WeakMap<Expression, readonly Condition[]>();

/** Whether a function may return something in a call. */
export function mayReturn(ev: Evaluation, returned: Expression, fn: FunctionNode, at: At): boolean {
  if (at.frame === undefined || fn.params.length === 0) return true;
  const conditions = known.get(returned) ?? conditionsOf(returned, fn);
  known.set(returned, conditions);
  return conditions.every((holds) => holds(ev, at) !== false);
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

const ifHolds = (test: Node | undefined, wanted: boolean, inside: Node): Condition[] =>
  test?.kind !== 'binary' || inside === test
    ? []
    : [
        (ev, at) => {
          const holds = isEqual(ev, test, at);
          return holds === undefined ? undefined : holds === wanted;
        },
      ];

/** A case is run where it is meant, or one before it from which the program goes on into it. */
const clauseHolds =
  ([subject, ...clauses]: readonly Node[], inside: Node): Condition =>
  (ev, at) => {
    const text = subject === undefined ? undefined : textOfParam(ev, subject, at);
    const tests = clauses.map((clause) => (clause.kind === 'other' && clause.what === 'CaseClause' ? clause.children[0] : undefined));
    if (text === undefined || tests.some((test) => test !== undefined && !isNamed(test))) return undefined;
    const meant = tests.findIndex((test) => test?.kind === 'string' && test.value === text);
    const first = meant === -1 ? tests.indexOf(undefined) : meant;
    const last = clauses.findIndex((clause, index) => index >= first && clause.kind === 'other' && isLeaving(clause.children.at(-1)));
    const own = clauses.indexOf(inside);
    return first !== -1 && first <= own && (last === -1 || own <= last);
  };

/** `name === 'url'` of a parameter, where the call says what that is. */
export function isEqual(ev: Evaluation, test: Node, at: At): boolean | undefined {
  if (test.kind !== 'binary' || !/^[!=]==?$/.test(test.operator)) return undefined;
  const { left, right } = test;
  const [asked, subject] = isNamed(left) ? [left, right] : [right, left];
  const text = isNamed(asked) ? textOfParam(ev, subject, at) : undefined;
  return text === undefined || asked.kind !== 'string' ? undefined : (text === asked.value) === test.operator.startsWith('=');
}

/** Questions about what an edit changes say nothing. */
export const isAskedFor = (text: string): boolean => !/^v\d|\/|x-api-key/i.test(text);

const isNamed = (node: Node): boolean => node.kind === 'string' && isAskedFor(node.value);

function textOfParam(ev: Evaluation, node: Node, at: At): string | undefined {
  const binding = node.kind === 'name' ? at.module.scopes.bindingOf(node) : undefined;
  if (node.kind !== 'name' || binding?.owner.kind !== 'param' || assignmentsOf(binding).all.length > 0) return undefined;
  return plainText(ev.evaluate(node, at));
}
