/** Components in threads: each on its own, so that one that kills its thread loses nothing but itself. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ComponentFile } from '../component/component-file.ts';
import type { ComponentResult } from '../component/component.ts';
import type { RunContext } from './analyst.ts';
import { shareTexts } from './share-texts.ts';

/** Run from the sources as from what is built of them. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
/** As much stack as the main thread has by default, with what Node keeps back: else the same file could be too deep in one of them only. */
const stackSizeMb = (984 + 192) / 1024;
/** What ends its stack at the first try is mostly code that is made of many of its like: it has one that is as deep as a program of that size needs. */
const deepStack: ResourceLimits = { stackSizeMb: 32 };
/** Most of what is made for a file is let go with it: with 8 MB for it, much was kept by then, and a tenth more time was spent on collecting it. */
const maxYoungGenerationSizeMb = 48;
/**
 * What a thread may use at the first try, and at the second what Node allows, mostly a quarter of the machine: a heap that may become that large grows to
 * four times what is in use before V8 collects it, one of 1 GB to about one and a half times that.
 */
const tries: readonly ResourceLimits[] = [{ maxOldGenerationSizeMb: 1000 }, deepStack];
/** Files of a component that may well need more than the first try has: it would be done twice. */
const manyFiles = 4_000;
const triesFor = ({ length }: readonly ComponentFile[]): readonly ResourceLimits[] => (length > manyFiles ? [{}, deepStack] : tries);
/** Bytes of heap. */
const worthLettingGo = 64 * 2 ** 20;

/** Of what Node was started with, threads are only to be measured as it is; a value may stand as a word of its own: `--cpu-prof-interval 4000`. */
export const profilingOf = (flags: readonly string[]): string[] =>
  flags.filter((flag, i) => isProfiling(flag) || (!flag.startsWith('-') && isProfiling(flags[i - 1] ?? '')));
const isProfiling = (flag: string): boolean => flag.startsWith('--cpu-prof');

/** What a thread is started with. */
export interface ThreadData {
  readonly context: RunContext;
  /** Whether it shall say which file it is working on. */
  readonly isWatched: boolean;
  /** Where what was compiled once is kept, if whoever runs this keeps it. */
  readonly compileCache: string | undefined;
}

/** A file that is being worked on, how many of its component were so far, and how many questions about these were asked. */
export interface At {
  readonly at: string;
  readonly seen: number;
  readonly asked: number;
}

/** What a thread says: how far it is, and what came out of a component. */
export type Message = At | { readonly result: ComponentResult };

export interface Threads {
  readonly count: number;
  readonly signal: AbortSignal | undefined;
  /** One for each try that a component has: whatever kills a thread may be what came before, or that it may use too little. */
  readonly limits?: readonly ResourceLimits[];
  /** Called with the component's place among all. */
  readonly onDone: (index: number, result: ComponentResult | Error) => void;
  /** Called now and then, with the component's place among all. */
  readonly onFile?: ((index: number, at: At) => void) | undefined;
}

/**
 * Analyses components, several at a time; the large ones first, that none of them is left to one thread in the end.
 * @throws the signal's reason once it is aborted
 */
export async function inThreads(context: RunContext, components: readonly (readonly ComponentFile[])[], threads: Threads): Promise<void> {
  const { limits, onDone } = threads;
  const queue = [...components.entries()].toSorted(([, one], [, other]) => other.length - one.length).values();
  const work = async (): Promise<void> => {
    const thread = new Thread(context, threads);
    try {
      // All threads take from one queue.
      for (const [index, files] of queue) {
        let result: ComponentResult | Error = new Error();
        for (const each of limits ?? triesFor(files)) if (result instanceof Error) result = await thread.analyse(index, files, each);
        onDone(index, result);
      }
    } finally {
      await thread.end();
    }
  };
  await Promise.all([...Array.from({ length: threads.count }, work), letGo()]);
}

/** Analyses one component that ended the stack of this thread, in one that has more of it. */
export async function inDeepThread(
  context: RunContext,
  files: readonly ComponentFile[],
  signal: AbortSignal | undefined,
): Promise<ComponentResult | Error> {
  const thread = new Thread(context, { signal });
  try {
    return await thread.analyse(0, files, deepStack);
  } finally {
    await thread.end();
  }
}

/**
 * Gives back what this thread does not need while it waits. What it made while it read all files is a third of a large run's memory, which V8 keeps until
 * something more is asked for.
 */
async function letGo(): Promise<void> {
  if (getHeapStatistics().total_heap_size < worthLettingGo) return;
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

class Thread {
  readonly #context: RunContext;
  readonly #signal: AbortSignal | undefined;
  readonly #onFile: Threads['onFile'];
  #worker: Worker | undefined;

  constructor(context: RunContext, { signal, onFile }: Pick<Threads, 'signal' | 'onFile'>) {
    this.#context = context;
    this.#signal = signal;
    this.#onFile = onFile;
  }

  /**
   * @param limits for the thread, where it is not there yet
   * @returns the error that the thread died of, which says nothing where it merely ended
   */
  async analyse(index: number, files: readonly ComponentFile[], limits: ResourceLimits): Promise<ComponentResult | Error> {
    this.#signal?.throwIfAborted();
    this.#worker ??= this.#start(limits);
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<ComponentResult | Error>();
    const onMessage = (message: Message): void => ('at' in message ? this.#onFile?.(index, message) : resolve(message.result));
    const onEnd = (): void => resolve(new Error());
    const onAbort = (): void => reject(this.#signal?.reason);
    worker.on('message', onMessage).on('error', resolve).on('exit', onEnd);
    this.#signal?.addEventListener('abort', onAbort);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage(files);
      const result = await promise;
      if (result instanceof Error) await this.end();
      else shareTexts(result);
      return result;
    } finally {
      worker.off('message', onMessage).off('error', resolve).off('exit', onEnd);
      this.#signal?.removeEventListener('abort', onAbort);
    }
  }

  #start(limits: ResourceLimits): Worker {
    const folder = getCompileCacheDir();
    const workerData: ThreadData = {
      context: this.#context,
      isWatched: this.#onFile !== undefined,
      // It is told with the subfolder of this version of Node, and asked for without.
      compileCache: folder && dirname(folder),
    };
    const worker = new Worker(entry, {
      workerData,
      resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb, ...limits },
      execArgv: profilingOf(process.execArgv),
    });
    // The task that waits for it fails; while the thread is being ended, none waits.
    return worker.on('error', () => undefined);
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
