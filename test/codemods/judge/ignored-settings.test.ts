import { expect, test } from 'vitest';
import { walk } from '../../../codemods/find/walk.ts';
import { withIgnoredSettings } from '../../../codemods/judge/passes/ignored-settings.ts';
import { treeOf } from '../find/tree.ts';

const base = 'https://api.example.com';
const bases = { v1: [base], v2: base, env: new Set<string>() };
const settings = `texts:\n  url: ${base}/v1\nother:\n  url: https://other.example/v1\n`;

test('names an address of ours in settings that git ignores, unless they are named, left alone, or below a folder that is ignored', () => {
  using tree = treeOf();
  tree.write('.gitignore', '/resources/*.yaml\n/data/\n*.json\n');
  tree.write('.migrate-v2-ignore', 'left.json\n');
  for (const path of ['resources/a.yaml', 'resources/b.yaml', 'data/c.yaml', 'left.json']) tree.write(path, settings);
  tree.write('dump.json', settings.repeat(2_000));
  const walked = walk({ cwd: tree.root, paths: ['.', 'resources/b.yaml'] });
  const { findings } = withIgnoredSettings({ findings: [] }, walked, bases);
  expect(findings.map(({ code, file, line, detail }) => ({ code, file, line, detail }))).toStrictEqual([
    { code: 'unconsumed', file: 'resources/a.yaml', line: 2, detail: { how: 'ignored' } },
  ]);
});

test('says nothing where there are none', () => {
  const plan = { findings: [] };
  expect(withIgnoredSettings(plan, { cwd: '.', ignored: [] }, bases)).toBe(plan);
});
