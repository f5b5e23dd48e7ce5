/** Islands in real threads, and what becomes of them where one dies. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyseAll } from '../../../codemods/run/analyse-all.ts';
import type { Setting } from '../../../codemods/run/analyst.ts';
import type { IslandFile } from '../../../codemods/component/component.ts';

const small = Array.from({ length: 240 }, (_, index) => `small-${index}.js`);
const large = 'large.js';
let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'migrate-v2-jobs-'));
  const call = "fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': process.env.KEY } });\n";
  for (const [index, file] of small.entries()) writeFileSync(join(cwd, file), `const before = ${index};\n${call}`);
  writeFileSync(join(cwd, large), `${call}export const all = [${'{ a: [1, f(2)] }, '.repeat(60_000)}];\n`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const setting = (): Setting => ({
  cwd,
  modules: new Set([...small, large]),
  bases: { v1: ['https://api.example.com'], v2: undefined, env: new Set() },
});
const alone = (file: string): readonly IslandFile[] => [
  { file, kind: 'script', isCandidate: true, isUnread: false, importers: [], ambient: [] },
];

describe('islands are analysed in threads', () => {
  it('with the same results in the same order as in one', async () => {
    const islands = small.map(alone);
    const one = await analyseAll(setting(), islands, { jobs: 1 });
    expect(one.map(({ calls }) => calls.length)).toEqual(small.map(() => 1));
    expect(await analyseAll(setting(), islands, { jobs: 2 })).toEqual(one);
  });

  it('and one that runs out of memory is reported, while all others go on', async () => {
    const islands = [...small.slice(0, 120), large, ...small.slice(120)].map(alone);
    const results = await analyseAll(setting(), islands, { jobs: 2, limits: { maxOldGenerationSizeMb: 80 } });
    const failures = results.flatMap((each) => each.failures.map(({ code, file }) => [code, file]));
    expect(failures).toEqual([['worker-died', large]]);
    expect(results.filter(({ calls }) => calls.length === 1)).toHaveLength(small.length);
  });

  it('until they are told to stop', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const run = analyseAll(setting(), small.map(alone), {
      jobs: 2,
      signal: stop.signal,
      onProgress: (done) => {
        seen.push(done);
        if (done === 5) stop.abort();
      },
    });
    await expect(run).rejects.toThrow(/abort/);
    expect(Math.max(...seen)).toBeLessThan(small.length);
  });
});
