/** Methods that a place is left with by what is asked before it: `if (req.method !== 'GET' && req.method !== 'PUT') return`, `switch (req.method) { case 'PUT': … }`. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { functionAround } from '../evaluate/calls/callees.ts';
import { isPassedOver } from '../evaluate/language/passed-over.ts';
import { answersAround } from '../evaluate/language/guards.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { isLeaving } from '../evaluate/names/order.ts';
import { isSame } from '../evaluate/values/same.ts';
import { optionsOf, plainText, type Value } from '../evaluate/values/values.ts';
import type { Node } from '../syntax/tree.ts';

/** What is asked, and which texts it is then. */
interface Asked {
  readonly subjects: readonly Node[];
  readonly names: readonly string[];
}

/** What is asked by others, v2 may answer where v1 does not. */
const v1Methods: ReadonlySet<string> = new Set(Object.values(v1Endpoints).map(({ method }) => method));

/** @returns undefined where nothing says what a method is there, or it may be one that v1 has nowhere */
export function methodsAt(ev: Evaluation, place: Node, method: Value, at: At): readonly string[] | undefined {
  const isOfMethod = ({ subjects }: Asked): boolean => subjects.every((subject) => isSame(ev.evaluate(subject, at), method));
  const asked = answersAround(place).flatMap(({ test, holds }) => askedIn(test, holds) ?? []);
  const names = [...asked, ...casesAround(place)].find(isOfMethod)?.names;
  return names?.every((name) => v1Methods.has(name.toUpperCase())) === true ? names : undefined;
}

/**
 * Whether a call of a wrapper certainly does not come to a place: it gives another method, or nothing where `if (body)` stands around that or around the function
 * that a promise is made with.
 * @param at within that call
 */
export function isPassedBeside(ev: Evaluation, place: Node, at: At): boolean {
  if (isNotComeTo(ev, place, at) || isPassedOver(ev, place, at)) return true;
  const made = functionAround(place)?.parent;
  return (
    made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'Promise' && isPassedBeside(ev, made, at)
  );
}

/**
 * Whether a call of a wrapper certainly does not come to a place: that is behind `if (method === 'POST')`, and the call gives another text, or leaves the
 * method to its default.
 * @param at within that call
 */
function isNotComeTo(ev: Evaluation, place: Node, at: At): boolean {
  const textsOf = (subject: Node): readonly string[] | undefined => {
    if (subject.kind !== 'name') return undefined;
    const texts = optionsOf(ev.evaluate(subject, at)).map(plainText);
    return texts.every((text) => text !== undefined) ? texts : undefined;
  };
  const answerOf = (test: Node): boolean | undefined => {
    if (test.kind === 'unary') return test.operator === '!' ? opposite(answerOf(test.argument)) : undefined;
    if (test.kind === 'logical') {
      const decides = test.operator === '||';
      const answers = test.operator === '??' ? [] : [answerOf(test.left), answerOf(test.right)];
      return answers.includes(decides) ? decides : answers.includes(undefined) ? undefined : answers[0];
    }
    if (test.kind !== 'binary' || !/^[!=]==?$/.test(test.operator)) return undefined;
    const [subject, name] = test.right.kind === 'string' ? [test.left, test.right] : [test.right, test.left];
    const texts = name.kind === 'string' ? textsOf(subject) : undefined;
    const answers = new Set(texts?.map((text) => name.kind === 'string' && (text === name.value) === test.operator.startsWith('=')));
    return answers.size === 1 ? answers.has(true) : undefined;
  };
  return (
    answersAround(place).some(({ test, holds }) => answerOf(test) === !holds) ||
    casesAround(place).some(({ subjects, names }) =>
      subjects.some((subject) => textsOf(subject)?.every((text) => !names.includes(text)) === true),
    ) ||
    otherCasesAround(place).some(({ subjects, names }) =>
      subjects.some((subject) => textsOf(subject)?.every((text) => names.includes(text)) === true),
    )
  );
}

