/**
 * A run of the codemods, as the list of its verbs: find → read → evaluate → judge → edit → report. Each stands in the room of that
 * name; what spans files and threads stands in run/. To report is the caller's: what comes back is data.
 */
import { performance } from 'node:perf_hooks';
import { accepted } from './edit/accepted.ts';
import { refuseUncommitted, refuseUnversioned } from './edit/committed.ts';
import { prepare } from './edit/prepare.ts';
import { recover } from './edit/recover.ts';
import { writeAll } from './edit/write-all.ts';
import { resolverOf } from './find/resolver.ts';
import { scan } from './find/scan.ts';
import { type Walk, walk } from './find/walk.ts';
import type { MigrateOptions, MigrateResult } from './result.ts';
import { evaluate } from './run/evaluate.ts';
import { notLookedFor } from './run/changing.ts';
import { judge, type Judged } from './run/judge.ts';
import { packagesOf } from './run/moved-passages.ts';
import { surroundings } from './run/surroundings.ts';
import { analysedWith } from './run/texts-with-code.ts';
import { basesOf } from './verdict/bases.ts';
import { type Bases, needlesOf } from './verdict/routes.ts';

/**
 * Finds v1 calls under the given paths and rewrites those that are proven to go to one of the bases.
 * @returns what was and was not done; files that failed are among `failures` and never stop the others
 * @throws MigrateError where the run may not begin: changes that git does not know or could not give back, or a base that is none
 * @throws FindError where a given path cannot be looked at
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const start = performance.now();
  const { cwd } = options;
  const bases = basesOf(options);
  options.onProgress?.({ phase: 'scan', done: 0, total: 0 });
  const walked = walk(options);
  const isWriting = options.dryRun !== true && options.v1Base.length > 0;
  const { recoveries, failed: unclear } = await recover(walked, isWriting);
  for (const recovery of recoveries) options.onRecovery?.(recovery);
  if (isWriting && options.force !== true) await refuseUncommitted(options);

  const { plan, failures, files, costs, parse, versions } = await planRun(walked, options, bases);
  const comments = options.todo === true ? await (await import('./report/todo-comments.ts')).todoOf(cwd, plan.findings) : [];
  const edits = [...(await accepted(plan, options.accept)), ...comments];
  const prepared = await prepare({ cwd, edits, parse, versions, isWriting });
  if (isWriting && options.force !== true && prepared.changed.length > 0) await refuseUnversioned(options, options.confirm);
  const { written, failed } = isWriting ? await writeAll(options, prepared.changed, prepared.edits) : { written: [], failed: [] };
  return {
    plan: { ...plan, edits: [...plan.edits, ...comments] },
    changed: prepared.changed,
    written,
    failures: [...unclear, ...failures, ...prepared.failed, ...failed],
    files,
    costs,
    elapsedMs: performance.now() - start,
  };
}

/**
 * The part before anything is chosen or changed: what would become of every place.
 * @throws the signal's reason once it is aborted
 */
export async function planRun(walked: Walk, options: MigrateOptions, bases: Bases): Promise<Judged> {
  const found = scan(walked, needlesOf(bases), (done) => options.onProgress?.({ phase: 'scan', done, total: walked.files.length }));
  const read = await surroundings(found, walked, bases, packagesOf(walked.files));
  const resolve = resolverOf(walked.cwd, found.modules, walked.names);
  const evaluated = await evaluate(walked, read, resolve, options);
  const texts = analysedWith(evaluated, read, walked.files, bases);
  const more = notLookedFor([...evaluated.results, ...texts.map(({ taken: variables }) => ({ variables }))], read.named);
  const wider = more.length === 0 ? read : await read.watching(more);
  const judged = await judge(
    walked,
    wider,
    wider === read ? evaluated : await evaluate(walked, wider, resolve, options, evaluated),
    bases,
    resolve,
  );
  if (judged.asks.length === 0) return judged;
  // Loaded as late as this: most runs find nothing to do.
  const { withSchedules } = await import('./run/schedules.ts');
  const { withSourcedPolls } = await import('./run/sourced-polls.ts');
  return { ...judged, plan: withSourcedPolls(await withSchedules(judged.plan, walked, judged.asks), walked, judged.asks) };
}
