import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { readings } from './readings.ts';

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

/** Names that the compiler's options, emitter, checker and debugger have, in functions that no parser calls. */
const ofOthers = [
  'CheckMode',
  'SignatureCheckMode',
  'TypeFacts',
  'getCompilerOptionValueTypeString',
  'getNodeId',
  'onProfilerEvent',
  'targetOptionDeclaration',
  'visitNode',
];

describe('the parser that is bundled', () => {
  it('leaves out nothing that it calls', () => {
    const config = join(dir, '.oxlintrc.json');
    writeFileSync(config, JSON.stringify({ env: { node: true, es2024: true }, rules: { 'no-undef': 'error' } }));
    const { stdout } = spawnSync('oxlint', ['--config', config, '--format', 'unix', join(dir, 'engine.mjs')], { encoding: 'utf8' });
    const missing = Array.from(stdout.matchAll(/'([^']+)' is not defined/g), ([, name]) => name);
    expect([...new Set(missing)].toSorted()).toEqual(ofOthers);
  });

  it('gives the trees of the whole compiler', () => {
    // All kinds of syntax there are, and some of the programs: it is the same parser, of which parts are left out.
    const rows = Object.values(readings).flatMap((row) => Object.keys(row).map((text) => ['a.tsx', text] as const));
    const some = programs.filter((_, index) => index % 4 === 0).map((path) => [path, readFileSync(path, 'utf8')] as const);
    for (const [path, text] of [...rows, ...some]) {
      // vitest's own comparison takes a minute for as many nodes.
      expect(isDeepStrictEqual(readBy(bundled, path, text), readBy(typescript, path, text)), path).toBe(true);
    }
    const settings = '{ "base": "https://api.example.com/v1", "retries": [1, -2, null, true] }';
    expect(readBy(bundled, 'a.json', settings)).toEqual(readBy(typescript, 'a.json', settings));
  });

  it('says of texts with a fault what the whole compiler says', () => {
    for (const text of ['{ "base": address }', "{ 'base': 1 }", '[1,']) {
      const said = readBy(typescript, 'a.json', text);
      expect(said).toEqual({ message: expect.any(String), at: expect.any(Number) });
      expect(readBy(bundled, 'a.json', text), text).toEqual(said);
    }
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
