/**
 * A run of the codemods, as the list of its verbs: find → read → analyse → judge → edit → report. Files are found in find/, read and analysed in run/ –
 * there component/ is asked for each component of the import graph –, judged in judge/ and edited in edit/. To report is the caller's: what comes back is data.
 */
import { performance } from 'node:perf_hooks';
import { libraryHomes } from './clients/library-homes.ts';
import { accepted } from './edit/accepted.ts';
import { refuseUncommitted, refuseUnversioned } from './edit/uncommitted.ts';
import { prepare } from './edit/prepare.ts';
import { recover } from './edit/recover.ts';
import { writeAll } from './edit/write-all.ts';
import { resolverOf } from './find/modules/resolver.ts';
import { type Scan, scan } from './find/scan.ts';
import { type Walk, walk } from './find/walk.ts';
import type { MigrateOptions, MigrateResult } from './result.ts';
import { analyse } from './run/analyse.ts';
import { variablesNotWatched, withDefaults } from './judge/variables-by-default.ts';
import { judge, type Judged } from './judge/judge.ts';
import { withNamedAddresses } from './run/named-addresses.ts';
import { readSurroundings } from './run/surroundings.ts';
import { analyseBeside } from './run/analyse-beside.ts';
import { basesOf } from './verdict/bases/bases.ts';
import { type Bases, needlesOf } from './verdict/bases/routes.ts';

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
export async function planRun(walked: Walk, options: MigrateOptions, given: Bases): Promise<Judged> {
  const scanFor = (bases: Bases): Scan =>
    scan(walked, needlesOf(bases), (done) => options.onProgress?.({ phase: 'scan', done, total: walked.files.length }));
  const first = scanFor(given);
  const bases = await withNamedAddresses(first, walked, given);
  const found = bases.v1.length === given.v1.length ? first : scanFor(bases);
  const resolve = resolverOf(walked.cwd, found.modules, libraryHomes, walked.names);
  let read = await readSurroundings(found, walked, bases);
  let analysed = await analyse(walked, read, resolve, options);
  let beside = analyseBeside(analysed, read, walked.files, bases);
  // Variables that only the code proves to be ours: whatever else reads them is looked at, too.
  const more = variablesNotWatched([...analysed.results, ...beside.map(({ taken: variables }) => ({ variables }))], read.named);
  if (more.length > 0) {
    const watched = await read.watching(more);
    read = { ...watched, named: withDefaults(watched, analysed.results, walked.files) };
    analysed = await analyse(walked, read, resolve, options, analysed);
    beside = analyseBeside(analysed, read, walked.files, bases);
  }
  return judge(walked, read, analysed, beside, bases, resolve);
}
