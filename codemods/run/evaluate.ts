/** What the code of a run does: every component of its import graph is evaluated, each in whatever thread is free. */
import { availableParallelism } from 'node:os';
import type { ComponentResult } from '../component/component.ts';
import { resolverOf } from '../find/resolver.ts';
import type { Walk } from '../find/walk.ts';
import type { MigrateOptions } from '../result.ts';
import { needlesOf } from '../verdict/routes.ts';
import { analyseAll } from './analyse-all.ts';
import type { Surroundings } from './surroundings.ts';
import { tasksOf } from './tasks.ts';

/** @throws the signal's reason once it is aborted */
export async function evaluate(
  walked: Walk,
  { found, named, texts }: Surroundings,
  { jobs, signal, background = signal !== undefined, onProgress }: Pick<MigrateOptions, 'jobs' | 'signal' | 'background' | 'onProgress'>,
): Promise<readonly ComponentResult[]> {
  const { cwd } = walked;
  const { modules } = found;
  const resolve = resolverOf(cwd, modules);
  const documents = texts.filter(({ kind }) => kind === 'markdown');
  return analyseAll({ cwd, modules, bases: named }, await tasksOf(walked, found, documents, resolve, needlesOf(named)), {
    resolve,
    jobs: jobs ?? availableParallelism(),
    signal,
    isFree: background,
    onProgress,
  });
}
