/**
 * What is put behind a text as it ends, `base + (base.endsWith('/') ? '' : '/')`: each of what a name may be has an end of its own. All of them with both ways are
 * many, and nobody asks for most of these.
 */
import type { Expression } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { questionIn } from '../language/narrowing.ts';
import { concatenated, flat } from './text.ts';
import { choiceOf, optionsOf, type Value } from './values.ts';

/** @param pieces what stands one behind the other in a text */
export function piecesOf(ev: Evaluation, pieces: readonly (Expression | Value)[], at: At): Value[] {
  const found: Value[] = [];
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    const ended = endedBy(ev, piece, pieces[index + 1], at);
    if (ended !== undefined) index++;
    found.push(ended ?? ('kind' in piece ? ev.evaluate(piece, at) : piece));
  }
  return found;
}

function endedBy(ev: Evaluation, name: Expression | Value, way: Expression | Value | undefined, at: At): Value | undefined {
  if (way === undefined || !('kind' in name && 'kind' in way) || name.kind !== 'name' || way.kind !== 'conditional') return undefined;
  const { test, whenTrue, whenFalse } = way;
  const isNot = test.kind === 'unary' && test.operator === '!';
  const question = questionIn(isNot ? test.argument : test);
  const { scopes } = at.module;
  if (question?.subject.kind !== 'name' || scopes.bindingOf(question.subject) !== scopes.bindingOf(name)) return undefined;
  const options = optionsOf(ev.evaluate(name, at));
  if (whenTrue.kind !== 'string' || whenFalse.kind !== 'string') return undefined;
  const [ending, other] = isNot ? [whenFalse, whenTrue] : [whenTrue, whenFalse];
  // Of what is not known, the end is: with the slash that is put there, or its own.
  const isSlash = ending.value === '' && other.value === '/' && question.answer('/') === true && question.answer('x') === false;
  const ended = options.map((option) => {
    const answer = option.type === 'text' ? question.answer(flat(option.parts)) : undefined;
    return concatenated([option, ev.evaluate(answer === undefined ? (isSlash ? other : way) : answer ? ending : other, at)]);
  });
  return choiceOf(ended);
}
