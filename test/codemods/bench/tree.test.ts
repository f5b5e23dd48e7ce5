import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import jscodeshift from 'jscodeshift';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTree } from '../../../bench/codemods/tree.ts';
import type { Density } from '../../../bench/codemods/tree.ts';

function tree(density: Density, files: number, seed = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-tree-'));
  try {
    const written = writeTree(folder, { files, density, seed, connected: false });
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\/src\/.*\.[jt]sx?$/.test(path));
    const sources = new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
    return { written, sources };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Places that call v1, counted by their text alone: each has one route. */
function placesIn(text: string): number {
  return text.match(/\bv1\/(messages|contacts|campaigns)\b/g)?.length ?? 0;
}

describe('the tree of the benchmark', () => {
  let dense: ReturnType<typeof tree>;
  beforeAll(() => {
    dense = tree('dense', 400);
  });

  it('is the same for the same seed', () => {
    expect(tree('sparse', 200, 7)).toEqual(tree('sparse', 200, 7));
    expect(tree('sparse', 200, 7)).not.toEqual(tree('sparse', 200, 8));
  });

  it.each<[Density, number, number]>([
    ['clean', 400, 0],
    ['sparse', 500, 20],
    ['dense', 400, 400],
  ])('of kind %s has among %i files %i that call v1', (density, files, callers) => {
    const { written, sources } = density === 'dense' ? dense : tree(density, files);
    expect(sources.size).toBe(files);
    expect(written.callers).toBe(callers);
    expect([...sources.values()].filter((text) => placesIn(text) > 0)).toHaveLength(callers);
  });

  it('holds as many calls as it says', () => {
    const { written, sources } = dense;
    expect([...sources.values()].reduce((sum, text) => sum + placesIn(text), 0)).toBe(written.calls);
  });

  it('parses in every file', () => {
    const parse = jscodeshift.withParser('tsx');
    for (const text of [...dense.sources.values()].slice(0, 200)) expect(() => parse(text)).not.toThrow();
  });

  it('imports only what its files export', () => {
    const { sources } = dense;
    const modules = new Map([...sources].map(([path, text]) => [path.replace(/\.\w+$/, ''), text]));
    for (const [path, text] of sources) {
      for (const [, names = '', specifier = ''] of text.matchAll(/^import \{ (.+) \} from '(\..+?)(?:\.jsx?|\.tsx?)?';$/gm)) {
        const target = modules.get(relative('.', join(dirname(path), specifier)));
        for (const name of names.split(', '))
          expect(target, `${specifier} of ${path}`).toMatch(new RegExp(`^export (async )?(function|const) ${name}\\b`, 'm'));
      }
    }
  });
});
