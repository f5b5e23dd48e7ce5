/** Components in real threads, and what becomes of them where one dies. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { analyseAll } from '../../../codemods/run/analyse-all.ts';
import type { RunContext } from '../../../codemods/run/analyst.ts';
import type { Progress } from '../../../codemods/result.ts';
import type { ComponentFile } from '../../../codemods/component/component-file.ts';

const small = Array.from({ length: 120 }, (_, index) => `small-${index}.js`);
const large = 'large.js';
let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'migrate-v2-jobs-'));
  const call = "fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': process.env.KEY } });\n";
  for (const [index, file] of small.entries()) writeFileSync(join(cwd, file), `const before = ${index};\n${call}`);
  writeFileSync(join(cwd, large), `${call}${`[${'1, '.repeat(100)}];\n`.repeat(10_000)}`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const context = (): RunContext => ({
  cwd,
  modules: new Set([...small, large]),
  bases: { v1: ['https://api.example.com'], v2: undefined, env: new Set() },
});
const alone = (file: string): readonly ComponentFile[] => [
  { file, kind: 'script', isCandidate: true, isUnread: false, importers: [], ambient: [], implied: [], standsFor: [] },
];

/** Twice of what a small file takes, with all that analyses, and less than half of what the large one does: a thread that is kept waiting frees less. */
const tooLittle = { maxOldGenerationSizeMb: 120 };

describe('components are analysed in threads', () => {
  it('with the same results in the same order as in one', async () => {
    const components = small.map(alone);
    const one = await analyseAll(context(), components, { jobs: 1 });
    expect(one.map(({ calls }) => calls.length)).toEqual(small.map(() => 1));
    expect(await analyseAll(context(), components, { jobs: 2 })).toEqual(one);
  });

  it('and without proofs where nobody shows them, with all else as it is', async () => {
    const components = small.slice(0, 3).map(alone);
    const proven = await analyseAll(context(), components, { jobs: 1 });
    expect(proven.flatMap(({ calls }) => calls).every(({ proof }) => proof.length > 0)).toBe(true);
    expect(await analyseAll({ ...context(), proofs: false }, components, { jobs: 1 })).toEqual(
      proven.map((result) => ({ ...result, calls: result.calls.map((call) => ({ ...call, proof: [] })) })),
    );
  });

  it('and one that runs out of memory is reported, while all others go on', async () => {
    const components = [...small.slice(0, 60), large, ...small.slice(60)].map(alone);
    const results = await analyseAll(context(), components, { jobs: 2, limits: [tooLittle] });
    const failures = results.flatMap((each) => each.failures.map(({ code, file, detail }) => [code, file, detail]));
    expect(failures).toEqual([['worker-died', large, { reason: expect.stringContaining('memory') }]]);
    expect(results.filter(({ calls }) => calls.length === 1)).toHaveLength(small.length);
  });

  it('and one that runs out of what a thread may use gets more', async () => {
    // Not even what analyses has room in the first.
    const limits = [{ maxOldGenerationSizeMb: 8 }, {}];
    const [result] = await analyseAll(context(), [alone(small[0] ?? '')], { jobs: 1, isFree: true, limits });
    expect(result?.failures).toEqual([]);
    expect(result?.calls).toHaveLength(1);
  });

  it('and many are left to one where this thread is not to hold them, though no more is allowed', async () => {
    // Threads that may not try once: what is left to one is lost, and the rest is done here.
    const lost = async (files: readonly string[], isApart: boolean): Promise<readonly string[]> => {
      const results = await analyseAll(context(), files.map(alone), { jobs: 1, isApart, limits: [] });
      return results.flatMap(({ failures }) => failures.map(({ file }) => file));
    };
    const many = small.slice(0, 100);
    expect(await lost(many, true)).toEqual(many);
    expect(await lost(many, false)).toEqual([]);
    expect(await lost(many.slice(1), true)).toEqual([]);
  });

  it('until they are told to stop', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const run = analyseAll(context(), small.map(alone), {
      jobs: 1,
      isFree: true,
      signal: stop.signal,
      onProgress: ({ done }) => {
        seen.push(done);
        if (done === 5) stop.abort();
      },
    });
    await expect(run).rejects.toThrow(/abort/);
    expect(Math.max(...seen)).toBeLessThan(small.length);
  });

  it('also within a component, and say which file is being worked on, where this thread is to stay free', async () => {
    const stop = new AbortController();
    const seen: Progress[] = [];
    const onProgress = (progress: Progress): void => {
      seen.push(progress);
      if (progress.at !== undefined) stop.abort();
    };
    const run = analyseAll(context(), [alone(large)], { jobs: 1, isFree: true, signal: stop.signal, onProgress });
    await expect(run).rejects.toThrow(/abort/);
    const components = { done: 0, total: 1 };
    expect(seen).toEqual([
      { phase: 'analyse', done: 0, total: 1, components, at: undefined },
      { phase: 'analyse', done: 1, total: 1, components, at: large },
    ]);
  });

  it('and how many questions were asked of what was read', async () => {
    const seen: Progress[] = [];
    await analyseAll(context(), [alone(large)], { jobs: 1, isFree: true, onProgress: (progress) => seen.push(progress) });
    const questions = seen.map((progress) => progress.questions ?? 0);
    expect(questions).toEqual(questions.toSorted((a, b) => a - b));
    expect(questions.at(-1)).toBeGreaterThan(0);
  });

  it('without what Node was started with', async () => {
    const hook = join(cwd, 'hook.cjs');
    writeFileSync(hook, "console.log('loaded');\n");
    const script = `
      import { analyseAll } from ${JSON.stringify(new URL('../../../codemods/run/analyse-all.ts', import.meta.url).href)};
      const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set() };
      const files = ${JSON.stringify(alone(small[0] ?? ''))};
      const [{ calls }] = await analyseAll({ cwd: process.cwd(), modules: new Set(), bases }, [files], { jobs: 1, isFree: true });
      console.log(calls.length);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--require', hook, '--input-type=module', '--eval', script], { cwd });
    expect(stdout).toBe('loaded\n1\n');
  });
});

it('a run says how far it is from its beginning: files that are looked into, and then those that are read', async () => {
  const seen: Progress[] = [];
  await migrate({
    cwd,
    paths: ['.'],
    v1Base: ['https://api.example.com'],
    dryRun: true,
    exclude: [large],
    // In this thread: what one of its own says on the way is shown above.
    jobs: 1,
    onProgress: (at) => seen.push(at),
  });
  const phases = seen.filter(({ phase }, index) => phase !== seen[index - 1]?.phase).map(({ phase, done, total }) => [phase, done, total]);
  expect(phases).toEqual([
    ['scan', 0, 0],
    ['analyse', 0, small.length],
  ]);
  expect(seen.flatMap(({ phase, done }) => (phase === 'scan' ? done : []))).toEqual([0, 0, 100]);
});
