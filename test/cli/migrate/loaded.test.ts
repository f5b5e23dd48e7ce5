import { describe, expect, test } from 'vitest';
import { loadedBy } from './loaded.ts';
import { base, clean, workspace } from './workspace.ts';

const packageOf = (url: string): string | undefined => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
const parsers = ['ts-morph', '@ts-morph/common', 'typescript', 'jscodeshift', 'recast', '@babel/parser', 'flow-parser'];
const own = (loaded: readonly string[]): string[] => loaded.filter((url) => url.includes('/codemods/') && !url.includes('node_modules'));
/** Plain tables of names stand beside the rules; the registry has all rules, and what evaluates asks them. */
const rules = /\/codemods\/(?:clients\/registry|evaluate\/evaluate)\./;

describe('what a command line loads', () => {
  test.each([[['--help']], [['proxy', '--help']], [['--version']]])('%j: nothing of the codemods', async (args) => {
    const { code, loaded } = await loadedBy(workspace({}), args);
    expect(code).toBe(0);
    expect(own(loaded)).toEqual([]);
    expect(loaded.map(packageOf)).not.toContain('pino');
  });

  test('--check of a tree without v1: neither a parser nor the rules nor what asks questions', async () => {
    const files = {
      'src/a.ts': 'export const a: number = 1;\n',
      'src/b.js': "import './a.ts';\n",
      'README.md': '# It\n',
      'data.json': '{}\n',
    };
    const { code, loaded } = await loadedBy(workspace(files), ['src', 'README.md', 'data.json', '--check', '--v1-base', base]);
    expect(code).toBe(0);
    expect(own(loaded)).not.toEqual([]);
    expect(own(loaded).filter((url) => rules.test(url))).toEqual([]);
    const packages = new Set(loaded.map(packageOf));
    for (const heavy of [...parsers, '@clack/prompts', 'pino', 'undici', 'http-proxy-3']) expect([...packages]).not.toContain(heavy);
  });

  test('--check of a tree with v1: a parser and the rules, so that the tests above say something', async () => {
    const { code, loaded } = await loadedBy(workspace({ 'src/list.js': clean }), ['src', '--check', '--v1-base', base]);
    expect(code).toBe(1);
    expect(loaded.map(packageOf)).toContain('@ts-morph/common');
    expect(own(loaded).filter((url) => rules.test(url))).toHaveLength(2);
  });
});
