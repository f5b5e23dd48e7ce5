import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { compiler } from '../../../codemods/engines/typescript/compiler.ts';

const require = createRequire(import.meta.url);

it('the compiler is the one that ts-morph brings, and ts-morph itself is not loaded for it', () => {
  expect(Object.keys(require.cache).filter((file) => /ts-morph(?:-common)?\.js$/.test(file))).toEqual([]);
  expect(require('ts-morph').ts.createSourceFile).toBe(compiler.createSourceFile);
});
