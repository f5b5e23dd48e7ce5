/** Git itself is the oracle of what is ignored; ASCII names, as its `?` is a byte and the library's a character. */
import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { walk } from '../../../codemods/find/walk.ts';
import { treeOf } from './tree.ts';
import { needs } from '../../helpers/tools.ts';

const name = fc.constantFrom('a', 'b', 'lib', 'x y', '.c');
const file = fc.constantFrom('a.ts', 'b.ts', 'b.js', '[c].ts', '!d.ts', '#e.ts', ' f.ts');
const folder = fc.array(name, { maxLength: 3 });
const path = fc.tuple(folder, file).map(([folders, last]) => [...folders, last].join('/'));

const pattern = fc
  .record({
    negated: fc.boolean(),
    rooted: fc.boolean(),
    parts: fc.array(
      fc.oneof(name, file, fc.constantFrom('*', '**', '?', '*.ts', 'a*', '[ab].ts', '[!a].ts', '\\#e.ts', '\\!d.ts', '\\[c].ts')),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    forFolders: fc.boolean(),
  })
  .map(({ negated, rooted, parts, forFolders }) => `${negated ? '!' : ''}${rooted ? '/' : ''}${parts.join('/')}${forFolders ? '/' : ''}`);
const rules = fc.array(fc.tuple(folder, fc.array(pattern, { minLength: 1, maxLength: 4 })), { maxLength: 4 });

test('the walk lists exactly the files that git does not ignore', needs('git'), () => {
  using tree = treeOf();
  tree.git('init', '-q');
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { minLength: 3, maxLength: 12 }),
      rules,
      fc.array(pattern, { maxLength: 2 }),
      (paths, rules, excluded) => {
        for (const path of paths) tree.write(path);
        for (const [at, lines] of rules) tree.write([...at, '.gitignore'].join('/'), lines.join('\n'));
        tree.write('.git/info/exclude', excluded.join('\n'));
        const ours = walk({ cwd: tree.root, paths: ['.'] }).files.map((found) => found.path);
        const theirs = tree
          .git('ls-files', '-z', '--others', '--exclude-standard')
          .split('\0')
          .filter((line) => /[jt]s$/.test(line));
        for (const top of ['a', 'b', 'lib', 'x y', '.c', '.gitignore', ...paths]) rmSync(tree.at(top), { recursive: true, force: true });
        expect(ours).toEqual(theirs.toSorted());
      },
    ),
    { numRuns: 80 },
  );
});
