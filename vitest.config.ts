import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Plugin, type TestProjectConfiguration } from 'vitest/config';

const all = 'test/**/*.test.ts';
// Fixtures and decoys are other people's suites.
const others = ['test/codemods/{apps,fixtures,decoys}/**'];
const filesWith = (pattern: RegExp): string[] =>
  globSync(all, { exclude: others }).filter((file) => pattern.test(readFileSync(file, 'utf8')));
// What a file mocks must not have been loaded by one before it.
const mocking = filesWith(/\bvi\.(?:m|doM)ock\(/);
// Where calls are counted, nothing is optimized, and all that was loaded before is counted too.
const counting = filesWith(/\bworkOf\(/);
// By Node itself: what vitest makes of modules to mock them takes a sixth more time to run.
const experimental = { viteModuleRunner: false, nodeLoader: false };

/** Packages are resolved as by people's Node: some have another build for development, which checks and notes down all that it does. */
const asInstalled: Plugin = {
  name: 'as-installed',
  configResolved: ({ ssr }) => void ssr?.resolve?.conditions?.splice(0, Infinity, 'node'),
};

const project = (
  name: string,
  test: { readonly include: string[]; readonly exclude: string[]; readonly isolate: boolean; readonly experimental?: object },
): TestProjectConfiguration => ({
  extends: true,
  plugins: [asInstalled],
  test: { name, ...test, exclude: [...others, ...test.exclude] },
});

export default defineConfig({
  test: {
    // Most of what a file costs is loading the project: files share it, but for those that load it in another way.
    projects: [
      project('shared', { include: [all], exclude: [...mocking, ...counting], isolate: false, experimental }),
      project('counting', { include: counting, exclude: [], isolate: true, experimental }),
      project('mocking', { include: mocking, exclude: [], isolate: true }),
    ],
    // Every answer of the sandbox is checked against its OpenAPI document. What is set up first has the last word: what was skipped.
    globalSetup: ['tools', 'memory', 'answers', 'bundle', 'postgres', 'browser'].map((name) => `test/helpers/${name}-run.ts`),
    setupFiles: 'test/helpers/answers-setup.ts',
    // Processes that tests start keep what was compiled, where the command line keeps it too.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // Real servers and processes on machines with two cores: generous, as a limit and never as a measure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    execArgv: [
      // One process runs a hundred files: room for what is new and soon gone spares a quarter of the time of those that make much of it.
      '--min-semi-space-size=64',
      // Each file calls other code, and most of it not for long: the dearer compilers are for what is called very often, as in runs of the codemods.
      '--invocation-count-for-turbofan=60000',
      '--invocation-count-for-maglev=4000',
      '--invocation-count-for-maglev-osr=1000',
    ],
    // Many tests wait for processes and timers of their own: four files at a time keep two cores busy.
    maxWorkers: 4,
  },
});
