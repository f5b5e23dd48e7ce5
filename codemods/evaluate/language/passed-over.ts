/** What a call does not come to, as it does not give what that is for: `if (apiKey) headers['x-api-key'] = apiKey`. */
import { memoOf } from '../../once.ts';
import { saidInCall } from '../calls/said-in-call.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { optionsOf, type Value } from '../values/values.ts';
import { looseWritesIn } from '../writes/loose-writes.ts';
import { isWrittenByOthers } from '../writes/other-writes.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { answersAround } from './guards.ts';
import { presenceAnswer } from './presence-checks.ts';

const answersOf = memoOf(answersAround);

/** Whether a call certainly does not come to a place of its function. */
export const isPassedOver = (ev: Evaluation, place: Node, at: At): boolean =>
  answersOf(place).some(({ test, holds }) => answerOf(ev, test, at) === !holds);

/** Only what is not given says anything: what is there may be taken away again. */
const answerOf = (ev: Evaluation, test: Node, at: At): boolean | undefined =>
  presenceAnswer(test, (subject, question) => {
    if (!isSettled(ev, subject, at)) return undefined;
    const answers = new Set(optionsOf(ev.evaluate(subject, at)).map((value) => (isMissing(value) ? question(value) : undefined)));
    const [answer] = answers;
    return answers.size === 1 ? answer : undefined;
  });

/** Whether the call says it, or what made the instance, and nobody else is seen to put anything under that name, or takes things by ways that are not followed and does. */
function isSettled(ev: Evaluation, subject: Expression, at: At): boolean {
  let root = subject;
  for (; root.kind === 'member' && root.property !== undefined; root = root.object) {
    const { property } = root;
    if (isOfThis(subject) && looseWritesIn(ev.world).names.has(property)) return false;
    const holders = optionsOf(ev.evaluate(root.object, at));
    if (holders.some((each) => (each.type === 'instance' || each.type === 'object') && isWrittenByOthers(ev, each, property))) return false;
  }
  return saidInCall(ev, subject, at) !== undefined;
}

function isOfThis(node: Expression): boolean {
  let root = node;
  while (root.kind === 'member') root = root.object;
  return root.kind === 'this';
}

const isMissing = (value: Value): boolean => value.type === 'literal' && !value.value;
