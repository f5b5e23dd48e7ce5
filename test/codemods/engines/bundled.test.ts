import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiler } from '../../../.ci/compiler.ts';
import type { Engine } from '../../../codemods/engines/engine.ts';
import { typescript } from '../../../codemods/engines/typescript.ts';
import { plain } from './plain.ts';
import { programs } from './programs.ts';

const dir = mkdtempSync(join(tmpdir(), 'bundled-'));
let bundled: Engine;

beforeAll(async () => {
  const input = join(import.meta.dirname, '../../../codemods/engines/typescript.ts');
  await build({ input, platform: 'node', plugins: [compiler], output: { file: join(dir, 'engine.mjs') } });
  ({ typescript: bundled } = await import(pathToFileURL(join(dir, 'engine.mjs')).href));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The tree of a text, or what is wrong with it. */
function readBy(engine: Engine, path: string, text: string): unknown {
  try {
    return plain(engine.parse(path, text));
  } catch (error) {
    if (error instanceof Error && 'at' in error) return { message: error.message, at: error.at };
    throw error;
  }
}

describe('the parser that is bundled', () => {
  it('gives the trees of the whole compiler', () => {
    for (const path of programs) {
      const text = readFileSync(path, 'utf8');
      // vitest's own comparison takes a minute for as many nodes.
      expect(isDeepStrictEqual(readBy(bundled, path, text), readBy(typescript, path, text)), path).toBe(true);
    }
  });

  it('says of texts with a fault what the whole compiler says', () => {
    for (const text of [
      'const = 1',
      'a ? b',
      '`${',
      'class A { constructor }',
      '<a></b>',
      'let a: = 1',
      'import { a from "b"',
      '"\\u{110000}"',
      '\u00a7',
    ]) {
      const said = readBy(typescript, 'a.tsx', text);
      expect(said).toEqual({ message: expect.any(String), at: expect.any(Number) });
      expect(readBy(bundled, 'a.tsx', text), text).toEqual(said);
    }
  });
});
