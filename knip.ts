import type { KnipConfig } from 'knip';
import { loadFixtures } from './test/codemods/helpers/fixtures.ts';

/** Fixtures that are executed use the libraries that they are about: these are in package.json for them alone. */
const fixtures = loadFixtures().flatMap(({ name, facts }) =>
  facts.run === undefined ? [] : `test/codemods/fixtures/${name}/input/**/*.{js,mjs,cjs,ts,mts,jsx,tsx}`,
);

export default {
  entry: [
    'src/index.ts',
    'codemods/transforms/all.ts',
    'codemods/transforms/shared/thread.ts',
    'codemods/run/worker.ts',
    'src/usage/store/sqlite/worker.ts',
    'src/report/live/app.js',
    'src/report/html/file.js',
    'src/report/live/worker.ts',
    'src/cli/rollout/read-thread.ts',
    'src/cli/workers/worker.ts',
    'bench/*.ts',
    'bench/contestants/*.ts',
    'examples/*/*.{js,ts}',
    'examples/*/*/*.test.ts',
    'test/codemods/helpers/{deep.ts,bundler-resolution.mjs}',
    'test/sandbox/processes/*.ts',
    'test/usage/processes/*.ts',
    'test/proxy/processes/*.ts',
    ...fixtures,
  ],
  project: [
    'src/**/*.{js,ts}',
    'proxy/**/*.ts',
    'codemods/**/*.ts',
    'test/**/*.ts',
    '!test/codemods/{apps,fixtures,decoys}/**',
    '.ci/*.ts',
    'bench/**/*.ts',
    'examples/**/*.{js,ts}',
  ],
  vitest: { entry: ['test/**/*.test.ts', '!test/codemods/{apps,fixtures,decoys}/**'] },
  // Node itself; and what proxy/telemetry/otlp.ts loads by names that are made, with the API that its exporters need beside them.
  ignoreDependencies: [
    'node',
    '@opentelemetry/.+',
    // Of whole applications in test/codemods/apps, which their suites run, and of fixtures that are not run.
    '@apollo/datasource-rest',
    '@koa/router',
    '@t3-oss/env-core',
    '@ts-rest/.+',
    '@vue/runtime-dom',
    'awilix',
    'envalid',
    'koa',
  ],
  ignoreExportsUsedInFile: true,
} satisfies KnipConfig;
