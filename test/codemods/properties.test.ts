/**
 * Whatever way a call is written in (test/codemods/helpers/programs), it is moved, or left alone for a reason. A failure prints its seed and
 * path; PROGRAMS_SEED runs it again, PROGRAMS_RUNS runs more.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../codemods/migrate.ts';
import type { Edit } from '../../codemods/model.ts';
import type { MigrateResult } from '../../codemods/result.ts';
import { choices, type Choices, type Program, render, sharesHeader, sharesHeaderName, spoilers } from './helpers/programs/generate.ts';
import { ProgramRunner } from './helpers/programs/runner.ts';
import type { Spoiler } from './helpers/programs/spoilers.ts';

const seed = Number(process.env['PROGRAMS_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['PROGRAMS_RUNS'] ?? 24);
const key = 'ak_live_0123456789';
const elsewhere = 'https://hooks.example.org/hook';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')));
let runner: ProgramRunner;
let count = 0;

beforeAll(async () => {
  console.log(`PROGRAMS_SEED=${seed}`);
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'), 'dir');
  runner = await ProgramRunner.start(key);
});
afterAll(async () => {
  await runner[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Writes a program into a folder of its own. */
function laidDown({ files }: Pick<Program, 'files'>): string {
  const cwd = join(folder, String(count++));
  mkdirSync(cwd);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  return cwd;
}

const run = (cwd: string, dryRun = false): Promise<MigrateResult> =>
  migrate({ cwd, paths: ['.'], v1Base: [runner.base], force: true, dryRun });
/** Without what is said of comments, which the programs have of v1. */
const said = ({ plan, failures }: MigrateResult): string[] =>
  [...plan.findings, ...failures].flatMap(({ code, line }) => (code === 'mentioned' ? [] : `${code} ${line}`));

/** The bytes with the edits, computed otherwise than the tool does it: from the last to the first. */
function edited(text: string, edits: readonly Edit[]): Buffer {
  const lastFirst = edits.toReversed().toSorted((a, b) => b.start - a.start || b.end - a.end);
  return Buffer.from(lastFirst.reduce((all, { start, end, text: inserted }) => all.slice(0, start) + inserted + all.slice(end), text));
}

const property = (check: (chosen: Choices) => Promise<void>, runs = numRuns): Promise<void> =>
  fc.assert(fc.asyncProperty(choices, check), { seed, numRuns: runs });

describe('a generated program', () => {
  test('reaches v2 with the Bearer after a run, differs within the spans only, and a second run makes no edit', async () => {
    await property(async (chosen) => {
      const program = render(chosen, { base: runner.base, key });
      const cwd = laidDown(program);
      const result = await run(cwd);
      expect(said(result)).toEqual([]);
      for (const [file, text] of Object.entries(program.files)) {
        const own = result.plan.edits.filter((edit) => edit.file === file);
        expect(readFileSync(join(cwd, file)).equals(edited(text, own))).toBe(true);
      }
      const asked = await runner.run(join(cwd, program.entry));
      expect(asked).toEqual([{ method: program.method, path: program.path, authorization: `Bearer ${key}` }]);
      const again = await run(cwd);
      expect([again.plan.edits, again.written]).toEqual([[], []]);
    });
  });

  test('is not edited where it calls another host', async () => {
    await property(async (chosen) => {
      const cwd = laidDown(render(chosen, { base: 'https://api.example.net', key }));
      expect((await run(cwd)).plan.edits).toEqual([]);
    });
  });

  test('is not edited where the same client goes to another host, too, and it is said', async () => {
    await property(async (chosen) => {
      fc.pre(sharesHeader(chosen));
      const cwd = laidDown(render(chosen, { base: runner.base, key, other: elsewhere }));
      const result = await run(cwd);
      expect(result.plan.edits).toEqual([]);
      expect(said(result)).not.toEqual([]);
    });
  });

  test('is moved alone where another host is sent a header of the same name, and that keeps its name', async () => {
    await property(async (drawn) => {
      const chosen = { ...drawn, wrapper: 'none' } as const;
      fc.pre(sharesHeaderName(chosen));
      const program = render(chosen, { base: runner.base, key, other: elsewhere });
      const cwd = laidDown(program);
      const result = await run(cwd);
      expect(said(result)).toEqual([]);
      expect(result.plan.edits.map(({ what }) => what)).toContain('header name');
      const after = Object.keys(program.files).map((file) => readFileSync(join(cwd, file), 'utf8'));
      expect(after.join('\n')).toContain(chosen.field);
    }, numRuns / 2);
  });

  test.each(Object.entries(spoilers))('is not edited where %s, and would be without that', async (_, some) => {
    const check = async (chosen: Choices, spoiler: Spoiler): Promise<void> => {
      const program = render(chosen, { base: runner.base, key, spoiler });
      fc.pre(program.isSpoiled);
      const sound = render(chosen, { base: runner.base, key, spoiler, isSound: true });
      const [before, result] = [await run(laidDown(sound), true), await run(laidDown(program), true)];
      expect(before.plan.edits).not.toEqual([]);
      expect(result.failures).toEqual([]);
      expect(result.plan.edits).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(choices, some, check), { seed, numRuns: Math.ceil(numRuns / 3) });
  });

  test('that somebody is just typing is parsed or told as a syntax error, and keeps nothing else from being moved', async () => {
    const steady = `fetch('${runner.base}/v1/messages', { headers: { 'x-api-key': process.env.API_KEY } });\n`;
    const alone = await run(laidDown({ files: { 'steady.js': steady } }), true);
    const check = async (chosen: Choices, changes: readonly Change[]): Promise<void> => {
      const { files, entry } = render(chosen, { base: runner.base, key });
      const typed = changes.reduce(changedBy, files[entry] ?? '');
      const { plan, failures, changed } = await run(laidDown({ files: { ...files, [entry]: typed, 'steady.js': steady } }), true);
      const byFile = Map.groupBy(plan.edits, ({ file }) => file);
      expect(byFile.get('steady.js')?.map(placeOf)).toEqual(alone.plan.edits.map(placeOf));
      expect(failures.filter(({ code, file }) => code !== 'syntax' || file !== entry)).toEqual([]);
      // A file that does not parse has no edits, and every file with edits is changed: what becomes of it parses.
      expect(failures.length > 0 && byFile.has(entry)).toBe(false);
      expect(changed.map(({ file }) => file).toSorted()).toEqual([...byFile.keys()].toSorted());
    };
    await fc.assert(fc.asyncProperty(choices, fc.array(change, { minLength: 1, maxLength: 3 }), check), { seed, numRuns });
  });
});

interface Change {
  /** How far into the text, of 1. */
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const pieces = [
  '',
  ' ',
  '\n',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  "'",
  '"',
  '`',
  '${',
  '/*',
  '//',
  '/',
  ',',
  ';',
  '.',
  '...',
  '=>',
  '<',
  '\\',
  '\0',
  '\uD800',
  'é',
  '😀',
];
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 12 }),
  inserted: fc.oneof(fc.constantFrom(...pieces), fc.constantFrom('await ', 'x-api-key', '/v1/messages', 'return', 'const a = ', '= url')),
});

const changedBy = (text: string, { at, removed, inserted }: Change): string => {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + inserted + text.slice(start + removed);
};

const placeOf = ({ start, end, text }: Edit): unknown => [start, end, text];
