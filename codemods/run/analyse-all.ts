/** Analyses all components of a run; the results are the same in whatever threads they are made. */
import { setImmediate } from 'node:timers/promises';
import type { ResourceLimits } from 'node:worker_threads';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Finding } from '../model.ts';
import type { ComponentFile } from '../component/component-file.ts';
import type { ComponentResult } from '../component/component.ts';
import type { Progress } from '../result.ts';
import type { RunContext } from './analyst.ts';
import { type At, inDeepThread, inThreads, type Threads } from './threads.ts';

/** A thread takes as long to start as some hundred files take. */
const filesPerThread = 100;
/** Files of one component, which are in memory at the same time: fewer need no thread to be safe from what they take. */
const filesApart = 200;

export interface Jobs {
  /** How many threads at most. */
  readonly jobs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether this thread is to stay free meanwhile: to show how far it is, and to stop within a component. */
  readonly isFree?: boolean | undefined;
  /** Whether many files are left to another thread, though it be one. */
  readonly isApart?: boolean | undefined;
  /** For components that are analysed in this thread. */
  readonly resolve?: Resolve;
  /** What a thread may use: see `Threads`. */
  readonly limits?: readonly ResourceLimits[];
  /** Called before the first and after each component, and now and then in between. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * @returns the results in the order of the components
 * @throws the signal's reason once it is aborted
 */
export async function analyseAll(
  context: RunContext,
  components: readonly (readonly ComponentFile[])[],
  how: Jobs,
): Promise<ComponentResult[]> {
  const { jobs, signal, limits, isFree, isApart, onProgress } = how;
  const results = new Map<number, ComponentResult>();
  const files = components.flat();
  let done = 0;
  let current: string | undefined;
  /** Files of components that are not done. */
  const begun = new Map<number, number>();
  /** Questions about each component. */
  const asked = new Map<number, number>();
  const tell = (): void => {
    const seen = [...begun.values()].reduce((sum, count) => sum + count, done);
    const count = { done: results.size, total: components.length };
    const questions = [...asked.values()].reduce((sum, own) => sum + own, 0);
    const progress: Progress = { phase: 'analyse', done: seen, total: files.length, components: count, at: current };
    onProgress?.(questions === 0 ? progress : { ...progress, questions });
  };
  const onFile = (index: number, { at, seen, asked: own }: At): void => {
    current = at;
    asked.set(index, own);
    begun.set(index, Math.min(seen, components[index]?.length ?? 0));
    tell();
  };
  const onDone = (index: number, result: ComponentResult | Error): void => {
    const own = components[index] ?? [];
    results.set(index, result instanceof Error ? lost(own, result) : result);
    begun.delete(index);
    done += own.length;
    tell();
  };
  tell();
  const candidates = files.filter(({ isCandidate }) => isCandidate).length;
  const count = Math.min(jobs, components.length, Math.floor(candidates / filesPerThread));
  // Whatever kills a thread, such as too little memory, leaves the run alive.
  const isLarge = candidates >= filesPerThread || components.some(({ length }) => length >= filesApart);
  if (components.length > 0 && (count > 1 || isFree === true || (isLarge && (jobs > 1 || isApart === true)))) {
    await inThreads(context, components, {
      count: Math.max(count, 1),
      signal,
      onDone,
      onFile: onProgress && onFile,
      ...(limits === undefined ? {} : { limits }),
    });
  } else await here(context, components, how, onDone);
  return components.flatMap((_, index) => results.get(index) ?? []);
}

async function here(
  context: RunContext,
  components: readonly (readonly ComponentFile[])[],
  { signal, resolve }: Jobs,
  onDone: Threads['onDone'],
): Promise<void> {
  if (components.length === 0) return;
  // All that analyses is loaded as late as this: most runs find nothing to do.
  const { analystOf } = await import('./analyst.ts');
  const analyse = await analystOf(context, resolve);
  for (const [index, files] of components.entries()) {
    // Lets a signal come in.
    await setImmediate();
    signal?.throwIfAborted();
    // As where a thread dies of it: the other components go on, and a finding names this one.
    const result = await analyse(files).catch((cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause))));
    onDone(index, result instanceof RangeError ? await inDeepThread(context, files, signal) : result);
  }
}

/** The finding for a component that could not be analysed. */
function lost(files: readonly ComponentFile[], { message }: Error): ComponentResult {
  const detail: Finding['detail'] = message === '' ? {} : { reason: message };
  const failures = files
    .filter(({ isCandidate, isGenerated }) => isCandidate && isGenerated !== true)
    .map(({ file }): Finding => ({ code: 'worker-died', file, start: 0, end: 0, line: 1, column: 1, detail }));
  const nothing = {
    edits: [],
    unfollowed: [],
    calls: [],
    findings: [],
    ledger: [],
    candidates: [],
    variables: [],
    readers: [],
    namedVariables: [],
    takenVariables: [],
    routes: [],
    askedByKey: [],
    looseCalls: [],
    strayCalls: [],
    pathMethods: [],
    keys: [],
    asksV2: false,
    asks: [],
    localAsks: [],
    fakes: [],
  };
  const costs = { steps: 0, questions: [], files: [] };
  const unread = files.map(({ file }) => file);
  const refused = unread.map((file) => ({ file, start: 0, end: Infinity, by: undefined }));
  return { ...nothing, costs, failures, unread, unreadBlocks: [], refused, parsed: 0, versions: new Map(), checked: new Map() };
}
