/** The maps of the house: what they name is there. Their links are looked up with those of all documents. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/build.ts';

const maps = ['AGENTS.md', 'CONTRIBUTING.md', ...globSync('{proxy,codemods,src,src/*,test}/README.md', { cwd: projectRoot })];

/** Words of code that are paths: with a folder or an extension, and no path of a URL. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)]
    .flatMap(([, code = '']) => code.split(' '))
    .filter((word) => /^[\w.][^*…]*(?:\/|\.(?:ts|js|json|md|ya?ml|yml))/.test(word));

describe('the maps', () => {
  it('are one for each room', () => {
    expect(maps.toSorted()).toEqual([
      'AGENTS.md',
      'CONTRIBUTING.md',
      'codemods/README.md',
      'proxy/README.md',
      'src/README.md',
      'src/report/README.md',
      'src/sandbox/README.md',
      'src/usage/README.md',
      'test/README.md',
    ]);
  });

  it.each(maps)('%s names only what is there, seen from its folder, the root, or the folder that the line names', (map) => {
    const text = readFileSync(join(projectRoot, map), 'utf8');
    // What CONTRIBUTING says of the codemods begins beneath their folder.
    const folders = map === 'CONTRIBUTING.md' ? ['', 'codemods'] : [dirname(map)];
    const missing = text.split('\n').flatMap((line) => {
      const paths = pathsIn(line);
      const named = ['', ...paths.filter((path) => path.endsWith('/'))];
      const from = ['', ...folders.flatMap((folder) => named.map((path) => join(folder, path)))];
      return paths.filter((path) => !from.some((base) => existsSync(join(projectRoot, base, path))));
    });
    expect(missing).toEqual([]);
    expect(pathsIn(text).length).toBeGreaterThan(5);
  });

  it('and CONTRIBUTING says of files only what they have', () => {
    const text = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
    const files = globSync(['*/**/*.ts', '.ci/*.ts'], { cwd: projectRoot, exclude: (path) => path.includes('node_modules') });
    const said = [...text.matchAll(/((?:`\w+`(?:,| and) )*`\w+`) of `([\w./-]+\.ts)`/g)].flatMap(([, names = '', path = '']) =>
      names.split(/,? (?:and )?/).map((name) => ({ name: name.replaceAll('`', ''), path })),
    );
    const isThere = ({ name, path }: { readonly name: string; readonly path: string }): boolean =>
      files.some(
        (file) => `/${file}`.endsWith(`/${path}`) && new RegExp(`\\b${name}\\b`).test(readFileSync(join(projectRoot, file), 'utf8')),
      );
    expect(said.filter((each) => !isThere(each))).toEqual([]);
    expect(said.length).toBeGreaterThan(20);
  });

  it.each(maps)('%s is no longer than a page, and CONTRIBUTING than two, with no wall of text among its rows', (map) => {
    const lines = readFileSync(join(projectRoot, map), 'utf8').split('\n');
    expect(lines.length).toBeLessThanOrEqual(map === 'CONTRIBUTING.md' ? 132 : 66);
    expect(lines.filter((line) => line.length > 620)).toEqual([]);
  });

  it('and the comments of the code, and the documents, name only sources that are there', () => {
    const at = { cwd: projectRoot };
    const sources = globSync('{src,proxy,codemods,bench,examples,test}/**/*.ts', {
      ...at,
      exclude: (path) => path.includes('node_modules'),
    });
    const names = new Set([...sources, 'vitest.config.ts', 'knip.ts'].map((path) => basename(path)));
    const texts = [...globSync('{src,proxy,codemods,bench}/**/*.ts', at), ...globSync('{docs,docs/architecture,bench,codemods}/*.md', at)];
    const missing = texts.flatMap((path) => {
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const prose = path.endsWith('.md') ? text : (text.match(/^ *(?:\/\/|\/?\*).*/gm)?.join('\n') ?? '');
      return [...prose.matchAll(/(?<![\w./-])[\w/-]+\.ts\b(?!`?\w)/g)].flatMap(([named]) =>
        names.has(basename(named)) ? [] : [`${path}: ${named}`],
      );
    });
    expect(missing).toEqual([]);
  });
});
