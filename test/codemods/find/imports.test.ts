import { expect, test } from 'vitest';
import { specifiersIn } from '../../../codemods/find/imports.ts';

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

test.each(['import(`./${name}`)', 'require(name)', "const from = 'x'", "myrequire('./a')", "'./a'"])('%j names none', (text) => {
  expect(specifiersIn(text)).toEqual([]);
});

test('each is named once, in UTF-8', () => {
  const text = Buffer.from("import './größe'; import './größe'; import './b'").toString('latin1');
  expect(specifiersIn(text)).toEqual(['./größe', './b']);
});
