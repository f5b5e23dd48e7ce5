/** What was cut is asked anew by each question, unless nothing is left in it that any question will follow further. */
import { expect, test } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { Budget } from '../../../codemods/evaluate/budget.ts';
import { type Answers, Fixpoint } from '../../../codemods/evaluate/fixpoint.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { unknown } from '../../../codemods/evaluate/values/values.ts';

const engines = await loadEngines();
const text = 'ask();\n';
const module = sourceModule('asked.js', text, engines.parse('asked.js', text).tree);
const place = { node: module.tree.program, module };

/** Asks the same of four questions, one after the other. @returns how often it was found out, and which of these were cut */
function asked(isFinal: boolean): { readonly found: number; readonly cut: readonly boolean[] } {
  const budget = new Budget(text.length);
  const fixpoint = new Fixpoint(budget);
  const answers: Answers = new Map();
  let found = 0;
  const find = () => {
    found++;
    budget.cut(undefined, isFinal);
    return unknown(place.node, module, 'too many');
  };
  const cut = Array.from({ length: 4 }, () => {
    fixpoint.begin();
    return budget.question(place, () => fixpoint.ask(answers, place, place, find)).isCut;
  });
  return { found, cut };
}

test('what another question may follow further is found out by each', () => {
  expect(asked(false)).toEqual({ found: 4, cut: [true, true, true, true] });
});

test('what no question will follow further is found out once, and each question that hangs on it is cut', () => {
  expect(asked(true)).toEqual({ found: 1, cut: [true, true, true, true] });
});
