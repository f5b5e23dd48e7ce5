import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { findingCodes } from '../../../codemods/model.ts';
import { type Format, reporters } from '../../../codemods/report/reporters.ts';
import { projectRoot } from '../../helpers/build.ts';
import { apiFile, call, candidate, finding, type Given, key, reportOf } from './results.ts';

const render = async (format: Format, given: Given = {}): Promise<string> => reporters[format].render(await reportOf(given));

const every: Given = {
  plan: { findings: findingCodes.map((code) => finding(code)), candidates: [candidate] },
  result: { failures: [finding('syntax', { message: 'Unexpected token' }, { file: 'src/broken.ts' })] },
};

const hostile = 'src/\u001b[31mred\u202e|<img src=x onerror=alert(1)>`@team`\n.ts';
const attack: Given = {
  plan: {
    findings: [finding('shared-with-other-host', { host: hostile }, { file: hostile })],
    calls: [{ ...call, client: hostile }],
    candidates: [{ ...candidate, base: hostile }],
  },
  result: { changed: [{ file: hostile, before: '', after: '' }] },
};

describe.each(Object.keys(reporters) as Format[])('the %s report', (format) => {
  test('ends with a newline and shows no key', async () => {
    const text = await render(format, every);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toContain(key);
  });

  test('is the same twice', async () => {
    expect(await render(format, every)).toBe(await render(format, every));
  });

  test('holds no control characters and no marks of direction, whatever files are called', async () => {
    expect(await render(format, attack)).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe('the text report', () => {
  test('says how many calls would move, per endpoint, and how long it took', async () => {
    expect(await render('text')).toBe(
      [
        '1 call would be moved to v2, 1 file to change.',
        '',
        'Calls',
        '  POST /v1/messages/send  ->  POST /v2/messages/send  1',
        '',
        'Files to change',
        '  src/api.ts  3 edits',
        '',
        'Looked at 2,000 files, parsed 2, in 1.2 s',
        '',
      ].join('\n'),
    );
  });

  test('says which files were written, and which were not', async () => {
    const changed = ['src/a.ts', 'src/b.ts'].map((file) => ({ file, before: '', after: '' }));
    const text = await render('text', { mode: 'write', result: { changed, written: ['src/a.ts'] } });
    expect(text).toContain('1 file changed.');
    expect(text).toMatch(/src\/a\.ts +0 edits\n +src\/b\.ts +0 edits, not written/);
  });

  test('counts calls of which every file was written', async () => {
    expect(await render('text', { mode: 'write', result: { written: [apiFile] } })).toContain('1 call moved to v2, 1 file changed.');
  });

  test('names calls that a person refused, and does not count them', async () => {
    const text = await render('text', { mode: 'write', refused: new Set(['g1']), result: { changed: [], written: [] } });
    expect(text).toMatch(/^Nothing was changed\./);
    expect(text).toMatch(/Not moved, as refused or .*\n {2}src\/api\.ts {2}POST \/v1\/messages\/send\n/);
  });

  test('names calls of which a file failed', async () => {
    const text = await render('text', { mode: 'write', result: { written: [], failures: [finding('unwritable', {}, { file: apiFile })] } });
    expect(text).toMatch(/Not moved, .*\n {2}src\/api\.ts:4:3 {2}POST \/v1\/messages\/send\n/);
    expect(text).not.toContain('/v2/');
  });

  test('says so where no file was looked at', async () => {
    const nothing = { changed: [], files: { walked: 0, candidates: 0, naming: 0, parsed: 0 } };
    expect(await render('text', { plan: { calls: [], edits: [] }, result: nothing })).toMatch(/^No file was looked at: /);
  });

  test.each([
    ['nothing of v1 is left', [finding('own-server')], 'Nothing to change.'],
    ['calls stay', [finding('held-elsewhere'), finding('unconsumed')], 'Nothing would be changed: 1 place on v1 is left for a person.'],
    ['v1 may be asked', [finding('unconsumed')], 'Nothing would be changed, but v1 may be in use: 1 place to look at.'],
    [
      'v1 may be asked at some places',
      [finding('unconsumed'), finding('answer-shape'), finding('limit-code')],
      'Nothing would be changed, but v1 may be in use at 1 of 3 places to look at.',
    ],
    ['only an answer is read', [finding('answer-shape')], 'Nothing to change.'],
  ])('says in its first line whether nothing is to be done, where nothing moves and %s', async (_what, findings, headline) => {
    const text = await render('text', { plan: { calls: [], edits: [], findings }, result: { changed: [] } });
    expect(text.split('\n')[0]).toBe(headline);
  });

  test.each(['dry-run', 'check'] as const)('asks in a %s whether a base is right that no file names', async (mode) => {
    const nothing = { plan: { calls: [], edits: [] }, result: { changed: [], files: { walked: 9, candidates: 2, naming: 0, parsed: 1 } } };
    const [, second] = (await render('text', { mode, ...nothing })).split('\n');
    expect(second).toBe('No file names https://api.example.com: is that the base address of v1?');
    const named = await render('text', { mode, plan: nothing.plan, result: { changed: [] } });
    expect(named).not.toContain('No file names');
  });

  test('says places, reason and remedy of each kind of finding, and only the number of what needs nobody', async () => {
    const text = await render('text', {
      plan: {
        findings: [
          finding('shared-with-other-host', { host: 'other.example' }),
          finding('shared-with-other-host', { host: 'other.example' }, { line: 3, start: 1 }),
          finding('minute-limit'),
          finding('ignored'),
        ],
        ledger: [{ file: 'src/s.ts', start: 0, end: 9, line: 1, column: 1, state: 'foreign', reason: 'own-server' }],
      },
    });
    expect(text).toContain(
      [
        'Left on v1, a person has to decide: 2 places',
        '  The client also calls another host (shared-with-other-host)',
        '    src/other.ts:3:3',
        '    src/other.ts:7:3',
        '    What it sends goes to other.example too, which would get the key as a Bearer token.',
        '    What to do: If other.example is this service as well – a stage of it, or what stands in for it –, run again with --v1-base for it, too; if it is not, give the calls of this service a client with headers of its own; then run again.',
        '',
        'To look at: 1 place',
      ].join('\n'),
    );
    expect(text).toContain(
      "Left alone, as someone else's or as a comment says\n  Left alone, as a comment says  1 place\n  A server of your own           1 place\n",
    );
  });

  test('lists the places of what is left alone where more is asked for, and their number where not', async () => {
    const foreign = { start: 0, end: 9, column: 5, state: 'foreign', reason: 'no-call' } as const;
    const plan = {
      findings: [finding('ignored')],
      ledger: [
        { ...foreign, file: 'src/names.ts', line: 3 },
        { ...foreign, file: 'src/names.ts', line: 8 },
      ],
    };
    const heading = "Left alone, as someone else's or as a comment says";
    expect(await render('text', { plan })).toContain(
      `${heading}\n  Left alone, as a comment says      1 place\n  Text that no call was seen to use  2 places\n`,
    );
    expect(await render('text', { plan, verbose: true })).toContain(
      `${heading}\n  Left alone, as a comment says      1 place\n    src/other.ts:7:3\n  Text that no call was seen to use  2 places\n    src/names.ts:3:5\n    src/names.ts:8:5\n`,
    );
  });

  test.each(['text', 'markdown'] as const)('names in %s each line of what is left that no finding names, and no other', async (format) => {
    const left = { start: 0, end: 9, column: 1, state: 'person', reason: 'escapes' } as const;
    const ledger = [
      { ...left, file: 'src/other.ts', line: 7 },
      { ...left, file: 'src/held.ts', line: 4 },
      { ...left, file: 'test/api.test.ts', line: 12 },
      { ...left, file: 'test/api.test.ts', line: 31 },
      { ...left, file: 'src/theirs.ts', line: 3, state: 'foreign', reason: 'other-host' } as const,
    ];
    const findings = [finding('escapes', { name: 'client', holds: '1', calls: 'src/held.ts:4' })];
    const output = reporters[format].render(await reportOf({ plan: { findings, ledger } }));
    expect(output).toMatch(/Lines that belong to what is left[^]*test\/api\.test\.ts`?[ |]+12, 31/);
    expect(output).not.toMatch(/src\/theirs\.ts|src\/other\.ts`? [ |]+7\b|src\/held\.ts`? [ |]+4\b/);
  });

  test('lists what fails beside moved calls apart from what is only to be looked at', async () => {
    const findings = [finding('limit-code'), finding('unconsumed', { how: 'moved' })];
    const text = await render('text', { plan: { findings } });
    expect(text).toContain('To change with what is moved: 1 place\n  Belongs to v1, beside what is moved (unconsumed)');
    expect(text).toContain('To look at: 1 place\n  Reacts to an error code');
  });

  test('lists snapshots with what fails beside moved calls', async () => {
    const findings = [finding('generated', { reason: 'written by a test runner' })];
    expect(await render('text', { plan: { findings } })).toContain('To change with what is moved: 1 place');
  });

  test('names a failed file', async () => {
    const failures = [finding('unwritable', { message: 'EACCES' }, { file: 'src/ro.ts' })];
    expect(await render('text', { result: { failures } })).toContain(
      'Failed: 1 file\n  The file could not be written (unwritable)\n    src/ro.ts:7:3',
    );
  });

  test('cuts long lists and says where the rest is', async () => {
    const findings = Array.from({ length: 30 }, (_, line) => finding('dynamic-path', {}, { line: line + 1, start: line }));
    expect(await render('text', { plan: { findings } })).toContain('… and 20 more (--format json lists all)');
  });

  test('shows candidates with their calls and what speaks for them', async () => {
    expect(await render('text', { v1Base: [], plan: { candidates: [candidate] } })).toContain(
      [
        '  https://api.example.com',
        '    2 calls of 2 routes that v1 has, 1 with an x-api-key, against it: 1 route that v1 does not have',
        '    src/api.ts:4  POST /v1/messages/send',
        '    src/list.ts:9  GET /v1/contacts  (no key seen)',
      ].join('\n'),
    );
  });

  test('shows other candidates in short where a base is given', async () => {
    const text = await render('text', { plan: { candidates: [{ ...candidate, base: 'https://me:hunter2@other.example' }] } });
    expect(text).toContain('  https://me:***@other.example  2 calls of 2 routes that v1 has, 1 with an x-api-key, against');
    expect(text).not.toContain('src/list.ts');
  });

  test('says of a call that v1 does not take which endpoint of v2 is like it', async () => {
    const findings = [finding('unknown-route', { method: 'DELETE', route: '/v1/contacts/…' })];
    expect(await render('text', { plan: { findings } })).toContain(
      'no endpoint of v1 is DELETE /v1/contacts/…; v2 has DELETE /v2/contacts/:id.',
    );
  });

  test('says once what to do, and each reason with its places', async () => {
    const route = (line: number, route: string) => finding('unknown-route', { method: 'GET', route }, { line, start: line });
    expect(await render('text', { plan: { findings: [route(1, '/v1/a'), route(2, '/v1/b'), route(3, '/v1/a')] } })).toContain(
      [
        '  v1 has no such endpoint (unknown-route)',
        '    src/other.ts:1:3',
        '    src/other.ts:3:3',
        '    The base is that of v1, but no endpoint of v1 is GET /v1/a, so none of v2 succeeds it.',
        '    src/other.ts:2:3',
        '    The base is that of v1, but no endpoint of v1 is GET /v1/b, so none of v2 succeeds it.',
        '    What to do: Look up in MIGRATION.md which endpoint of v2 does what is meant, and change the call by hand; if what it holds may move along, run again with --allow FILE:LINE, or with a comment migrate-v2-allow: <reason> above it.',
        '',
      ].join('\n'),
    );
  });

  test('has colours only where it is told to', async () => {
    expect(await render('text', every)).not.toContain('\u001b');
    expect(await render('text', { ...every, color: true })).toContain('\u001b[1m');
  });
});

describe('the JSON report', () => {
  const schema = JSON.parse(readFileSync(join(projectRoot, 'codemods/report/report.schema.json'), 'utf8'));
  // `required` beside `allOf` names properties that stand elsewhere.
  const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(schema);

  test.each<[string, Given]>([
    ['a dry run', {}],
    ['a run with every finding', every],
    ['hostile names', attack],
    ['a run that wrote', { mode: 'write', v2Base: 'https://v2.example.com', result: { written: [apiFile] } }],
    ['nothing', { plan: { calls: [], edits: [], ledger: [] }, result: { changed: [] } }],
  ])('is as its schema says for %s', async (_name, given) => {
    validate(JSON.parse(await render('json', given)));
    expect(validate.errors).toBeNull();
  });

  test('has no property that the schema does not name', async () => {
    const closed = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && ('properties' in value || 'allOf' in value)
        ? { ...value, unevaluatedProperties: false }
        : value,
    );
    // Parts that others are put together from stay open.
    for (const name of ['span', 'place', 'lines']) delete closed.$defs[name].unevaluatedProperties;
    const strict = new Ajv2020({ strict: false, allErrors: true }).compile(closed);
    strict(JSON.parse(await render('json', every)));
    expect(strict.errors).toBeNull();
  });

  test('says for a call where it goes, its lines and its proof', async () => {
    const { calls, summary } = JSON.parse(await render('json'));
    expect(calls[0]).toMatchObject({
      from: 'POST /v1/messages/send',
      to: 'POST /v2/messages/send',
      file: apiFile,
      line: 4,
      column: 3,
      proof: [
        { step: 'call' },
        { step: 'path', line: 4, column: 17 },
        { step: 'reference' },
        { step: 'base', file: 'src/base.ts' },
        { step: 'header' },
      ],
    });
    expect(summary).toMatchObject({ calls: 1, edits: 3, changed: 1, written: 0, left: 0, elapsedMs: 1235 });
  });

  test('leaves out the texts of edits, which may stand beside a key', async () => {
    const { edits } = JSON.parse(await render('json'));
    expect(edits[0]).toEqual({
      what: 'path',
      group: 'g1',
      file: apiFile,
      start: 90,
      end: 92,
      line: 4,
      column: 18,
      endLine: 4,
      endColumn: 20,
    });
  });
});

describe('the Markdown report', () => {
  test('is a heading, a summary and tables', async () => {
    const text = await render('markdown', { plan: { findings: [finding('dynamic-path')] } });
    expect(text).toMatch(/^## From v1 to v2\n\n\*\*1 call\*\* to move to v2, 1 file to change, 1 place for a person\. /);
    expect(text).toContain('| `POST /v1/messages/send` | `POST /v2/messages/send` | 1 |\n');
    expect(text).toContain('| `src/other.ts:7:3` | Which path is asked cannot be read (`dynamic-path`) |');
  });

  test('lets no file name be HTML, a mention or a further cell', async () => {
    const text = await render('markdown', attack);
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('img'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      // Outside of code.
      expect(row.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')).not.toMatch(/<img|(?<!\\)`|@team/);
    }
    expect(text).not.toMatch(/[^\\]\|<img/);
  });

  test('stays short enough for a comment', async () => {
    const findings = Array.from({ length: 5_000 }, (_, line) => finding('dynamic-path', {}, { line: line + 1, start: line }));
    const text = await render('markdown', { plan: { findings } });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('… and 4,950 more');
  });
});
