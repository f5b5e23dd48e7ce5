/** A thread that analyses the islands it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { IslandFile } from '../plan/island.ts';
import { analystOf } from './analyst.ts';

const analyse = await analystOf(workerData);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.on('message', async (files: readonly IslandFile[]) => parentPort?.postMessage(await analyse(files)));
