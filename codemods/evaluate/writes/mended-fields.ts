/**
 * What a constructor puts in the place of what a field holds, as that ends or begins: `if (!this.base.endsWith('/')) this.base += '/'`,
 * `this.base = this.base.replace(/\/+$/, '')`. Nothing is left then that has the other ending, as with a name (`narrowing.ts`).
 */
import { walk } from '../../syntax/link.ts';
import type { AssignNode, Node } from '../../syntax/tree.ts';
import { functionAround } from '../calls/callees.ts';
import type { FieldWrite } from '../classes/class-index.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { questionIn } from '../language/narrowing.ts';
import { concatenated, flat } from '../values/text.ts';
import { isConstructor } from './field-writes.ts';
import { type ObjectValue, optionsOf, type Value } from '../values/values.ts';

/** Whether a text is mended, by the tests that its constructor comes to the place behind; undefined where nobody knows. */
type Asked = (text: string) => boolean | undefined;

/**
 * @param held what the field holds until then
 * @returns what it holds behind the write; undefined where that goes by anything else
 */
export function mendedBy(ev: Evaluation, write: FieldWrite, name: string, at: At, held: readonly Value[]): Value[] | undefined {
  const { node } = write;
  const isMended = mendingIn(write, name);
  if (isMended === undefined || node.kind !== 'assign') return undefined;
  return held.flatMap(optionsOf).flatMap((option) => {
    // Of what is not known, the ending is not either: it stays open, as what it is.
    if (option.type !== 'text' || isMended(flat(option.parts)) !== true) return [option];
    const self = holding(option, name, node, at);
    const frame = { owner: write.member, self, outer: at.frame };
    const put = ev.evaluate(node.value, { module: at.module, frame });
    return optionsOf(node.operator === '=' ? put : concatenated([option, put]));
  });
}

/** Whether a write is such a one: what a field holds behind it is known then, wherever it is asked. */
export function isMending(node: Node, name: string): boolean {
  const member = functionAround(node);
  return node.kind === 'assign' && member !== undefined && isConstructor(member) && mendingIn({ node, member }, name) !== undefined;
}

const mendingIn = ({ node, member }: FieldWrite, name: string): Asked | undefined =>
  node.kind === 'assign' && isOfItself(node, name) && isPutBefore(node, member, name) ? askedBefore(node, member, name) : undefined;

/** Whether the constructor has put something there itself: what an heir finds there, its superclass has put. */
function isPutBefore(node: AssignNode, member: Node, name: string): boolean {
  let isPut = false;
  walk(member, (each) => {
    isPut ||= each.kind === 'assign' && each.end <= node.start && isField(each.target, name) && functionAround(each) === member;
    return !isPut;
  });
  return isPut && functionAround(node) === member;
}

/** Whether what is put there is made of what the field holds, and of nothing else that the instance has. */
function isOfItself({ operator, target, value }: AssignNode, name: string): boolean {
  if (target.kind !== 'member' || target.property !== name || !/^\+?=$/.test(operator)) return false;
  let [isOwn, isOther] = [operator === '+=', false];
  walk(value, (node) => {
    // A default is what it holds where it holds nothing: `this.base = this.base || '…'`.
    if (node.kind === 'function' || node.kind === 'logical' || node.kind === 'conditional') isOther = true;
    if (node.kind !== 'this') return !isOther;
    if (isField(node.parent, name)) isOwn = true;
    else isOther = true;
    return true;
  });
  return isOwn && !isOther;
}

const isField = (node: Node | undefined, name: string): boolean =>
  node?.kind === 'member' && node.object.kind === 'this' && node.property === name;

/** @returns undefined where one of the tests is about something else, or the place is come to in another way than by tests */
function askedBefore(place: Node, member: Node, name: string): Asked | undefined {
  const asked: Asked[] = [];
  for (let at = place; at !== member;) {
    const { parent } = at;
    if (parent === undefined) return undefined;
    const { test, isNot } = testOf(parent, at);
    const question = test === undefined ? undefined : askedIn(test, name, isNot);
    if (test === undefined ? !isPassedThrough(parent, member) : question === undefined) return undefined;
    if (question !== undefined) asked.push(question);
    at = parent;
  }
  return (text) => {
    const answers = new Set(asked.map((each) => each(text)));
    return answers.has(false) ? false : answers.has(undefined) ? undefined : true;
  };
}

interface Test {
  readonly test?: Node | undefined;
  readonly isNot?: boolean;
}

/** `if (test) place`, `while (test) place`, `test && place`, `test || place`. */
function testOf(parent: Node, at: Node): Test {
  if (parent.kind === 'logical')
    return parent.right === at && parent.operator !== '??' ? { test: parent.left, isNot: parent.operator === '||' } : {};
  const isIf = parent.kind === 'other' && parent.what === 'IfStatement';
  const isLoop = parent.kind === 'block' && parent.role === 'loop' && parent.body.length === 2;
  const [test, then] = isIf ? parent.children : isLoop ? parent.body : [];
  return then === at ? { test } : {};
}

/** A statement that is come to whenever the one around it is. */
const isPassedThrough = (parent: Node, member: Node): boolean =>
  parent === member ||
  (parent.kind === 'block' && parent.role === undefined) ||
  (parent.kind === 'other' && parent.what === 'ExpressionStatement');

/** A question about the field, after one whether it has anything: `this.base && !this.base.endsWith('/')`. */
function askedIn(test: Node, name: string, isNot = false): Asked | undefined {
  if (test.kind === 'unary' && test.operator === '!') return askedIn(test.argument, name, !isNot);
  if (test.kind === 'logical' && test.operator === '&&' && !isNot) {
    const [left, right] = [askedIn(test.left, name), askedIn(test.right, name)];
    return left && right && ((text) => (left(text) === true ? right(text) : left(text)));
  }
  const question = questionIn(test);
  const answer: Asked | undefined = isField(test, name)
    ? (text) => text !== ''
    : question !== undefined && isField(question.subject, name)
      ? question.answer
      : undefined;
  return isNot && answer ? (text) => negated(answer(text)) : answer;
}

const negated = (answer: boolean | undefined): boolean | undefined => (answer === undefined ? undefined : !answer);

/** `this` while the field holds one thing. */
const holding = (option: Value, name: string, node: Node, { module }: At): ObjectValue => ({
  type: 'object',
  node,
  module,
  entries: [{ name, key: undefined, node, module, valueNode: undefined, value: () => option }],
  unknown: [],
});
