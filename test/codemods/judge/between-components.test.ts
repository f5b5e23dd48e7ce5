/** What moves together though no import joins it, beyond what the fixtures in `refused/elsewhere/` show. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { analyseAll } from '../../../codemods/run/analyse-all.ts';
import { migrate } from '../../../codemods/migrate.ts';
import { constraintsOf, type Member } from '../../../codemods/judge/constraints/between-components.ts';
import type { MigrateOptions } from '../../../codemods/result.ts';

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const cwd = mkdtempSync(join(tmpdir(), 'constraints-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  return cwd;
}

const run = (cwd: string, options: Partial<MigrateOptions> = {}) =>
  migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], force: true, ...options });

const call = (base: string, path = '/messages'): string =>
  `fetch(\`\${${base}}${path}\`, { headers: { 'x-api-key': process.env.API_KEY } });\n`;
const moving: Files = {
  '.env': 'API_URL=https://api.example.com/v1\n',
  'messages.js': call('process.env.API_URL'),
  'contacts.js': call('process.env.API_URL', '/contacts'),
};
const imported: Files = {
  'config.json': '{ "base": "https://api.example.com/v1" }\n',
  'messages.js': `import config from './config.json';\n\n${call('config.base')}`,
};

describe('what reads one variable or file is one group', () => {
  test.each([
    ['a variable', moving],
    ['a file', imported],
  ])('that is asked for once: %s', async (_what, files) => {
    const asked: string[][] = [];
    const { changed, plan } = await run(folderOf(files), { accept: (group) => asked.push([...group.files].toSorted()) > 0 });
    expect(asked).toEqual([Object.keys(files).toSorted()]);
    expect(plan.findings).toEqual([]);
    expect(changed.map(({ file }) => file).toSorted()).toEqual(Object.keys(files).toSorted());
  });

  test.each([
    ['a variable', moving],
    ['a file', imported],
  ])('that is left as a whole where a person refuses it: %s', async (_what, files) => {
    const { changed, written } = await run(folderOf(files), { accept: () => false });
    expect([changed, written]).toEqual([[], []]);
  });

  test.each([
    ['a variable', moving],
    ['a file', imported],
  ])('that is left as a whole where a file of it cannot be changed: %s', async (_what, files) => {
    const cwd = folderOf(files);
    const saveMeanwhile = (): boolean => {
      writeFileSync(join(cwd, 'messages.js'), '');
      return true;
    };
    const { written, failures } = await run(cwd, { accept: saveMeanwhile });
    expect(written).toEqual([]);
    expect(failures.map(({ file }) => file)).toEqual(['messages.js']);
  });

  test('whose finding names the first place of all that hold it back one for the other', async () => {
    const second = call('process.env.SECOND_URL');
    const files = {
      '.env': 'API_URL=https://api.example.com/v1\nSECOND_URL=https://api.example.com/v1\n',
      'shared.js': `const headers = { 'x-api-key': process.env.API_KEY };
fetch(\`\${process.env.API_URL}/contacts\`, { headers });
fetch('https://other.example.org/lists', { headers });\n`,
      'both.js': `const headers = { 'x-api-key': process.env.API_KEY };
fetch(\`\${process.env.API_URL}/contacts\`, { headers });
fetch(\`\${process.env.SECOND_URL}/contacts\`, { headers });\n`,
      'second.js': second,
    };
    const { plan } = await run(folderOf(files));
    const held = plan.findings.filter(({ code }) => code === 'held-elsewhere');
    expect(held.map(({ file }) => file)).toContain('second.js');
    expect(held.map(({ detail }) => detail['root'])).toEqual(held.map(() => 'shared.js:3'));
  });

  test('whose finding names what holds it back', async () => {
    const { plan } = await run(folderOf({ ...moving, 'exports.js': `\n${call('process.env.API_URL', '/exports')}` }));
    const held = plan.findings.filter(({ code }) => code === 'held-elsewhere');
    expect(held.map(({ file, line, detail }) => [file, line, detail])).toEqual([
      ['.env', 1, { name: 'API_URL', by: 'exports.js:2', why: 'setting', allow: 'no' }],
      ['contacts.js', 1, { name: 'API_URL', by: 'exports.js:2', why: 'setting', allow: 'no' }],
      ['messages.js', 1, { name: 'API_URL', by: 'exports.js:2', why: 'setting', allow: 'no' }],
    ]);
    expect(plan.ledger.map(({ file, state, reason }) => [file, state, reason])).not.toContainEqual([
      expect.anything(),
      'rewritten',
      expect.anything(),
    ]);
    expect(plan.ledger.find(({ file }) => file === '.env')).toMatchObject({ state: 'person', reason: 'held-elsewhere' });
  });
});

test('what asks without a key by a variable that moves may be let along', async () => {
  const health = 'export const isUp = () => fetch(`${process.env.API_URL}/health`);\n';
  const { plan } = await run(folderOf({ ...moving, 'contacts.js': `${moving['contacts.js']}\n${health}` }));
  expect(plan.findings.filter(({ code }) => code === 'unknown-route').map(({ detail }) => detail)).toMatchObject([{ route: '/health' }]);
  expect(plan.findings.flatMap(({ code, detail }) => (code === 'unknown-route' ? (detail['allow'] ?? []) : []))).toEqual([]);
});

test('a component that nobody could analyse holds back all its files', async () => {
  const cwd = folderOf(imported);
  const files = ['config.json', 'messages.js'].map((file) => ({
    file,
    kind: 'script' as const,
    isCandidate: true,
    isUnread: false,
    importers: [],
    ambient: [],
    implied: [],
    standsFor: [],
  }));
  const setting = { cwd, modules: new Set<string>(), bases: { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() } };
  const broken = (): string => {
    throw new Error('out of memory');
  };

  const [component] = await analyseAll(setting, [files], { jobs: 1, resolve: broken });

  expect(component?.failures.map(({ code }) => code)).toEqual(['worker-died', 'worker-died']);
  expect(component?.unread).toEqual(['config.json', 'messages.js']);
  const nothing: Member = { edits: [], calls: [], findings: [], ledger: [], variables: [], routes: [], refused: [], isCode: true };
  const beside: Member = {
    ...nothing,
    isCode: false,
    edits: [{ file: 'config.json', start: 36, end: 38, text: 'v2', group: 'g', what: 'base' }],
  };
  const lost: Member = { ...nothing, refused: component?.refused ?? [] };
  expect(constraintsOf([lost, beside], []).held('g')).toMatchObject({ code: 'held-elsewhere', detail: { name: 'config.json' } });
});

test('a file that is changed by nobody is as it was', async () => {
  const cwd = folderOf({ ...moving, 'exports.js': call('process.env.API_URL', '/exports') });
  await run(cwd);
  expect(readFileSync(join(cwd, 'messages.js'), 'utf8')).toBe(moving['messages.js']);
});
