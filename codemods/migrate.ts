/** A run of the codemods, from paths to a result: find → identify → plan → apply. Telling it is the caller's (tell/). */
import { performance } from 'node:perf_hooks';
import { prepare } from './edit/prepare.ts';
import { refuseUncommitted } from './edit/committed.ts';
import { discard } from './edit/write.ts';
import { writeAll } from './edit/write-all.ts';
import { basesOf } from './verdict/bases.ts';
import { checkPaths } from './find/walk.ts';
import type { Edit, Plan } from './model.ts';
import { planRun } from './run/plan-run.ts';
import type { Group, MigrateOptions, MigrateResult } from './result.ts';

/**
 * Finds v1 calls under the given paths and rewrites those that are proven to go to one of the bases.
 * @returns what was and was not done; files that failed are among `failures` and never stop the others
 * @throws MigrateError where the run may not begin: uncommitted changes, or a base that is none
 * @throws FindError where a given path cannot be looked at
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const start = performance.now();
  const bases = basesOf(options);
  checkPaths(options);
  const isWriting = options.dryRun !== true && options.v1Base.length > 0;
  if (isWriting && options.force !== true) await refuseUncommitted(options);
  const { plan, failures, files, parse, versions, leftOver } = await planRun(options, bases);
  const comments = options.todo === true ? await (await import('./report/todo-comments.ts')).todoOf(options.cwd, plan.findings) : [];
  const edits = [...(await acceptedEdits(plan, options)), ...comments];
  const prepared = await prepare({ cwd: options.cwd, edits, parse, versions, isWriting });
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

/** Asks for each group, in the order of the files; edits without a group of calls go by their own. */
async function acceptedEdits(plan: Plan, { accept }: MigrateOptions): Promise<readonly Edit[]> {
  const { edits, calls } = plan;
  if (accept === undefined) return edits;
  const accepted: Edit[] = [];
  for (const [id, own] of Map.groupBy(edits, ({ group }) => group)) {
    const group: Group = {
      id,
      calls: calls.filter((call) => call.group === id),
      edits: own,
      files: [...new Set(own.map(({ file }) => file))],
    };
    if (await accept(group, plan)) accepted.push(...own);
  }
  return accepted;
}
