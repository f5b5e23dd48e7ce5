/** What leads from file to file, and what only looks as if: types beside a sign that also writes, and what of a namespace is never asked for. */
import { expect, it } from 'vitest';
import { sliced } from '../helpers/slices.ts';

const programs: readonly {
  readonly title: string;
  readonly files: Record<string, string>;
  readonly candidates: readonly string[];
  readonly left: readonly string[];
}[] = [
  {
    title: 'leaves who names a type of what a call is made of, with a default or a value behind it',
    files: {
      'a.ts': "import { shared } from './shared.ts';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.ts': 'export const shared = make();',
      'typed.ts':
        "import { shared } from './shared.ts';\nexport class Tool<T extends shared.Type = shared.Type> {\n  any = shared.any();\n}",
      'shape.ts':
        "import { shared } from './shared.ts';\nexport const make = () => {\n  const shape: shared.Shape = {};\n  return shared.any(shape);\n};",
    },
    candidates: ['a.ts'],
    left: ['typed.ts', 'shape.ts'],
  },
  {
    title: 'takes who writes into what a call is made of behind a colon',
    files: {
      'a.ts': "import { shared } from './shared.ts';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.ts': 'export const shared = make();',
      'case.ts': "import { shared } from './shared.ts';\nswitch (mode) {\n  case 1: shared.base = url;\n}",
      'either.ts': "import { shared } from './shared.ts';\nexport const use = (url) => (url ? url : shared.base = url);",
    },
    candidates: ['a.ts'],
    left: [],
  },
  {
    title: 'takes who assigns to what a call is made of by a function',
    files: {
      'a.ts': "import { shared } from './shared.ts';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.ts': 'export const shared = make();',
      'put.ts': "import { shared } from './shared.ts';\nObject.assign(shared, { base: url });",
    },
    candidates: ['a.ts'],
    left: [],
  },
  {
    title: 'takes who hands what a call is made of to a function, with an address behind it, and that function',
    files: {
      'a.ts': "import { shared } from './shared.ts';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.ts': 'export const shared = make();',
      'point.ts':
        "import { shared } from './shared.ts';\nimport { point } from './tools.ts';\npoint(shared, 'https://partner.example.net');",
      'tools.ts': 'export const point = (settings, base) => {\n  settings.base = base;\n};',
      'env.ts':
        "import { shared } from './shared.ts';\nimport { lead } from './lead.ts';\nlead(shared, { base: 'https://partner.example.net' });",
      'lead.ts': 'export const lead = (settings, more) => Object.assign(settings, more);',
    },
    candidates: ['a.ts'],
    left: [],
  },
  {
    title:
      'leaves who hands what a call is made of to a function, with no address behind it, makes an address of it, or compares it in a test',
    files: {
      'a.ts': "import { shared } from './shared.ts';\nexport const list = () => fetch('/v1/messages', shared);",
      'shared.ts': 'export const shared = make();',
      'shown.ts': "import { shared } from './shared.ts';\nimport { show } from './show.ts';\nshow(shared, 'https:');",
      'show.ts': 'export const show = (settings, text) => text;',
      'made.ts': "import { shared } from './shared.ts';\nexport const page = new URL(shared.path, 'https://docs.example.net');",
      'shared.test.ts':
        "import { shared } from './shared.ts';\nimport { equal } from './equal.ts';\nequal(shared.base, 'https://a.example.net');",
      'equal.ts': 'export const equal = (one, other) => one === other;',
    },
    candidates: ['a.ts'],
    left: ['shown.ts', 'show.ts', 'made.ts', 'shared.test.ts', 'equal.ts'],
  },
  {
    title: 'takes of a namespace what a suspicious call names of it',
    files: {
      'a.js': "import * as sdk from './sdk.js';\nexport const list = () => fetch(sdk.url('/v1/messages'));",
      'sdk.js': "import { text } from './text.js';\nexport * from './url.js';\nexport const messages = () => text();",
      'url.js': 'export const url = (path) => path;',
      'text.js': "export const text = () => '';",
    },
    candidates: ['a.js'],
    left: ['text.js'],
  },
  {
    title: 'takes of a namespace what is named of it for a type alone',
    files: {
      'a.ts':
        "import * as sdk from './sdk.ts';\nexport const list = (client: sdk.Client) => fetch(sdk.url('/v1/messages'), client.options);",
      'sdk.ts': "export { Client } from './client.ts';\nexport { url } from './url.ts';\nexport { text } from './text.ts';",
      'client.ts': 'export class Client {}',
      'url.ts': 'export const url = (path) => path;',
      'text.ts': "export const text = () => '';",
    },
    candidates: ['a.ts'],
    left: ['text.ts'],
  },
  {
    title: 'takes what may be meant where a namespace is handed on, or asked by another name',
    files: {
      'a.js': "import * as sdk from './sdk.js';\nexport const list = () => fetch(pick(sdk, '/v1/messages'), sdk['head']);",
      'b.js': "import * as sdk from './sdk.js';\nexport const one = () => fetch('/v1/messages', sdk['foot']);",
      'sdk.js':
        "import { text } from './text.js';\nimport { foot as end } from './foot.js';\nexport const messages = () => text();\nexport const foot = end;",
      'text.js': "export const text = () => '';",
      'foot.js': 'export const foot = {};',
    },
    candidates: ['a.js', 'b.js'],
    left: [],
  },
];

it.each(programs)('a slice $title', ({ files, candidates, left }) => {
  expect(sliced(files, candidates)).toEqual(Object.keys(files).filter((file) => !left.includes(file)));
});
