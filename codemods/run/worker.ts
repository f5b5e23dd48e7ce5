/** A thread that analyses the components it is sent, one after the other. */
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ComponentFile } from '../component/component-file.ts';
import { onWork } from '../working-on.ts';
import type { Message, ThreadData } from './threads.ts';

/** Milliseconds between two messages about the file that is worked on. */
const pace = 100;

const { context, compileCache, isWatched }: ThreadData = workerData;
// V8's own numbers, whatever the run was told before: a thread is there where much is to be done.
setFlagsFromString('--invocation-count-for-maglev=400');
setFlagsFromString('--invocation-count-for-maglev-osr=100');
// A young generation that may not grow to what `threads.ts` allows has much taken for old that is not: a quarter of a large run's time.
setFlagsFromString('--semi-space-growth-factor=2');
// Before anything large is loaded: threads do not take it over.
if (compileCache !== undefined) enableCompileCache(compileCache);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const tell = (message: Message): void => parentPort?.postMessage(message);
const { analystOf } = await import('./analyst.ts');
const analyse = await analystOf(context);
let seen = new Set<string>();
let asked = 0;
if (isWatched) {
  let next = 0;
  onWork((at, work) => {
    seen.add(at);
    if (work === 'ask') asked++;
    if (performance.now() < next) return;
    next = performance.now() + pace;
    tell({ at, seen: seen.size, asked });
  });
}
parentPort?.on('message', async (files: readonly ComponentFile[]) => {
  seen = new Set();
  asked = 0;
  tell({ result: await analyse(files) });
});
