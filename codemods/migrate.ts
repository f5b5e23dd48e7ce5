/**
 * A run of the codemods, as the list of its verbs: find → read → evaluate → judge → edit → report. Each stands in the room of that
 * name; what spans files and threads stands in run/. To report is the caller's: what comes back is data.
 */
import { performance } from 'node:perf_hooks';
import { accepted } from './edit/accepted.ts';
import { refuseUncommitted } from './edit/committed.ts';
import { prepare } from './edit/prepare.ts';
import { discard } from './edit/write.ts';
import { writeAll } from './edit/write-all.ts';
import { findFiles } from './find/find-files.ts';
import { checkPaths } from './find/walk.ts';
import type { MigrateOptions, MigrateResult } from './result.ts';
import { evaluate } from './run/evaluate.ts';
import { judge, type Judged } from './run/judge.ts';
import { surroundings } from './run/surroundings.ts';
import { basesOf } from './verdict/bases.ts';
import { type Bases, needlesOf } from './verdict/routes.ts';

/**
 * Finds v1 calls under the given paths and rewrites those that are proven to go to one of the bases.
 * @returns what was and was not done; files that failed are among `failures` and never stop the others
 * @throws MigrateError where the run may not begin: uncommitted changes, or a base that is none
 * @throws FindError where a given path cannot be looked at
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const start = performance.now();
  const { cwd } = options;
  const bases = basesOf(options);
  checkPaths(options);
  const isWriting = options.dryRun !== true && options.v1Base.length > 0;
  if (isWriting && options.force !== true) await refuseUncommitted(options);

  const { plan, failures, files, parse, versions, leftOver } = await planRun(options, bases);
  const comments = options.todo === true ? await (await import('./report/todo-comments.ts')).todoOf(cwd, plan.findings) : [];
  const edits = [...(await accepted(plan, options.accept)), ...comments];
  const prepared = await prepare({ cwd, edits, parse, versions, isWriting });
  if (isWriting) for (const path of leftOver) discard(path);
  const { written, failed } = isWriting ? await writeAll(options, prepared.changed, prepared.edits) : { written: [], failed: [] };
  return {
    plan: { ...plan, edits: [...plan.edits, ...comments] },
    changed: prepared.changed,
    written,
    failures: [...failures, ...prepared.failed, ...failed],
    files,
    elapsedMs: performance.now() - start,
  };
}

/**
 * The first half, before anything is chosen or changed: what would become of every place.
 * @throws FindError where a given path cannot be looked at; the signal's reason once it is aborted
 */
export async function planRun(options: MigrateOptions, bases: Bases): Promise<Judged & { readonly leftOver: readonly string[] }> {
  options.onProgress?.({ phase: 'scan', done: 0, total: 0 });
  const found = findFiles(options, needlesOf(bases));
  const read = await surroundings(found.scan, found.cwd, bases);
  const components = await evaluate(found, read, options);
  return { ...judge(found, read, components, bases), leftOver: found.leftOver };
}
