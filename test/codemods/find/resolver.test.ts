import { libraryHomes } from '../../../codemods/clients/library-homes.ts';
import { describe, expect, test } from 'vitest';
import { resolverOf } from '../../../codemods/find/modules/resolver.ts';
import { treeOf } from './tree.ts';

interface Case {
  /** Files by path; an object is written as JSON. */
  readonly files: Readonly<Record<string, string | object>>;
  readonly from?: string;
  readonly finds: Readonly<Record<string, string | undefined>>;
}

/** What the specifiers mean, of the scripts and JSON files among the given ones. */
function found({ files, from = 'src/main.ts', finds }: Case): Record<string, string | undefined> {
  const texts = Object.entries(files).map(
    ([path, content]) => [path, typeof content === 'string' ? content : JSON.stringify(content)] as const,
  );
  using tree = treeOf(Object.fromEntries(texts));
  const resolve = resolverOf(tree.root, new Set(Object.keys(files)), libraryHomes);
  return Object.fromEntries(Object.keys(finds).map((specifier) => [specifier, resolve(from, specifier)]));
}

const cases: Readonly<Record<string, Case>> = {
  'relative paths, with every extension and index files': {
    files: {
      'src/a.ts': '',
      'src/b.jsx': '',
      'src/c/index.mjs': '',
      'src/d.json': '',
      'e.cjs': '',
      'src/f.config.ts': '',
      'src/g.vue': '',
      'src/index.ts': '',
    },
    finds: {
      './a': 'src/a.ts',
      './a.ts': 'src/a.ts',
      './b': 'src/b.jsx',
      './c': 'src/c/index.mjs',
      './c/': 'src/c/index.mjs',
      './d.json': 'src/d.json',
      '../e': 'e.cjs',
      './f.config': 'src/f.config.ts',
      './g.vue?raw': 'src/g.vue',
      '.': 'src/index.ts',
      './missing': undefined,
      '../../a': undefined,
    },
  },
  'files that are built of others, where they are not there themselves': {
    files: { 'src/client.ts': '', 'nodes/a/routes.ts': '', 'dist/kept.js': '', 'src/kept.ts': '' },
    from: 'test/client.test.js',
    finds: {
      '../dist/client.js': 'src/client.ts',
      '../dist/esm/client.js': 'src/client.ts',
      '../build/nodes/a/routes.js': 'nodes/a/routes.ts',
      '../dist/kept.js': 'dist/kept.js',
      '../dist/missing.js': undefined,
    },
  },
  'names as they will be once built': {
    files: {
      'src/a.ts': '',
      'src/b.tsx': '',
      'src/c.mts': '',
      'src/d.cts': '',
      'src/e.ts': '',
      'src/e.js': '',
      'src/f.d.ts': '',
      'src/g.js': '',
      'src/g.d.ts': '',
    },
    finds: {
      './a.js': 'src/a.ts',
      './b.js': 'src/b.tsx',
      './b.jsx': 'src/b.tsx',
      './c.mjs': 'src/c.mts',
      './d.cjs': 'src/d.cts',
      './e.js': 'src/e.ts',
      './f.js': 'src/f.d.ts',
      './g.js': 'src/g.js',
    },
  },
  'for JavaScript first what is written': {
    files: { 'src/e.ts': '', 'src/e.js': '' },
    from: 'src/main.js',
    finds: { './e.js': 'src/e.js', './e': 'src/e.ts' },
  },
  'paths of the nearest tsconfig.json, with comments': {
    files: {
      'tsconfig.json':
        '{ /* x */ "compilerOptions": { "paths": { "@app/*": ["./src/*"], "@app/exact": ["./lib/exact.ts"], "cfg": ["./none", "./src/cfg"], }, } }',
      'src/a.ts': '',
      'lib/exact.ts': '',
      'src/exact.ts': '',
      'src/cfg/index.ts': '',
    },
    finds: { '@app/a': 'src/a.ts', '@app/exact': 'lib/exact.ts', cfg: 'src/cfg/index.ts', '@app/none': undefined },
  },
  'paths relative to baseUrl, and baseUrl alone': {
    files: {
      'tsconfig.json': { compilerOptions: { baseUrl: './src', paths: { '~lib/*': ['../lib/*'] } } },
      'src/api/a.ts': '',
      'lib/b.ts': '',
    },
    finds: { 'api/a': 'src/api/a.ts', '~lib/b': 'lib/b.ts', axios: undefined },
  },
  'paths of a configuration that is extended': {
    files: {
      'tsconfig.base.json': { compilerOptions: { paths: { '@x/*': ['./src/*'] } } },
      'src/tsconfig.json': { extends: '../tsconfig.base' },
      'src/a.ts': '',
    },
    finds: { '@x/a': 'src/a.ts' },
  },
  'paths of a configuration that is referred to': {
    files: {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.node.json' }, { path: './tsconfig.app.json' }] },
      'tsconfig.node.json': {},
      'tsconfig.app.json': { compilerOptions: { paths: { '@/*': ['./app/*'] } } },
      'app/a.ts': '',
    },
    finds: { '@/a': 'app/a.ts' },
  },
  'nothing, and for ever, where configurations extend each other': {
    files: { 'tsconfig.json': { extends: './tsconfig.json' }, 'src/a.ts': '' },
    finds: { './a': 'src/a.ts', '@x/a': undefined },
  },
  'paths of jsconfig.json': {
    files: { 'jsconfig.json': { compilerOptions: { paths: { '@/*': ['./app/*'] } } }, 'app/a.js': '' },
    finds: { '@/a': 'app/a.js' },
  },
  'imports of the own package': {
    files: {
      'package.json': { imports: { '#config': './src/config.js', '#api/*': { types: './x.d.ts', default: './src/api/*.js' } } },
      'src/config.ts': '',
      'src/api/a.ts': '',
    },
    finds: { '#config': 'src/config.ts', '#api/a': 'src/api/a.ts', '#none': undefined },
  },
  'packages of the same repository, by their sources': {
    files: {
      'packages/api/package.json': { name: '@acme/api', main: './dist/index.js' },
      'packages/api/src/index.ts': '',
      'packages/api/src/client.ts': '',
      'packages/util/package.json': { name: 'util-x', exports: { '.': { import: './lib/main.mjs' }, './*': './lib/*.mjs' } },
      'packages/util/lib/main.mjs': '',
      'packages/util/lib/deep.mjs': '',
      'packages/bare/package.json': { name: 'bare', exports: './entry.js' },
      'packages/bare/entry.js': '',
    },
    finds: {
      '@acme/api': 'packages/api/src/index.ts',
      '@acme/api/client': 'packages/api/src/client.ts',
      'util-x': 'packages/util/lib/main.mjs',
      'util-x/deep': 'packages/util/lib/deep.mjs',
      bare: 'packages/bare/entry.js',
      '@acme/other': undefined,
    },
  },
  'folders that package.json gives a name': {
    files: {
      'package.json': { dependencies: { core: 'file:./engine', kit: 'link:kit', gone: 'file:../gone', packed: 'file:./packed.tgz' } },
      'engine/package.json': { name: '@acme/engine' },
      'engine/http/client.ts': '',
      'kit/package.json': { main: 'dist/index.js' },
      'kit/src/index.ts': '',
    },
    finds: { 'core/http/client': 'engine/http/client.ts', kit: 'kit/src/index.ts', gone: undefined, packed: undefined },
  },
  'what bundlers agree on, where nothing says otherwise': {
    files: { 'package.json': {}, 'src/a.ts': '', 'src/lib/b.ts': '', 'c.ts': '' },
    finds: { '@/a': 'src/a.ts', '~/c': 'c.ts', '$lib/b': 'src/lib/b.ts' },
  },
  'a path from the root or its src, without a configuration': {
    files: { 'package.json': { dependencies: { lib: '1' } }, 'src/environments/prod.ts': '', 'src/core/key.ts': '', 'lib/own.ts': '' },
    finds: {
      'src/environments/prod': 'src/environments/prod.ts',
      'core/key': 'src/core/key.ts',
      'core/other': undefined,
      'lib/own': undefined,
      core: undefined,
    },
  },
  "the only file of a name in Lambda's layers": {
    files: {
      'layers/a/nodejs/a.ts': '',
      'layers/a/nodejs/b.js': '',
      'layers/b/nodejs/b.js': '',
      'c.js': '',
      'nodejs/lib/index.js': '',
      'template.yaml': 'Resources:\n  Deps:\n    Properties:\n      ContentUri: shared/\n',
      'shared/nodejs/j.js': '',
      'clients/nodejs/k.js': '',
      'layers/built/d.js': '',
      'auth-layer/e.mjs': '',
      'nodejs/f.js': '',
      'layers/built/f.js': '',
      'examples/nodejs/g.js': '',
      'test/nodejs/h.js': '',
      'player/i.js': '',
    },
    finds: {
      '/opt/nodejs/d': 'layers/built/d.js',
      '/opt/nodejs/e.mjs': 'auth-layer/e.mjs',
      '/opt/nodejs/f': undefined,
      '/opt/nodejs/g': undefined,
      '/opt/nodejs/h': undefined,
      '/opt/nodejs/i': undefined,
      '/opt/nodejs/a': 'layers/a/nodejs/a.ts',
      '/opt/nodejs/a.js': 'layers/a/nodejs/a.ts',
      '/opt/nodejs/b': undefined,
      '/opt/nodejs/c': undefined,
      '/opt/nodejs/lib': undefined,
      '/opt/nodejs/j': 'shared/nodejs/j.js',
      '/opt/nodejs/k': undefined,
    },
  },
  "folders that Jest's configuration names, but none that stand in for others, and no single modules": {
    files: {
      'package.json': {
        jest: {
          rootDir: 'src',
          moduleNameMapper: {
            '^~util/(.*)$': ['<rootDir>/util/$1', '<rootDir>/other/$1'],
            '^\\.models/(.+)\\.js$': '<rootDir>/models/$1',
            '^fakes/(.*)$': '<rootDir>/../test/fakes/$1',
            '^single$': '<rootDir>/single.js',
          },
        },
      },
      'src/util/a.ts': '',
      'src/models/b.js': '',
      'test/fakes/c.js': '',
      'src/single.js': '',
    },
    finds: { '~util/a': 'src/util/a.ts', '.models/b.js': 'src/models/b.js', 'fakes/c': undefined, single: undefined },
  },
  "single modules that Jest's configuration names, from tests alone": {
    from: 'src/main.test.ts',
    files: {
      'package.json': { dependencies: { asked: '1' } },
      'jest.config.ts': String.raw`export default { moduleNameMapper: {
        '^@single$': '<rootDir>/src/single', '^asked$': '<rootDir>/src/single', open: '<rootDir>/src/single',
        '^@lib/(.*)$': '<rootDir>/built/$1', '^@lib/single$': '<rootDir>/src/single', '^\.server\.js$': ['<rootDir>/test/server'],
      } };`,
      'src/single.ts': '',
      'test/server.ts': '',
    },
    finds: { '@single': 'src/single.ts', asked: undefined, open: undefined, '@lib/single': undefined, '.server.js': 'test/server.ts' },
  },
  'what a pattern of a bundler begins with': {
    files: {
      'package.json': {},
      'vitest.config.ts': String.raw`export default { resolve: { alias: [
        { find: /^\/opt\/(.*)$/, replacement: resolve(__dirname, 'layer/$1') },
        { find: /^~lib\//, replacement: '/lib/' },
        { find: /^virtual:(.*)\?raw$/, replacement: '/raw/$1' },
      ] } };`,
      'layer/a.ts': '',
      'lib/b.ts': '',
      'raw/c.ts': '',
    },
    finds: { '/opt/a': 'layer/a.ts', '~lib/b': 'lib/b.ts', 'virtual:c?raw': undefined },
  },
  'nothing where a manifest or a configuration is broken': {
    files: { 'package.json': '[1', 'tsconfig.json': 'null', 'src/a.ts': '' },
    finds: { './a': 'src/a.ts', '#x': undefined, x: undefined },
  },
};

describe('a specifier is resolved to', () => {
  test.each(Object.entries(cases))('%s', (_, each) => {
    expect(found(each)).toEqual(each.finds);
  });
});

test('files outside of the working directory resolve among themselves', () => {
  using tree = treeOf({ 'lib/a.ts': '', 'lib/b.ts': '' });
  expect(resolverOf(tree.at('app'), new Set(['../lib/a.ts', '../lib/b.ts']), libraryHomes)('../lib/a.ts', './b')).toBe('../lib/b.ts');
});

test('a file beside the working directory finds one within it', () => {
  using tree = treeOf({ 'src/a.ts': '', 'test/b.ts': '' });
  const resolve = resolverOf(tree.at('src'), new Set(['a.ts', '../test/b.ts']), libraryHomes);
  expect([resolve('../test/b.ts', '../src/a.ts'), resolve('a.ts', '../test/b')]).toEqual(['a.ts', '../test/b.ts']);
});
