import { expect, test } from 'vitest';
import { importsIn, specifiersIn } from '../../../codemods/find/modules/imports.ts';

test.each([
  ["import a from './a'", './a'],
  ["import { a,\n  b } from './a'", './a'],
  ["import'./a'", './a'],
  ['import type { A } from "./a"', './a'],
  ["export * from './a'", './a'],
  ["export{a}from'./a'", './a'],
  ["const a = require('./a')", './a'],
  ["const a = await import( './a' )", './a'],
  ["import(/* webpackChunkName: 'x' */ './a')", './a'],
  ['import(`./a`)', './a'],
  ["import a = require('./a')", './a'],
  ["import a from './a b'", './a b'],
])('%j names a module', (text, name) => {
  expect(specifiersIn(text)).toEqual([name]);
});

test.each(['require(name)', "const from = 'x'", "myrequire('./a')", "'./a'"])('%j names none', (text) => {
  expect(specifiersIn(text)).toEqual([]);
});

test('each is named once, in UTF-8', () => {
  const text = Buffer.from("import './größe'; import './größe'; import './b'").toString('latin1');
  expect(specifiersIn(text)).toEqual(['./größe', './b']);
});

test('of a package, what is taken is in what stands before it, and of a file nothing', () => {
  const text = "const x = 'y';\nimport { a,\n  b } from 'pkg';\nimport c from './c';\nconst { d } = require('pkg');";
  const named = importsIn(text);
  expect(named.get('pkg')?.match(/[\w$]+/g)).toEqual(['import', 'a', 'b', 'const', 'd']);
  expect(named.get('./c')).toBe('');
});
