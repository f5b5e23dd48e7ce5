/** What code sets variables of the environment to, as it is written. */
import { expect, test } from 'vitest';
import { codeSettingsIn } from '../../../codemods/formats/code-settings.ts';

const read = (text: string, file = 'src/app.ts') =>
  codeSettingsIn(file, text).map(({ name, start, end }) => `${name}=${text.slice(start, end)}`);

test.each([
  ['an object of variables', `start({ env: { URL: 'https://a.test/v1', 'KEY': "k" } })`, ['URL=https://a.test/v1', 'KEY=k']],
  [
    'that of a stage, and of a function',
    `a = { env_production: { URL: 'p' } }; b = { environment: { variables: { URL: 'f' } } };`,
    ['URL=p', 'URL=f'],
  ],
  [
    'what a page has, and what is put into the environment',
    `window.__ENV__ = { URL: 'w' };\nObject.assign(process.env, { URL: 'o' });`,
    ['URL=w', 'URL=o'],
  ],
  ['texts that stand alone only', "x = { env: { A: 'a' + b, B: `b${c}`, C: d('e'), F: 'it\\'s', /* one */ G: 'g' } }", ['G=g']],
  ['no deeper object', `x = { env: { A: { URL: 'u' }, B: ['C', 'D'] } }`, []],
  [
    'a constant that is given by its name alone, also spread, whatever texts, comments and properties are called so',
    `  const common: Record<string, string> = { URL: 'c' };\n// common\nf({ environment: common }, 'common', props.common, { common: 1 });\nf({ environment: { A: b, ...common } });`,
    ['URL=c'],
  ],
  ['one called as the option is', `const environment = { URL: 'e' };\nf({ handler, environment });`, ['URL=e']],
  ['none that is changed', `const common = { URL: 'c' };\ncommon.URL = x;\nf({ environment: common });`, []],
  ['none that is exported', `export const common = { URL: 'c' };\nf({ environment: common });`, []],
  ['none that others are given, too', `const common = { URL: 'c' };\nf({ environment: common });\ng({ ...common });`, []],
  ['none of two', `const common = { URL: 'c' };\n{\n  const common = { URL: 'd' };\n  f({ environment: common });\n}`, []],
  ['no other object', `const environment = { URL: 'u' }; const x = { vars: { URL: 'u' } };`, []],
])('are %s', (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('what tests set is none of production', () => {
  const text = `export default { test: { env: { URL: 'u' } } };`;
  expect(['vitest.config.ts', 'test/start.ts', 'src/a.spec.ts', 'e2e/run.js'].flatMap((file) => read(text, file))).toEqual([]);
});

test('objects that are given by many names take no longer than the text is long', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `const common${at} = { URL: 'c' };\nf({ environment: common${at} });\n`).join('');
  expect(read(text)).toHaveLength(5_000);
});

test('objects without an end take no longer than the text is long', () => {
  const text = `x = { env: { A: /[{]/, `.repeat(5_000);
  expect(read(text)).toEqual([]);
});
