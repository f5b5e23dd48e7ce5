import { describe, expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { type Reach, reachOf as reachBy, withAmbient } from '../../../codemods/find/modules/ambient.ts';
import type { Imports } from '../../../codemods/find/components.ts';

const marks = clientRules.flatMap(({ ambient }) => ambient ?? []);
const reachOf = (text: string): Reach[] => reachBy(text, marks, new Map([['PAGE_API', new Set(['/v1'])]]));
const none: Imports = { of: new Map(), by: new Map() };
const proxy = `export default { server: { proxy: { '/v1': 'https://api.example.com' } } }`;

const reachedFrom = (
  files: Readonly<Record<string, string>>,
  manifests: readonly string[],
  suspects: readonly string[] = [],
): readonly string[] =>
  withAmbient(none, {
    suspects: new Set(suspects),
    reach: new Map(Object.entries(files).flatMap(([file, text]) => (reachOf(text).length > 0 ? [[file, reachOf(text)] as const] : []))),
    modules: new Set(Object.keys(files)),
    manifests,
    read: (file) => files[file] ?? '',
  }).reached;

describe('files that reach others without being imported', () => {
  test.each([
    ['a proxy', proxy, `fetch('/v1/contacts')`, `fetch('/v10/contacts')`],
    ['a proxy whose path a variable holds', proxy, 'fetch(process.env.PAGE_API)', 'fetch(process.env.OTHER_PAGE_API)'],
    ['an interceptor of Angular', 'class A implements HttpInterceptor {}', 'constructor(http: HttpClient) {}', `fetch('/a')`],
    ['an interceptor of axios', `import axios from 'axios'; axios.interceptors.request.use(add)`, `axios.get('/a')`, `got('/a')`],
    ['defaults of jQuery', '$.ajaxSetup({ headers })', `$.get('/a')`, `fetch('/a')`],
  ])('%s reaches only what it may decide for', (_kind, text, reached, other) => {
    expect(reachedFrom({ 'a.js': text, 'b.js': reached, 'c.js': other }, [])).toEqual(['b.js']);
  });

  test.each([
    ['map of settings', `export default { server: { proxy: { '^/v1/.*': { target } } } };`],
    ['list with contexts', `module.exports = { devServer: { proxy: [{ context: ['/other', '/v1/'], target }] } };`],
    ['file of nothing else', `module.exports = [{ context: ['/v1', '/api'], target: 'http://localhost:8080' }];`],
    ['middleware', `import { createProxyMiddleware } from 'http-proxy-middleware';\napp.use('/v1', createProxyMiddleware({ target }));`],
    ['filter', `const proxy = createProxyMiddleware({ target, pathFilter: '/v1/**' });`],
    ['rewrites', `export const rewrites = () => [{ source: '/v1/:path*', destination: url + '/:path*' }];`],
    ['route rules', `export default defineNuxtConfig({ routeRules: { '/v1/**': { proxy: url } } });`],
    ['path with a name', `const path = '/v1';\nexport default { server: { proxy: { [path]: { target } } } };`],
    ['list with a name', `const context = ['/v1'];\nexport default [{ context, target: 'https://api.example.com' }, { proxy: 1 }];`],
  ])('a proxy reaches who asks for its paths: %s', (_kind, text) => {
    expect(reachedFrom({ 'a.js': text, 'b.js': `fetch('/v1/contacts')` }, [])).toEqual(['b.js']);
  });

  test.each([
    ['settings of something else', `const config = { proxy: { enabled: true } };\nask('/v1/contacts');`],
    ['rules that rewrite something', `const { rewrites } = rule;\nexpect(rewrites).toEqual([{ key: 'body.model', url: '/v1/messages' }]);`],
    ['a command', `const proxy = start();\nrun('/v1/bin/security', ['-a']); switch (path) { case '/v1': break; }`],
    ['a sentence', `const proxy = { message: '/v1, which is old' };`],
  ])('who only speaks of a proxy reaches nobody: %s', (_kind, text) => {
    expect(reachedFrom({ 'a.js': text, 'b.js': `fetch('/v1/contacts')` }, [])).toEqual([]);
  });

  test('reach what is below their project, from wherever the run looks at it', () => {
    const call = `fetch('/v1/contacts')`;
    const files = { '../vite.config.js': proxy, 'a.js': call, '../test/b.js': call, '../../other/c.js': call };
    expect(reachedFrom(files, ['../package.json', '../../package.json'])).toEqual(['a.js', '../test/b.js']);
  });

  test('reach what is beside them also where the run looks at a folder elsewhere that has no manifest', () => {
    const files = { '../../app/vite.config.js': proxy, '../../app/a.js': `fetch('/v1/contacts')` };
    expect(reachedFrom(files, ['package.json'])).toEqual(['../../app/a.js']);
  });

  test('reach no other project', () => {
    const call = `fetch('/v1/contacts')`;
    const files = { 'web/vite.config.js': proxy, 'web/src/a.js': call, 'website/a.js': call, 'a.js': call };
    expect(reachedFrom(files, ['package.json', 'web/package.json'])).toEqual(['web/src/a.js']);
  });

  test('reach what they hold themselves where they say something of the service', () => {
    const files = { 'a.js': `$.ajaxSetup({ headers }); const ask = () => $.get('/a')` };
    expect([reachedFrom(files, []), reachedFrom(files, [], ['a.js'])]).toEqual([[], ['a.js']]);
  });

  // As large as only what is linear comes through in the time of a test.
  test('are told by one look at a text, however often it names what decides', () => {
    expect(reachOf('axios\n'.repeat(400_000))).toEqual([]);
  });

  test('are read only where there are any', () => {
    const read = (): string => {
      throw new Error('read');
    };
    expect(withAmbient(none, { reach: new Map(), suspects: new Set(), modules: new Set(['a.js']), manifests: [], read }).imports).toBe(
      none,
    );
  });

  test('are joined by way of one group where many decide for each other', () => {
    const names = Array.from({ length: 50 }, (_, index) => `${index}.js`);
    const reach = new Map(names.map((name) => [name, [{ mark: /axios/, reached: /axios/ }]]));
    const { imports, groups, reached } = withAmbient(none, {
      reach,
      suspects: new Set(),
      modules: new Set(names),
      manifests: [],
      read: () => 'axios',
    });
    const edges = [...imports.of.values(), ...imports.by.values(), ...groups.values()].flat();
    expect([reached.length, edges.length]).toEqual([50, 6 * 50]);
  });
});