const opposite = (answer: boolean | undefined): boolean | undefined => (answer === undefined ? undefined : !answer);

/** What is known of what a test is about where it has an answer. */
function askedIn(test: Node, holds: boolean): Asked | undefined {
  switch (test.kind) {
    case 'unary':
      return test.operator === '!' ? askedIn(test.argument, !holds) : undefined;
    case 'binary': {
      const [subject, name] = test.right.kind === 'string' ? [test.left, test.right] : [test.right, test.left];
      const isOne = /^[!=]==?$/.test(test.operator) && test.operator.startsWith('=') === holds;
      return isOne && name.kind === 'string' ? { subjects: [subject], names: [name.value] } : undefined;
    }
    case 'logical': {
      const sides = [test.left, test.right].map((side) => askedIn(side, holds));
      const known = sides.filter((side) => side !== undefined);
      // Of `a && b` that holds each does; of `a || b` that holds either may.
      if (test.operator === (holds ? '&&' : '||')) return known[0];
      return test.operator === '??' || known.length < sides.length ? undefined : together(known);
    }
    case 'call': {
      const { callee, args } = test;
      const [subject] = args;
      if (!holds || callee.kind !== 'member' || callee.property !== 'includes' || callee.object.kind !== 'array') return undefined;
      const names = callee.object.elements.flatMap((each) => (each?.kind === 'string' ? [each.value] : []));
      const isWritten = names.length === callee.object.elements.length && subject !== undefined && subject.kind !== 'spread';
      return isWritten ? { subjects: [subject], names } : undefined;
    }
    default:
      return undefined;
  }
}

const together = (all: readonly Asked[]): Asked => ({
  subjects: all.flatMap(({ subjects }) => subjects),
  names: all.flatMap(({ names }) => names),
});

/** The cases of `switch` that a place stands in, with those right before them that have no statements of their own. */
function casesAround(place: Node): Asked[] {
  const found: Asked[] = [];
  for (let at = place; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind !== 'block' || !isClause(at)) continue;
    const [subject, ...clauses] = parent.body.slice(0, parent.body.indexOf(at) + 1);
    const before = clauses.findLastIndex((each) => each !== at && !isEmpty(each));
    const names = clauses.slice(before + 1).flatMap((each) => nameOf(each) ?? []);
    // What goes on from the case before comes there, too.
    const isLeft = before === -1 || isBehindBreak(clauses[before]);
    if (subject !== undefined && isLeft && names.length === clauses.length - before - 1) found.push({ subjects: [subject], names });
  }
  return found;
}

/** What a `switch` asks for before it comes to its `default:`, in which a place stands. */
function otherCasesAround(place: Node): Asked[] {
  const found: Asked[] = [];
  for (let at = place; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind !== 'block' || at.kind !== 'other' || at.what !== 'DefaultClause') continue;
    const [subject, ...clauses] = parent.body;
    const before = clauses.at(clauses.indexOf(at) - 1);
    if (subject === undefined || (before !== at && !isBehindBreak(before))) continue;
    found.push({ subjects: [subject], names: clauses.flatMap((each) => nameOf(each) ?? []) });
  }
  return found;
}

const isClause = (node: Node): boolean => node.kind === 'other' && /^(?:Case|Default)Clause$/.test(node.what);
/** `case 'GET':`, with nothing behind it. */
const isEmpty = (node: Node): boolean => node.kind === 'other' && node.what === 'CaseClause' && node.children.length === 1;

function nameOf(clause: Node): string | undefined {
  const [test] = clause.kind === 'other' && clause.what === 'CaseClause' ? clause.children : [];
  return test?.kind === 'string' ? test.value : undefined;
}

function isBehindBreak(node: Node | undefined): boolean {
  const last = node?.kind === 'block' ? node.body.at(-1) : node?.kind === 'other' ? node.children.at(-1) : undefined;
  if (isLeaving(last) || (last?.kind === 'other' && last.what === 'BreakStatement')) return true;
  return last?.kind === 'block' && last.role === undefined && isBehindBreak(last);
}
