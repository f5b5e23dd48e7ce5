/** Every component of the import graph is analysed, each in whatever thread is free. */
import { availableParallelism } from 'node:os';
import type { ComponentFile } from '../component/component-file.ts';
import type { ComponentResult } from '../component/component.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Texts } from '../find/files/texts.ts';
import type { Walk } from '../find/walk.ts';
import type { MigrateOptions } from '../result.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { analyseAll } from './analyse-all.ts';
import type { Surroundings } from './surroundings.ts';
import { tasksOf } from './tasks.ts';
import { withPrograms } from './variable-owners.ts';

/** What was analysed: the results in the order of the components. */
export interface Analysed {
  readonly components: readonly (readonly ComponentFile[])[];
  readonly results: readonly ComponentResult[];
}

type How = Pick<MigrateOptions, 'jobs' | 'signal' | 'background' | 'proofs' | 'onProgress'>;

/**
 * @param resolve the run's
 * @param before what was analysed of fewer files, or with fewer variables: what is the same is not done again
 * @throws the signal's reason once it is aborted
 */
export async function analyse(
  walked: Walk,
  { found, named, texts }: Surroundings,
  resolve: Resolve,
  { jobs, signal, background = signal !== undefined, proofs, onProgress }: How,
  before?: Analysed,
): Promise<Analysed> {
  const { cwd } = walked;
  const { modules } = found;
  const documents = texts.filter(({ kind }) => kind === 'markdown');
  const components = await tasksOf(walked, found, documents, resolve, named);
  const known = new Map(before?.components.map((files, index) => [keyOf(files), before.results[index]]));
  const reused = components.map((files) => {
    const result = known.get(keyOf(files));
    return result !== undefined && !readsMore(found.texts, files, result, named) ? result : undefined;
  });
  const fresh = await analyseAll(
    { cwd, modules, bases: withPrograms(named, components, found.texts), proofs },
    components.filter((_, index) => reused[index] === undefined),
    { resolve, jobs: jobs ?? ownThreads(), isApart: jobs === undefined, signal, isFree: background, onProgress },
  );
  let next = 0;
  return { components, results: reused.flatMap((result) => result ?? fresh[next++] ?? []) };
}

/** The compiler and the collector of V8 have threads of their own, which keep one core busy: a thread for that core, too, costs a quarter more and gains little. */
const ownThreads = (): number => Math.max(1, availableParallelism() - 1);

const keyOf = (files: readonly ComponentFile[]): string =>
  files.map(({ file, isCandidate, parts = [] }) => `${file} ${isCandidate} ${parts.join(' ')}`).join('\0');

/** Whether a watched variable is named by more of a component than the requests that begin with it. */
function readsMore(texts: Texts, files: readonly ComponentFile[], { variables }: ComponentResult, { watched = new Set() }: Bases): boolean {
  const read = [...new Set(files.map(({ file }) => file))].map((file) => texts.utf8(file));
  return [...watched].some((name) => {
    const known = new Set(variables.flatMap((use) => (use.name === name && use.group !== undefined ? `${use.file} ${use.start}` : [])));
    return read.reduce((sum, text) => sum + text.split(name).length - 1, 0) > known.size;
  });
}
