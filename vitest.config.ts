import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Fixtures and decoys are other people's suites.
    exclude: ['test/codemods/fixtures/**', 'test/codemods/decoys/**'],
    // Every answer of the sandbox is checked against its OpenAPI document.
    globalSetup: 'test/helpers/answers-run.ts',
    setupFiles: 'test/helpers/answers-setup.ts',
    // Real servers and processes on machines with two cores: generous, as a limit and never as a measure.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Half the tests wait for processes and timers of their own: two files at a time fit on two cores.
    maxWorkers: 2,
  },
});
