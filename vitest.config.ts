import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Plugin, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const all = 'test/**/*.test.ts';
// Fixtures and decoys are other people's suites.
const others = ['test/codemods/{apps,fixtures,decoys}/**'];
const texts = globSync(all, { exclude: others }).map((file) => [file, readFileSync(file, 'utf8')] as const);
const filesWith = (pattern: RegExp): string[] => texts.flatMap(([file, text]) => (pattern.test(text) ? file : []));
// What a file mocks must not have been loaded by one before it.
const mocking = filesWith(/\bvi\.(?:m|doM)ock\(/);
// Where calls are counted, nothing is optimized, and all that was loaded before is counted too.
const counting = filesWith(/\bworks?Of\(/);
// By Node itself: what vitest makes of modules to mock them takes a sixth more time to run.
const experimental = { viteModuleRunner: false, nodeLoader: false };

/** Packages are resolved as by people's Node: some have another build for development, which checks and notes down all that it does. */
const asInstalled: Plugin = {
  name: 'as-installed',
  configResolved: ({ ssr }) => void ssr?.resolve?.conditions?.splice(0, Infinity, 'node'),
};

/** Files that take several times as long as any other, as they work or as they wait: the longest begins first. */
const longest = [
  'codemods/axes/clients',
  'codemods/axes/refused',
  'codemods/axes/mocks',
  'codemods/apps',
  'codemods/axes/urls',
  'codemods/axes/headers',
  'codemods/axes/language',
  'codemods/axes/formats',
  'budget/shared-store',
  'package/tarball',
  'report/live/browser',
  'cli/workers/shared',
  'codemods/transforms/jscodeshift',
  'codemods/evaluate/growth',
  'docs/migration',
  'cli/record',
  'codemods/fixtures-run',
  'codemods/component/linear',
  'docs/commands',
  'codemods/run/analyse-all',
  'proxy/telemetry/process',
  'usage/store/contract',
  'package/dockerfile',
  'proxy/drain',
  'budget/oracle',
  'proxy/library-record',
  'proxy/tls',
  'examples/tour',
  'examples/rollout-tour',
  'cli/migrate/interrupt',
  'cli/migrate/data',
  'codemods/recursion',
  'codemods/component/bounds',
  'codemods/engines/readings',
  'report/live/reports',
  'budget/fleet',
  'cli/workers/workers',
  'cli/rollout/fleet',
  'codemods/renamed',
].map((name) => `/test/${name}.test.ts`);
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((name) => moduleId.endsWith(name));
  return rank < 0 ? longest.length : rank;
};

/** No core waits for one file at the end. Vitest itself knows how long files take once it has run them; before that, it goes by their sizes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, of files
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

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
    globalSetup: ['tools', 'compiled', 'memory', 'answers', 'bundle', 'postgres', 'browser'].map((name) => `test/helpers/${name}-run.ts`),
    setupFiles: ['imports', 'answers', 'priority', 'costs'].map((name) => `test/helpers/${name}-setup.ts`),
    // Processes that tests start keep what was compiled, apart from what other programs of this machine keep.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'migrate-v2-test-compiled') },
    // Real servers and processes on machines with two cores: generous, as a limit and never as a measure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    execArgv: [
      // One process runs a hundred files: room for what is new and soon gone spares a quarter of the time of those that make much of it.
      '--min-semi-space-size=64',
      // Little of it is called often enough to be optimized, and all of it is called: compiled at once, it takes a tenth less than interpreted.
      '--always-sparkplug',
      // Each file calls other code, and most of it not for long: the dearer compilers are for what is called very often, as in runs of the codemods.
      '--invocation-count-for-turbofan=60000',
      '--invocation-count-for-maglev=4000',
      '--invocation-count-for-maglev-osr=1000',
    ],
    // Many tests wait for processes and timers of their own: four files at a time keep two cores busy.
    maxWorkers: 4,
  },
});
