/** `body === undefined`, `options != null`: whether something is there at all, where that is known. */
import type { BinaryNode, Expression, Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isLookedUp, truth } from './looked-up.ts';
import { optionsOf, type Value } from '../values/values.ts';

export interface MissingTest {
  readonly subject: Expression;
  readonly asked: null | undefined;
  /** `==`, for which null and undefined are the same. */
  readonly isLoose: boolean;
  readonly isNot: boolean;
}

/** What a test asks of what it is about. */
export type Question = (value: Value) => boolean | undefined;

/**
 * Whether a test of what is there holds, as far as that is known of all that it is about: `apiKey && !options.isPublic`, `body !== undefined`.
 * @param ask what is known of the answer for one thing
 */
export function presenceAnswer(test: Node, ask: (subject: Expression, question: Question) => boolean | undefined): boolean | undefined {
  switch (test.kind) {
    case 'unary': {
      const answer = test.operator === '!' ? presenceAnswer(test.argument, ask) : undefined;
      return answer === undefined ? undefined : !answer;
    }
    case 'logical': {
      const decides = test.operator === '||';
      const answers = test.operator === '??' ? [] : [presenceAnswer(test.left, ask), presenceAnswer(test.right, ask)];
      return answers.includes(decides) ? decides : answers.includes(undefined) ? undefined : answers[0];
    }
    case 'binary': {
      const question = missingTestIn(test);
      return question && ask(question.subject, (value) => flipped(isNothingAsked(value, question), question.isNot));
    }
    case 'name':
    case 'member':
      return ask(test, truth);
    default:
      return undefined;
  }
}

const flipped = (answer: boolean | undefined, isNot: boolean): boolean | undefined => (answer === undefined ? undefined : answer !== isNot);

/** What is asked for here, where that is whether something is missing. */
export function missingTestIn(test: Node): MissingTest | undefined {
  if (test.kind !== 'binary' || !/^[!=]==?$/.test(test.operator)) return undefined;
  const { left, right, operator }: BinaryNode = test;
  const isRight = isNothing(right);
  if (!isRight && !isNothing(left)) return undefined;
  const [asked, subject] = isRight ? [right, left] : [left, right];
  return { subject, asked: asked.kind === 'name' ? undefined : null, isLoose: operator.length === 2, isNot: operator.startsWith('!') };
}

const isNothing = (node: Expression): boolean =>
  (node.kind === 'name' && node.name === 'undefined') || (node.kind === 'literal' && node.value === null);

/** @returns undefined where it may be either way, or is another question */
export function missingTest(ev: Evaluation, test: BinaryNode, at: At): Value | undefined {
  const question = missingTestIn(test);
  if (question === undefined) return undefined;
  const answers = new Set(optionsOf(ev.evaluate(question.subject, at)).map((value) => isNothingAsked(value, question)));
  const [answer] = answers;
  return answers.size !== 1 || answer === undefined ? undefined : { type: 'literal', value: answer !== question.isNot };
}

export function isNothingAsked(value: Value, { asked, isLoose }: MissingTest): boolean | undefined {
  if (value.type === 'literal') return isLoose ? (value.value ?? undefined) === undefined : value.value === asked;
  return there.has(value.type) && !isLookedUp(value) ? false : undefined;
}

const there: ReadonlySet<Value['type']> = new Set(['text', 'object', 'list', 'function', 'class', 'instance', 'http']);
