/** Islands in threads: each on its own, so that one that kills its thread loses nothing but itself. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { IslandFile, IslandResult } from '../component/component.ts';
import type { Setting } from './analyst.ts';
import { shareTexts } from './share-texts.ts';

/** Run from the sources as from what is built of them. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
/** As much stack as the main thread has by default, with what Node keeps back: else the same file could be too deep in one of them only. */
const stackSizeMb = (984 + 192) / 1024;
/** Most of what is made for a file is let go with it: a large young generation only holds it longer. */
const maxYoungGenerationSizeMb = 8;

/** What a thread is started with. */
export interface ThreadData {
  readonly setting: Setting;
  /** Where what was compiled once is kept, if whoever runs this keeps it. */
  readonly compileCache: string | undefined;
}

export interface Threads {
  readonly count: number;
  readonly signal: AbortSignal | undefined;
  readonly limits?: ResourceLimits;
  /** Called with the island's place among all. */
  readonly onDone: (index: number, result: IslandResult | undefined) => void;
}

/**
 * Analyses islands in the order given, several at a time.
 * @throws the signal's reason once it is aborted
 */
export async function inThreads(setting: Setting, islands: readonly (readonly IslandFile[])[], threads: Threads): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    const thread = new Thread(setting, threads);
    try {
      for (let index = next++; index < islands.length; index = next++) {
        const files = islands[index] ?? [];
        // Whatever killed the thread may be what came before: the island gets a fresh one, once.
        threads.onDone(index, (await thread.analyse(files)) ?? (await thread.analyse(files)));
      }
    } finally {
      await thread.end();
    }
  };
  await Promise.all(Array.from({ length: threads.count }, work));
}

class Thread {
  readonly #setting: Setting;
  readonly #signal: AbortSignal | undefined;
  readonly #limits: ResourceLimits;
  #worker: Worker | undefined;

  constructor(setting: Setting, { signal, limits }: Threads) {
    this.#setting = setting;
    this.#signal = signal;
    this.#limits = { stackSizeMb, maxYoungGenerationSizeMb, ...limits };
  }

  /** @returns undefined where the thread died of it */
  async analyse(files: readonly IslandFile[]): Promise<IslandResult | undefined> {
    this.#signal?.throwIfAborted();
    this.#worker ??= this.#start();
    const settled = new AbortController();
    const signal = this.#signal === undefined ? settled.signal : AbortSignal.any([settled.signal, this.#signal]);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      this.#worker.postMessage(files);
      const answered = once(this.#worker, 'message', { signal }).then(([result]): IslandResult => {
        shareTexts(result);
        return result;
      });
      return await Promise.race([answered, once(this.#worker, 'exit', { signal }).then(() => undefined)]);
    } catch {
      this.#signal?.throwIfAborted();
      await this.end();
      return undefined;
    } finally {
      settled.abort();
    }
  }

  #start(): Worker {
    const folder = getCompileCacheDir();
    // It is told with the subfolder of this version of Node, and asked for without.
    const workerData: ThreadData = { setting: this.#setting, compileCache: folder && dirname(folder) };
    return new Worker(entry, { workerData, resourceLimits: this.#limits });
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
