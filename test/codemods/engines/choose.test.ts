import { describe, expect, it } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';

const { parse } = await loadEngines();

describe('the engine', () => {
  it.each([
    ['a.ts', 'const a: string = b', 'typescript'],
    ['a.tsx', 'const a = <b />', 'typescript'],
    ['a.json', '{}', 'typescript'],
    ['a.js', 'const a = <b />', 'typescript'],
    ['a.cjs', 'module.exports = 1', 'typescript'],
    ['a.js', 'const a = (b: any)', 'babel'],
    ['a.mjs', 'export opaque type A = string', 'babel'],
    ['a.js', '// @flow\nconst a = 1', 'babel'],
    ['a.jsx', '#!/usr/bin/env node\n/* banner */\n/**\n * @flow strict\n */\nconst a = 1', 'babel'],
    ['a.js', '/* @noflow */ const a = 1', 'typescript'],
    ['a.js', 'const a = "@flow"', 'typescript'],
    ['a.ts', '// @flow\nconst a = 1', 'typescript'],
    ['a.js', '// @flow\nnamespace A { b() }', 'typescript'],
  ] as const)('for %s %j is %s', (path, text, engine) => {
    expect(parse(path, text).engine).toBe(engine);
  });

  it.each([
    ['a.ts', 'const a = (b: any)'],
    ['a.json', '{ a }}'],
    ['a.js', 'let a = ;'],
    ['a.js', '// @flow\nlet a = ;'],
  ])('that was asked first says what is wrong with %s %j', (path, text) => {
    expect(() => parse(path, text)).toThrow(expect.objectContaining({ code: 'SYNTAX' }));
  });
});
