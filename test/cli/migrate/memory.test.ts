import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('../../../src/cli/migrate/memory.ts', import.meta.url).href;

/** Keeps some 100 MB, as trees of files are kept, and tells how often all of it was gone through. */
const thread = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { parentPort } from 'node:worker_threads';
  let collections = 0;
  const count = (list) => collections += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  const observer = new PerformanceObserver(count);
  observer.observe({ entryTypes: ['gc'] });
  const kept = [];
  for (let index = 0; index < 1_500_000; index++) kept.push({ index, of: { index } });
  setImmediate(() => {
    count({ getEntries: () => observer.takeRecords() });
    parentPort.postMessage({ collections, kept: kept.length });
  });
`;
const program = `
  import { Worker } from 'node:worker_threads';
  import { saveCollecting } from '${module}';
  if (process.argv[1] === 'saving') saveCollecting();
  const worker = new Worker(${JSON.stringify(thread)}, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 1_000, maxYoungGenerationSizeMb: 48 } });
  worker.on('message', ({ collections }) => console.log(collections));
`;
const collectionsOf = async (...args: string[]): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, ...args]);
  return Number(stdout);
};

test('what lasts in a thread is not gone through before it is large', async () => {
  expect(await collectionsOf()).toBeGreaterThan(0);
  expect(await collectionsOf('saving')).toBe(0);
});
