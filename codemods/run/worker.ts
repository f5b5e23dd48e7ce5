/** A thread that analyses the islands it is sent, one after the other. */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { IslandFile } from '../component/component.ts';
import type { ThreadData } from './threads.ts';

const { setting, compileCache }: ThreadData = workerData;
// Before anything large is loaded: threads do not take it over.
if (compileCache !== undefined) enableCompileCache(compileCache);
const { analystOf } = await import('./analyst.ts');
const analyse = await analystOf(setting);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.on('message', async (files: readonly IslandFile[]) => parentPort?.postMessage(await analyse(files)));
