import { describe, expect, it } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { parsedFile } from '../../../codemods/evaluate/module.ts';
import { outlineOf } from '../../../codemods/component/relevance/outline.ts';
import type { Place } from '../../../codemods/component/relevance/relevance-slice.ts';
import { sliceOf, sliced, suspicious } from '../helpers/slices.ts';

const engines = await loadEngines();

const client = "import axios from 'axios';\nexport const client = axios.create();";
const caller = "import { client } from './client.js';\nexport const list = () => client.get('/v1/messages');";

const programs: readonly {
  readonly title: string;
  readonly files: Record<string, string>;
  readonly candidates: readonly string[];
  readonly left: readonly string[];
}[] = [
  {
    title: 'leaves a neighbour alone that only stands in the same file',
    files: {
      'a.js': "import { help } from './b.js';\nexport const list = () => fetch('/v1/messages');\nexport const other = () => help();",
      'b.js': 'export const help = () => 1;',
      'c.js': "import { other } from './a.js';\nother();",
    },
    candidates: ['a.js'],
    left: ['b.js', 'c.js'],
  },
  {
    title: 'takes what uses a suspicious name, under whatever name and through whatever file',
    files: {
      'a.js': "export const list = () => fetch('/v1/messages');",
      'index.js': "export { list as all } from './a.js';",
      'star.js': "export * from './index.js';",
      'whole.js': "import * as api from './star.js';\napi.all();",
      'late.js': "export const load = async () => (await import('./star.js')).all();",
      'old.cjs': "const api = require('./star.js');\nmodule.exports = () => api.all();",
      'older.cjs': "require('./old.cjs')();",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'takes what a suspicious call is made of, and nothing beside it',
    files: {
      'a.js':
        "import { join } from './join.js';\nimport { log } from './log.js';\nexport const list = () => fetch(join('/v1/messages'));\nlog();",
      'join.js': "import { host } from './host.js';\nexport const join = (path) => host + path;\nexport const idle = 1;",
      'host.js': 'export const host = process.env.HOST;',
      'log.js': 'export const log = () => {};',
    },
    candidates: ['a.js'],
    left: ['log.js'],
  },
  {
    title: 'takes who deletes a header of what a call is made of',
    files: {
      'a.js': "import { shared } from './shared.js';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.js': 'export const shared = make();',
      'header.js': "import { shared } from './shared.js';\nexport const without = () => {\n  shared.headers.delete(name);\n};",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'leaves who has a service or a database delete something',
    files: {
      'a.js': "import { shared } from './shared.js';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.js': 'export const shared = make();',
      'awaited.js': "import { shared } from './shared.js';\nexport const remove = async (id) => {\n  await shared.delete(id);\n};",
      'chained.js':
        "import { shared } from './shared.js';\nexport const drop = (id) =>\n  shared\n    .delete(table(id, of(id)))\n    .where(equals(id));",
    },
    candidates: ['a.js'],
    left: ['awaited.js', 'chained.js'],
  },
  {
    title: 'leaves tests alone that say nothing of what they run',
    files: {
      'api.js': "export const list = () => fetch('/v1/messages');",
      'app.js': "import { list } from './api.js';\nexport const count = async () => (await list()).length;",
      'app.test.js': "import { count } from './app.js';\nexpect(await count()).toBe(1);",
    },
    candidates: ['api.js'],
    left: ['app.test.js'],
  },
  {
    title: 'takes tests that hold part of a path, that others import, and that run what may be edited itself',
    files: {
      'api.js': "export const list = (path) => fetch('/v1/' + path);",
      'app.js': "import { list } from './api.js';\nexport const count = async (path) => (await list(path)).length;",
      'part.test.js': "import { count } from './app.js';\nexpect(await count('/messages')).toBe(1);",
      'shared.test.js': "import { count } from './app.js';\nexport const counted = (path) => count(path);",
      'part-by-shared.test.js': "import { counted } from './shared.test.js';\nexpect(await counted('/messages')).toBe(1);",
      'api.test.js': "import { list } from './api.js';\nexpect((await list('')).length).toBe(1);",
    },
    candidates: ['api.js'],
    left: [],
  },
  {
    title: 'takes everybody who uses the same client',
    files: {
      'client.js': client,
      'a.js': caller,
      'b.js': "import { client } from './client.js';\nclient.get('https://other.example.org');",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'takes who changes an object that a suspicious call reads',
    files: {
      'config.js': 'export const config = { base: process.env.HOST };',
      'a.js': "import { config } from './config.js';\nexport const list = () => fetch(config.base + '/v1/messages');",
      'b.js': "import { config } from './config.js';\nconfig.base = 'https://other.example.org';",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'leaves others alone that write to what is called the same, and is their own or that of a third file',
    files: {
      'config.js': 'export const config = { base: process.env.HOST };\nexport const other = 1;',
      'third.js': 'export const config = {};',
      'a.js': "import { config } from './config.js';\nexport const list = () => fetch(config.base + '/v1/messages');",
      'b.js': "import { other } from './config.js';\nexport const init = (config) => { config.base = other; };",
      'c.js': "import { other } from './config.js';\nimport { config } from './third.js';\nconfig.base = other;",
      'd.js': "import { config, other } from './config.js';\nexport const init = (config) => { config.base = other; };",
      'e.js': "const { config } = require('./third.js');\nrequire('./config.js');\nconfig.base = 1;",
    },
    candidates: ['a.js'],
    left: ['third.js', 'b.js', 'c.js', 'd.js', 'e.js'],
  },
  {
    title: 'takes who changes an object that it requires',
    files: {
      'config.js': 'export const config = { base: process.env.HOST };',
      'a.js': "import { config } from './config.js';\nexport const list = () => fetch(config.base + '/v1/messages');",
      'b.js': "const { config } = require('./config.js');\nconfig.base = 'https://other.example.org';",
      'c.js': "export const init = () => { const { config } = require('./config.js'); config.base = 'https://other.example.org'; };",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'leaves others alone that read an object which a suspicious call reads',
    files: {
      'config.js': 'export const config = { base: process.env.HOST };',
      'a.js': "import { config } from './config.js';\nexport const list = () => fetch(config.base + '/v1/messages');",
      'b.js': "import { config } from './config.js';\nconsole.log(config.base);",
    },
    candidates: ['a.js'],
    left: ['b.js'],
  },
  {
    title: 'takes who uses what a suspicious statement has written to',
    files: {
      'headers.js': 'export const headers = {};',
      'a.js': "import { headers } from './headers.js';\nexport const init = () => { headers['x-api-key'] = 'k'; };",
      'b.js': "import { headers } from './headers.js';\nfetch('https://other.example.org', { headers });",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'takes a table of paths that a caller of a suspicious function hands over, and who else uses it',
    files: {
      'paths.js': "export const paths = { messages: '/messages' };",
      'ask.js': "export const ask = (path) => fetch('https://api.example.com/v1' + path, { headers: { 'x-api-key': 'k' } });",
      'a.js': "import { ask } from './ask.js';\nimport { paths } from './paths.js';\nask(paths.messages);",
      'b.js': "import { paths } from './paths.js';\nconsole.log(paths.messages);",
    },
    candidates: ['ask.js'],
    left: [],
  },
  {
    title: 'takes a file that a person may have to be told of',
    files: {
      'a.js': "import './limits.js';\nexport const list = () => fetch('/v1/messages');",
      'limits.js': 'export const requestsPerMinute = 60;',
    },
    candidates: ['a.js'],
    left: [],
  },
];

const far: typeof programs = [
  {
    title: 'what it is made of, and who uses it for a request, beside those who only call what does',
    files: {
      'key.js': "export const headers = { 'x-api-key': 'k' };",
      'ask.js': "import { headers } from './key.js';\nexport const ask = () => fetch('/users', { headers });",
      'page.js': "import { ask } from './ask.js';\nexport const page = () => ask();",
      'app.js': "import { page } from './page.js';\npage();",
    },
    candidates: ['key.js'],
    left: ['page.js', 'app.js'],
  },
  {
    title: 'where it goes, and no file that has nothing to say of that',
    files: {
      'a.js':
        "import { base } from './base.js';\nimport { log } from './log.js';\nexport const list = () => log(fetch(base + '/v1/messages'));",
      'base.js': "export const base = 'https://other.example.org';",
      'log.js': 'export const log = (value) => value;',
    },
    candidates: ['a.js'],
    left: ['log.js'],
  },
];

const used: typeof programs = [
  {
    title: 'what a function of a file that makes requests is made of, beside who else calls it',
    files: {
      'http.js': "import axios from 'axios';\nexport const get = (url) => axios.create().get(url);",
      'a.js': "import { get } from './http.js';\nget('/v1/messages');",
      'b.js': "import { get } from './http.js';\nget('/users');",
    },
    candidates: ['a.js'],
    left: ['b.js'],
  },
  {
    title: 'who uses a client that such a function hands out',
    files: {
      'http.js':
        "import axios from 'axios';\nconst client = axios.create();\nexport const own = () => client;\nexport const get = (url) => client.get(url);",
      'a.js': "import { own } from './http.js';\nown().get('/v1/messages');",
      'b.js': "import { get } from './http.js';\nget('/users');",
    },
    candidates: ['a.js'],
    left: [],
  },
  {
    title: 'who uses a function that holds something',
    files: {
      'http.js': 'export const get = (url) => fetch(url, { headers: get.headers });\nget.headers = {};',
      'a.js': "import { get } from './http.js';\nimport { sign } from './sign.js';\nsign(get);\nget('/v1/messages');",
      'sign.js': "export const sign = (ask) => { ask.headers['x-api-key'] = 'k'; };",
      'b.js': "import { get } from './http.js';\nget('/users');",
    },
    candidates: ['a.js', 'sign.js'],
    left: [],
  },
  {
    title: 'nothing for a type, a word in a text or the name of a property',
    files: {
      'a.ts':
        "import type { Url } from './types.ts';\nimport { log } from './log.ts';\n/** Like log. */\nexport const list = (log: Url) => fetch('/v1/messages', { log });",
      'types.ts': "import axios from 'axios';\nexport type Url = string;\nexport const other = axios.create();",
      'log.ts': 'export const log = () => {};',
    },
    candidates: ['a.ts'],
    left: ['types.ts', 'log.ts'],
  },
];

describe('of a component only the files are looked at that names lead to', () => {
  it.each(programs)('$title', ({ files, candidates, left }) => {
    expect(sliced(files, candidates)).toEqual(Object.keys(files).filter((file) => !left.includes(file)));
  });

  it.each(used)('looks for $title', ({ files, candidates, left }) => {
    expect(sliced(files, candidates)).toEqual(Object.keys(files).filter((file) => !left.includes(file)));
  });

  it.each(far)('far from a base looks at $title', ({ files, candidates, left }) => {
    expect(sliced(files, candidates, () => false)).toEqual(Object.keys(files).filter((file) => !left.includes(file)));
  });

  it('takes along what is advised on, the nearest first, up to a megabyte, and what is reported in any case', () => {
    const advised = `export const perMinute = 1; // ${' '.repeat(600_000)}`;
    const files = {
      'far.js': `${advised}\nimport './used.js';`,
      'farther.js': `${advised}\nimport './far.js';`,
      'near.js': `${advised}\nimport './a.js';`,
      'used.js': advised,
      'a.js': "import './used.js';\nexport const list = () => fetch('/v1/messages');",
      'test.js': 'standIn();',
      'other.js': 'other();',
    };
    expect(sliced(files, ['a.js'])).toEqual(['near.js', 'used.js', 'a.js', 'test.js']);
  });

  it.each([
    ['one for the other, which decides for itself, too', ['a.js', 'b.js'], ['a.js'], ['a.js', 'b.js']],
    ['one for the other', ['a.js'], ['b.js'], ['a.js', 'b.js']],
    ['each for the other', ['a.js', 'b.js'], ['a.js', 'b.js'], ['a.js', 'b.js']],
    ['nobody', [], [], []],
  ])('takes all of files along of which one decides for the other: %s', (_, deciding, decided, whole) => {
    const files = { 'a.js': `${caller}\nexport const one = 1;`, 'b.js': `${caller}\nexport const two = 2;`, 'client.js': client };
    const { isFollowed } = sliceOf(files, ['a.js', 'b.js'], suspicious, { deciding, decided });
    expect(['a.js', 'b.js'].filter((file) => isFollowed(file, caller.length + 8))).toEqual(whole);
  });

  describe('who uses what may turn out to be edited', () => {
    const using = "import { list } from './api.js';\nlist('https://other.example.org');";
    const program = (padding: number): Record<string, string> => ({
      'a.js': "import { list } from './api.js';\nlist('https://api.example.com');",
      'api.js': "export const list = (base) => fetch(base + '/v1/messages');",
      'one.js': `${using} // ${' '.repeat(padding)}`,
      'other.js': `${using} // ${' '.repeat(padding)}`,
    });
    const isNear = (text: string): boolean => text.includes('api.example.com');
    const looked = (padding: number, places?: readonly Place[]) => {
      const { modules, isFollowed, near, isWhole } = sliceOf(program(padding), ['a.js', 'api.js'], isNear, undefined, places);
      return { files: modules.map(({ file }) => file), isWhole, isFollowed: isFollowed('api.js', 0), isNear: near.has('api.js', 0) };
    };
    const all = Object.keys(program(0));

    it('is paid for by the files that say a base, and next by those that say something else of v1', () =>
      expect(sliceOf(program(0), ['a.js', 'api.js'], isNear).near.closest.map((each) => [...each])).toEqual([
        ['a.js'],
        ['a.js', 'api.js'],
      ]));

    it('is looked for at once', () => {
      expect(looked(10)).toEqual({ files: all, isWhole: true, isFollowed: true, isNear: true });
    });

    it('is left where that is far more than what a base flows into', () => {
      expect(looked(600_000)).toEqual({ files: ['a.js', 'api.js'], isWhole: false, isFollowed: false, isNear: true });
    });

    const edited = [{ file: 'api.js', start: 0 }];
    it('is looked for once it is known to be edited', () => {
      expect(looked(600_000, edited)).toEqual({ files: all, isWhole: true, isFollowed: true, isNear: true });
    });

    it('is known of nothing where the base itself flows through most of a large application', () => {
      const padding = ` // ${' '.repeat(2_100_000)}`;
      const registry = ['one', 'two', 'three'].map((name) => [`${name}.js`, `import { tools } from './tools.js';\nask(tools);${padding}`]);
      const files = {
        'tools.js': "export const tools = { list: 'https://api.example.com/v1/messages' };",
        ...Object.fromEntries(registry),
      };
      const { modules, isFollowed } = sliceOf(files, ['tools.js'], isNear);
      expect(modules).toHaveLength(4);
      expect(isFollowed('tools.js', 0)).toBe(false);
      const { isFollowed: isFollowedByFew } = sliceOf({ 'tools.js': files['tools.js'] }, ['tools.js'], isNear);
      expect(isFollowedByFew('tools.js', 0)).toBe(true);
    });

    it('is not looked for once more where the base alone had led through as much as is looked at', () => {
      expect(() => sliceOf(program(10), ['a.js', 'api.js'], isNear, undefined, edited, 6_000_001)).toThrow('too much');
    });

    it('is left even then where it leads through most of a large application', () => {
      expect(() => looked(2_500_000, edited)).toThrow('too much');
    });
  });

  it('takes who decides for what a suspicious statement is made of, as that is, and not what it decides for besides', () => {
    const files = {
      'a.js': "import { ask } from './ask.js';\nask('/v1/messages');",
      'ask.js': "export const ask = (path) => fetch(path, { headers: { accept: 'json' } });",
      'defaults.js': 'export const defaults = () => fetch.defaults({});',
      'other.js': "fetch('/users');",
    };
    const ambient = { deciding: ['defaults.js'], decided: ['ask.js', 'other.js'] };
    const { modules, isFollowed } = sliceOf(files, ['a.js'], suspicious, ambient);
    expect(modules.map(({ file }) => file)).toEqual(['a.js', 'ask.js', 'defaults.js']);
    expect(isFollowed('defaults.js', 5)).toBe(false);
  });

  it('takes nobody along by way of a file that decides for others, where only something else in it is used', () => {
    const files = {
      'a.js': "import { help } from './defaults.js';\nfetch('/v1/messages', help());",
      'defaults.js': 'export const help = () => ({});\nfetch.defaults({});',
      'other.js': "fetch('/users');",
    };
    expect(sliced(files, ['a.js'], suspicious, { deciding: ['defaults.js'], decided: ['other.js'] })).toEqual(['a.js', 'defaults.js']);
  });
});

it.each([
  ['a document it is prose', 'a.md', ['ask()', ' fetch(a)']],
  ['a component it is the template, which uses its names', 'a.vue', ['words ask()', ' fetch(a) words']],
])('what stands around the code: in %s', (_, file, units) => {
  const { tree } = engines.parse('a.ts', '      ask(); fetch(a)      ');
  const { units: found } = outlineOf(parsedFile(file, 'words ask(); fetch(a) words', tree));
  expect(found.map(({ text }) => text.replace(';', ''))).toEqual(units);
});
