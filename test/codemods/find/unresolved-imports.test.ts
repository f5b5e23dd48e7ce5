import { describe, expect, test } from 'vitest';
import { isOffered } from '../../../codemods/clients/offered-names.ts';
import { importersBy, offerOf, unresolvedImports } from '../../../codemods/find/modules/unresolved-imports.ts';
import { importsIn } from '../../../codemods/find/modules/imports.ts';
import { treeOf } from './tree.ts';

const manifest = JSON.stringify({ name: 'shop', dependencies: { '@acme/client': '^2.0.0', '@acme/base': 'workspace:*' } });

/** What a file imports that leads to no file and seems to be of the project. */
function importsOf(text: string, lock = ''): { readonly names: readonly string[]; readonly from: string | undefined }[] {
  using tree = treeOf({ 'package.json': manifest, 'bun.lock': lock, 'app/main.ts': text });
  const scan = { modules: new Set(['app/main.ts']), imports: new Map([['app/main.ts', importsIn(text)]]) };
  const found = unresolvedImports(
    { cwd: tree.root, names: new Map() },
    scan,
    () => undefined,
    () => text,
    () => new Set(text.match(/[#\w$]+/g)),
    isOffered,
  );
  return found.map(({ names, from }) => ({ names: [...names], from }));
}

describe('an import that leads to no file', () => {
  test.each([
    ["import { createClient as make, type Options } from '@/lib/client';", ['createClient'], undefined],
    ["import {\n  a,\n  b,\n} from '~lib/client.js';", ['a', 'b'], undefined],
    ["import Client from '#client';", ['Client'], '#client'],
    ["import * as api from '@acme/base';", [], 'base'],
    ["const { create: make } = require('@acme/other');", ['create'], undefined],
    ["const client = (await import('shop/client')).client;", [], 'client'],
    ["export { create } from 'undeclared';", ['create'], undefined],
  ])('seems to be of the project: %s', (text, names, from) => {
    expect(importsOf(text)).toEqual([{ names, from }]);
  });

  test.each([
    "import { createClient } from '@acme/client';",
    "import { test } from 'vitest';",
    "import { request } from 'node:https';",
    "import { request } from 'https';",
    "import { createClient } from 'npm:@acme/other';",
    "import { env } from '$env/dynamic/private';",
    "import type { Client } from '@/lib/client';",
    "import { helper } from './helper';",
  ])("is somebody else's, or no use of anything: %s", (text) => {
    expect(importsOf(text)).toEqual([]);
  });

  test.each([
    ['of another package, which brought it along', `"brought": ["brought@3.6.1", "", {}]`, []],
    ['of the project, which lies in it', `"brought": ["brought@workspace:packages/brought"]`, ['create']],
    ['of the project, where another is locked', `"brought-along": ["brought-along@1.0.0"]`, ['create']],
  ])('is %s', (_title, lock, names) => {
    expect(importsOf("import { create } from 'brought';", lock).flatMap((each) => each.names)).toEqual(names);
  });

  test.each([
    ['of a package of the workspace that has code', 'index.ts', {}, ['calendar']],
    ['of one that has its code elsewhere', 'biome.json', { main: '../shared/dates.ts' }, ['calendar']],
    ['of another package, where that of the workspace is nothing but its settings', 'biome.json', {}, []],
  ])('is %s', (_title, file, more, names) => {
    using tree = treeOf({
      'apps/web/package.json': JSON.stringify({ name: 'web', dependencies: { dates: '^1.0.0' } }),
      'packages/dates/package.json': JSON.stringify({ name: 'dates', version: '0.0.0', ...more }),
    });
    const text = "import calendar from 'dates/plugin/calendar';";
    const found = unresolvedImports(
      { cwd: tree.root, names: new Map() },
      { modules: new Set(['apps/web/main.ts', `packages/dates/${file}`]), imports: new Map([['apps/web/main.ts', importsIn(text)]]) },
      () => undefined,
      () => text,
      () => new Set(['calendar']),
      isOffered,
    );
    expect(found.flatMap((each) => [...each.names])).toEqual(names);
  });

  test('is looked for in each file once, however many it has', () => {
    const specifiers = ['@/a', '@/b', '@/c'];
    const text = specifiers.map((specifier, index) => `import { a${index} } from '${specifier}';`).join('\n');
    const files = ['app/one.ts', 'app/other.ts'];
    using tree = treeOf({ 'package.json': manifest });
    const read: string[] = [];
    const found = unresolvedImports(
      { cwd: tree.root, names: new Map() },
      { modules: new Set(files), imports: new Map(files.map((file) => [file, importsIn(text)])) },
      () => undefined,
      (file) => {
        read.push(file);
        return text;
      },
      () => new Set(['a0', 'a1', 'a2']),
      isOffered,
    );
    expect(found.map(({ file, line, names }) => [file, line, ...names])).toEqual(
      files.flatMap((file) => [1, 2, 3].map((line) => [file, line, `a${line - 1}`])),
    );
    expect(read).toEqual(files);
  });

  test('is not looked for where nothing is taken that anybody offers', () => {
    const texts = new Map([
      ['app/one.ts', "import { useState } from '@/react';"],
      ['app/other.ts', "import { create } from '@/react';"],
    ]);
    using tree = treeOf({ 'package.json': manifest });
    const read: string[] = [];
    unresolvedImports(
      { cwd: tree.root, names: new Map() },
      { modules: new Set(texts.keys()), imports: new Map([...texts].map(([file, text]) => [file, importsIn(text)])) },
      () => undefined,
      (file) => {
        read.push(file);
        return texts.get(file) ?? '';
      },
      () => new Set(['create']),
      isOffered,
    );
    expect(read).toEqual(['app/other.ts']);
  });

  test('means what a file exports by such a name, or is called as the import ends', () => {
    const named = { file: 'app/main.ts', start: 0, end: 0, line: 1, names: new Set(['create']), from: undefined };
    const whole = { ...named, names: new Set<string>(), from: 'client' };

    expect(importersBy([named])('lib/a.ts', offerOf('lib/a.ts', 'export abstract class create {}'))).toBe(named);
    expect(importersBy([named])('lib/a.js', offerOf('lib/a.js', 'module.exports = { make, create };'))).toBe(named);
    expect(importersBy([named])('lib/a.js', offerOf('lib/a.js', 'exports.create = () => 1;'))).toBe(named);
    expect(importersBy([named])('lib/create.ts', offerOf('lib/create.ts', 'export const other = 1;'))).toBeUndefined();
    expect(importersBy([whole])('packages/client/src/index.ts', offerOf('packages/client/src/index.ts', ''))).toBe(whole);
    expect(importersBy([whole])('packages/clients/src/index.ts', offerOf('packages/clients/src/index.ts', ''))).toBeUndefined();
    expect(importersBy([named])(named.file, offerOf(named.file, 'exports.create = () => 1;'))).toBeUndefined();
  });
});
