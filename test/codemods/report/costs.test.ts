import { expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { costLines } from '../../../codemods/report/costs.ts';
import { treeOf } from '../find/tree.ts';

test('what took most is named with its steps, one below the other, whatever files are called', () => {
  const questions = [{ file: 'a.js', line: 3, steps: 1_200 }];
  const files = [
    { file: 'a.js', line: undefined, steps: 1_250 },
    { file: 'b\u001b.js', line: undefined, steps: 9 },
  ];
  expect(costLines({ steps: 1_259, questions, files })).toEqual([
    'The evaluation took 1,259 steps. Most were for what these places ask:',
    '  1,200  a.js:3',
    'and for all that is asked in these files:',
    '  1,250  a.js',
    String.raw`      9  b\u{1b}.js`,
  ]);
});

test('a run says what its components took, the most expensive first, ten of each at most, in whatever threads', async () => {
  const call = (size: number): string =>
    `fetch(\`https://api.example.com/v1/messages?${'${f(1)}'.repeat(size)}\`, { headers: { 'x-api-key': process.env.KEY } });\n`;
  using tree = treeOf(Object.fromEntries(Array.from({ length: 12 }, (_, size) => [`${size}.js`, call(size)])));
  const options = { cwd: tree.root, paths: ['.'], v1Base: ['https://api.example.com'], dryRun: true };
  const { costs } = await migrate(options);
  expect(costs.files.map(({ file }) => file)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((size) => `${size}.js`));
  expect(costs.questions).toHaveLength(10);
  expect(costs.steps).toBeGreaterThan(costs.files.reduce((sum, { steps }) => sum + steps, 0));
  expect((await migrate({ ...options, background: true })).costs).toEqual(costs);
});
