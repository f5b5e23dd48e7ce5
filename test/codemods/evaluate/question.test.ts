/** A question that costs too much is cut, says where, and leaves the others alone. */
import { expect, test } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { Budget, type Far } from '../../../codemods/evaluate/budget.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import type { Node } from '../../../codemods/syntax/tree.ts';

const engines = await loadEngines();
const text = 'cheap();\nexpensive();\n';
const module = sourceModule('asked.js', text, engines.parse('asked.js', text).tree);
const call = (index: number): Node => module.calls[index] ?? module.tree.program;
const [cheap, expensive] = [call(0), call(1)];
const nothingFar: Far = { beside: 0, characters: 0, has: () => false, closest: [] };

/** Takes steps until the question is cut, or it has taken as many as it wants. */
function take(budget: Budget, node: Node, steps: number): number {
  for (let taken = 0; taken < steps; taken++) {
    if (!budget.step(node, module)) {
      budget.cut();
      return taken;
    }
  }
  return steps;
}

test('a question that costs too much is cut, and says at which place most was spent', () => {
  const budget = new Budget(text.length);
  const ask = (): number => take(budget, cheap, 20) + take(budget, expensive, 10_000);
  const { value, isCut, place } = budget.question({ node: cheap, module }, ask, 1000);
  expect({ value, isCut, place }).toEqual({ value: 1000, isCut: true, place: { node: expensive, module } });
});

test('a question after one that was cut may cost as much again', () => {
  const budget = new Budget(text.length);
  budget.question({ node: cheap, module }, () => take(budget, cheap, 2000), 1000);
  expect(budget.question({ node: cheap, module }, () => take(budget, cheap, 900), 1000)).toEqual({
    value: 900,
    isCut: false,
    isExhausted: false,
    place: undefined,
  });
});

test('a question within another takes from that one, and cuts it', () => {
  const budget = new Budget(text.length);
  const inner = (): number => budget.question({ node: expensive, module }, () => take(budget, expensive, 5000)).value;
  expect(budget.question({ node: cheap, module }, inner, 1000)).toMatchObject({ value: 1000, isCut: true });
});

test('the questions and files that cost most are told, the most expensive first', () => {
  const budget = new Budget(text.length);
  budget.question({ node: cheap, module }, () => take(budget, cheap, 10));
  budget.question({ node: expensive, module }, () => take(budget, expensive, 500));
  expect(budget.costs()).toEqual({
    questions: [
      { file: 'asked.js', line: 2, steps: 500 },
      { file: 'asked.js', line: 1, steps: 10 },
    ],
    files: [{ file: 'asked.js', line: undefined, steps: 510 }],
  });
});

test('when all is spent a question is answered as far as little suffices', () => {
  const budget = new Budget(0);
  while (!budget.isSpent({ node: cheap, module })) budget.charge(100_000);
  expect(budget.question({ node: cheap, module }, () => take(budget, cheap, 5000))).toMatchObject({ isCut: true });
  expect(budget.question({ node: cheap, module }, () => take(budget, cheap, 50))).toMatchObject({ isCut: false });
});

test('what nothing hangs on takes nothing from the rest, whatever it costs', () => {
  const [near, far] = [cheap, expensive].map((node) => ({ node, module }));
  const budget = new Budget(0, { ...nothingFar, has: ({ node }) => node === expensive });
  if (near === undefined || far === undefined) throw new Error('calls');
  while (!budget.isUsedUp(far)) budget.question(far, () => take(budget, expensive, 5000));
  expect([far, near].map((place) => [budget.isFar(place), budget.isSpent(place), budget.isUsedUp(place)])).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  expect(budget.question(near, () => take(budget, cheap, 5000))).toMatchObject({ value: 5000, isCut: false });
});

test('what files ask that say a base themselves is paid for apart from what others ask that a base may flow into', () => {
  const other = sourceModule('other.js', text, engines.parse('other.js', text).tree);
  const budget = new Budget(0, { ...nothingFar, closest: [{ characters: text.length, has: (file) => file === module.file }] });
  const near = { node: other.calls[0] ?? other.tree.program, module: other };
  while (!budget.isUsedUp(near)) budget.question(near, () => take(budget, near.node, 5000));
  expect(budget.question({ node: cheap, module }, () => take(budget, cheap, 5000))).toMatchObject({ value: 5000, isCut: false });
});

test('files that say something else of v1 have steps of their own, too, and one that says a base takes none of these', () => {
  const [header, other] = ['header.js', 'other.js'].map((file) => sourceModule(file, text, engines.parse(file, text).tree));
  const oneOf = (...files: readonly string[]): Far['closest'][number] => ({ characters: text.length, has: (file) => files.includes(file) });
  const budget = new Budget(0, { ...nothingFar, closest: [oneOf(module.file), oneOf(module.file, 'header.js')] });
  const [base, beside, near] = [module, header, other].map((of) => ({ node: cheap, module: of ?? module }));
  const useUp = (place = { node: cheap, module }): void => {
    while (!budget.isUsedUp(place)) budget.question(place, () => take(budget, place.node, 5000));
  };
  const used = (): boolean[] => [base, beside, near].map((place) => budget.isUsedUp(place ?? { node: cheap, module }));
  useUp(near);
  expect(used()).toEqual([false, false, true]);
  useUp(base);
  expect(used()).toEqual([true, false, true]);
});

test('what stands beside what is near a base has as many steps as that, as all its calls are looked at', () => {
  const isFar = (): boolean => true;
  const [beside, elsewhere] = [
    new Budget(0, { ...nothingFar, beside: 1_000_000, has: isFar }),
    new Budget(0, { ...nothingFar, characters: 1_000_000, has: isFar }),
  ];
  const place = { node: expensive, module };
  for (const budget of [beside, elsewhere])
    for (let asked = 0; asked < 6; asked++) budget.question(place, () => take(budget, expensive, 5000));
  expect([beside, elsewhere].map((budget) => budget.isSpent(place))).toEqual([false, true]);
});

test('what is found out aside takes no steps from the question within which it is asked, and does not cut it', () => {
  const budget = new Budget(text.length);
  const ask = (): readonly unknown[] => {
    const aside = budget.aside({ node: expensive, module }, () => take(budget, expensive, 1000), 400);
    return [aside.value, aside.isCut, take(budget, cheap, 900)];
  };
  const { value, isCut } = budget.question({ node: cheap, module }, ask, 1000);
  expect({ value, isCut, spent: budget.spent }).toEqual({ value: [400, true, 900], isCut: false, spent: 1301 });
});
