import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shellWord } from '../../../src/cli/invocation.ts';
import { commandWith } from '../../../src/cli/migrate/bases.ts';
import { outcomeOf } from '../../../src/cli/migrate/outcome.ts';
import { progressText, showProgress } from '../../../src/cli/migrate/progress.ts';
import { finding, type Given, reportOf } from '../../codemods/report/results.ts';

describe('the command to paste', () => {
  test('has every word as a shell reads it back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), { minLength: 1, maxLength: 5 }), (words) => {
        const read = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' });
        expect(read.split('\0').slice(0, -1)).toEqual(words);
      }),
      { numRuns: 50 },
    );
  });

  test('is what was given, with the bases', () => {
    expect(commandWith(['src', 'it is', '--check'], ['https://a.test', 'env:B'])).toBe(
      "npx migrate-v2 src 'it is' --check --v1-base https://a.test --v1-base env:B",
    );
  });

  test('obeys no base that was found in code', () => {
    expect(commandWith([], ['https://a.test/$(id)\u001b[2J'])).toBe(String.raw`npx migrate-v2 --v1-base 'https://a.test/$(id)\u{1b}[2J'`);
  });
});

describe('the progress line', () => {
  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, written, write: (text: string) => written.push(text) };
  };
  const at = (done: number) => ({ phase: 'analyse' as const, done, total: 10 });

  test('shows what is done, as a bar where the end is known', () => {
    expect(progressText(at(5))).toBe('Reading code [############------------] 5 of 10 files');
    expect(progressText({ phase: 'scan', done: 0, total: 0 })).toBe('Looking for v1');
  });

  test.each([
    [120, 'src/api.ts', 'Reading code [############------------] 5,000 of 10,000 files, 3 of 7 components: src/api.ts'],
    [95, 'src/clients/api.ts', 'Reading code [############------------] 5,000 of 10,000 files, 3 of 7 components: …ents/api.ts'],
    [95, 'a/顧客/顧客/顧客.ts', 'Reading code [############------------] 5,000 of 10,000 files, 3 of 7 components: …客/顧客.ts'],
    [120, 'a\u001b[2J.ts', String.raw`Reading code [############------------] 5,000 of 10,000 files, 3 of 7 components: a\u{1b}[2J.ts`],
    [85, 'src/clients/api.ts', 'Reading code [############------------] 5,000 of 10,000 files, 3 of 7 components'],
    [70, 'src/api.ts', 'Reading code [############------------] 5,000 of 10,000 files'],
    [46, 'src/api.ts', 'Reading code [####----] 5,000 of 10,000 files'],
    [36, 'src/api.ts', 'Reading code 5,000 of 10,000 files'],
    [10, 'src/api.ts', 'Reading c'],
  ])('never breaks: in %i columns at %s', (columns, file, line) => {
    const components = { done: 3, total: 7 };
    expect(progressText({ phase: 'analyse', done: 5_000, total: 10_000, components, at: file }, columns)).toBe(line);
  });

  test.each([
    [120, 'Following values through 2,000 files, 12,345 questions: src/api.ts'],
    [60, 'Following values through 2,000 files, 12,345 questions'],
    [40, 'Following values through 2,000 files, 1'],
  ])('says what is found out once all is read, where a full bar would say that it is over: in %i columns', (columns, line) => {
    const read = { phase: 'analyse' as const, total: 2_000, components: { done: 0, total: 1 }, at: 'src/api.ts' };
    expect(progressText({ ...read, done: 2_000, questions: 12_345 }, columns)).toBe(line);
    expect(progressText({ ...read, done: 1_999, questions: 12_345 }, 70)).toContain('#-] 1,999 of 2,000 files');
  });

  test('waits, does not flicker, and goes again', () => {
    let now = 0;
    const terminal = stream(true);
    const line = showProgress(terminal, () => now);
    for (now = 0; now <= 450; now += 50) line.update(at(now / 50));
    expect(terminal.written).toEqual(['6', '8'].map((done) => expect.stringContaining(`${done} of 10`)));
    line.end();
    expect(terminal.written.at(-1)).toBe('\r\u001b[K');
    line.update(at(9));
    expect(terminal.written).toHaveLength(3);
  });

  test('comes up while the first file still is being read', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const terminal = stream(true);
    const line = showProgress(terminal);
    line.update({ ...at(0), at: 'src/api.ts' });
    vi.advanceTimersByTime(290);
    expect(terminal.written).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(terminal.written).toEqual([expect.stringContaining('0 of 10 files: src/api.ts')]);
    line.hide();
    expect(terminal.written.at(-1)).toBe('\r\u001b[K');
    line.end();
    expect([terminal.written.length, vi.getTimerCount()]).toEqual([2, 0]);
  });

  test('leaves no trace of a short run', () => {
    const terminal = stream(true);
    const line = showProgress(terminal, () => 0);
    line.update(at(1));
    line.end();
    expect(terminal.written).toEqual([]);
  });

  test('is not shown outside of a terminal', () => {
    const file = stream(false);
    const line = showProgress(file, () => 0);
    line.update(at(1));
    line.end();
    expect(file.written).toEqual([]);
  });
});

describe('the outcome', () => {
  const left: Given = { plan: { findings: [finding('dynamic-path')] } };
  const nothing = { plan: { calls: [], edits: [] }, result: { changed: [] } };
  test.each<[string, Given, string]>([
    ['of a run that moves everything is done', { mode: 'write' }, 'done'],
    ['of a dry run that would move everything is done', {}, 'done'],
    ['of --check with calls is findings', { mode: 'check' }, 'findings'],
    ['of --check with nothing is done', { mode: 'check', ...nothing }, 'done'],
    ['of --check with a place for a person is findings', { mode: 'check', ...left, result: { changed: [] } }, 'findings'],
    ['with a place for a person is remaining', { mode: 'write', ...left }, 'remaining'],
    ['with a place to look at is remaining', { plan: { findings: [finding('minute-limit')] } }, 'remaining'],
    ['with what is someone else’s or settled is done', { plan: { findings: [finding('other-host'), finding('ignored')] } }, 'done'],
    ['with a refused group is remaining', { mode: 'write', refused: new Set(['g1']) }, 'remaining'],
    ['with a failure is failed, whatever else', { mode: 'check', ...left, result: { failures: [finding('syntax')] } }, 'failed'],
  ])('%s', async (_name, given, outcome) => {
    expect(outcomeOf(await reportOf(given))).toBe(outcome);
  });

  test('of a patch that is not whole is remaining', async () => {
    expect(outcomeOf(await reportOf(), false)).toBe('remaining');
  });
});
