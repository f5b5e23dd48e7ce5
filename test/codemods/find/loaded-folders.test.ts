import { expect, test } from 'vitest';
import { loadedFolders } from '../../../codemods/find/modules/loaded-folders.ts';

test.each([
  ["register(autoload, { dir: path.join(__dirname, 'plugins') })", ['src/plugins/a.ts', 'src/plugins/b/c.ts']],
  ["register(autoload, { dir: join(import.meta.dirname, '..', 'routes') })", ['routes/d.ts']],
  ['register(autoload, { dir: `${__dirname}/plugins/b` })', ['src/plugins/b/c.ts']],
  ["register(autoload, { dir: __dirname + '/plugins/b' })", ['src/plugins/b/c.ts']],
  ["register(autoload, { dir: fileURLToPath(new URL('plugins/b', import.meta.url)) })", ['src/plugins/b/c.ts']],
  ['register(autoload, { dir: folder })', []],
  ["register(autoload, { dir: join(__dirname, 'plugins', kind) })", []],
  ["register(autoload, { dir: join(root, 'plugins') })", []],
  ["register(autoload, { dir: join(__dirname, 'plugins'), ignorePattern: /b/ })", []],
  ["const cache = resolve(__dirname, '..'); register(autoload, options); register(files, { dir: join(__dirname, '..') })", []],
])('a script that says %s loads %j', (text, files) => {
  const modules = new Set(['src/app.ts', 'src/plugins/a.ts', 'src/plugins/b/c.ts', 'src/pluginsOfOthers.ts', 'routes/d.ts']);
  const specifiers = new Map([
    ['src/app.ts', ['@fastify/autoload']],
    ['src/other.ts', ['autoload']],
  ]);
  expect([...loadedFolders({ specifiers, modules }, [/^@fastify\/autoload$/], () => text)]).toEqual([['src/app.ts', files]]);
});
