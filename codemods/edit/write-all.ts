/**
 * Writes all changed files of a run: the new texts of all first, then all names, so that the time in which a run is half written is as
 * short as can be; and a journal, so that a run which is killed in it is completed (docs/architecture/writing.md).
 */
import { resolve } from 'node:path';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile, MigrateOptions } from '../result.ts';
import { failureOf } from './failure.ts';
import { flushFolders, Journal } from './journal.ts';
import { inParallel } from './parallel.ts';
import { type Part, partsOf } from './parts.ts';
import { asApplyError, stageAll, type Target, type Targets } from './stage-all.ts';
import { together } from './together.ts';
import { check, commit, discardAll, destinationOf, writeText } from './write.ts';

type Options = Pick<MigrateOptions, 'cwd' | 'onProgress' | 'signal'>;

interface Written {
  readonly written: string[];
  readonly failed: Finding[];
}

/**
 * A set of files of which one cannot be written is left as it was.
 * @returns what was written: nothing where the signal came before the first file took its new text
 */
export async function writeAll(
  { cwd, onProgress, signal }: Options,
  changed: readonly ChangedFile[],
  edits: readonly Pick<Edit, 'file' | 'group'>[],
): Promise<Written> {
  const all: Written = { written: [], failed: [] };
  let done = 0;
  const onStaged = (): void => onProgress?.({ phase: 'write', done: done++, total: changed.length });
  onStaged();
  const sets = together(changed, edits).flatMap((set) => targetsOf(cwd, set, all.failed));
  for (const part of partsOf(sets)) {
    const { written, failed } = await write(part, cwd, signal, onStaged);
    all.written.push(...written);
    all.failed.push(...failed);
  }
  return all;
}

/** @returns none where one of the files may not be written */
function targetsOf(cwd: string, set: readonly ChangedFile[], failed: Finding[]): Targets[] {
  const targets: Target[] = [];
  for (const change of set) {
    try {
      targets.push({ change, ...destinationOf(resolve(cwd, change.file)) });
    } catch (error) {
      failed.push(failureOf(change.file, asApplyError(error)));
      return [];
    }
  }
  return [targets];
}

async function write({ sets, folder }: Part, cwd: string, signal: AbortSignal | undefined, onStaged: () => void): Promise<Written> {
  const all: Written = { written: [], failed: [] };
  const targets = sets.flat();
  /** New texts that are on the disk, or may be, by the names of their files. */
  const begun = new Map<string, string>();
  let journal: Journal | undefined;
  try {
    if (folder !== undefined)
      journal = new Journal(
        folder,
        targets.map(({ temporary }) => temporary),
      );
  } catch (error) {
    const { failed } = all;
    for (const [first] of sets) if (first !== undefined) failed.push(failureOf(first.change.file, asApplyError(error)));
    return all;
  }
  try {
    const staged = await stageAll(sets, { signal, onStaged, failed: all.failed, begun });
    if (signal?.aborted !== true) await flushFolders(targets.map(({ temporary }) => temporary));
    if (signal?.aborted === true) return all;
    journal?.commit(staged.flatMap(({ files }) => files));
    const outcomes = new Map<Targets, Written>();
    await inParallel(staged, async ({ set }) => void outcomes.set(set, await take(set, cwd)));
    for (const { set } of staged) {
      const { written, failed } = outcomes.get(set) ?? all;
      all.written.push(...written);
      all.failed.push(...failed);
    }
    await flushFolders(targets.map(({ real }) => real));
    return all;
  } finally {
    for (const file of all.written) begun.delete(file);
    await discardAll(begun.values());
    journal?.close();
  }
}

/** All of a set take their new texts. Where the system refuses one, the others are put back. */
async function take(set: Targets, cwd: string): Promise<Written> {
  const taken = new Set<Target>();
  let fault: Finding | undefined;
  const attempt = async (target: Target, work: () => void | Promise<void>): Promise<void> => {
    if (fault !== undefined) return;
    try {
      await work();
    } catch (error) {
      fault ??= failureOf(target.change.file, asApplyError(error));
    }
  };
  for (const target of set) await attempt(target, () => check(target, target.change.before));
  await inParallel(set, (target) => attempt(target, async () => (await commit(target), void taken.add(target))));
  const changes = set.filter((target) => taken.has(target)).map(({ change }) => change);
  if (fault === undefined) return { written: changes.map(({ file }) => file), failed: [] };
  const left = await putBack(cwd, changes);
  const state: Finding['detail'] = left.length === 0 ? {} : { state: 'it is as it was, but not all that would change together with it' };
  return { written: left.map(({ file }) => file), failed: [withDetail(fault, state), ...left] };
}

/** @returns for each file that keeps its new text, why */
async function putBack(cwd: string, taken: readonly ChangedFile[]): Promise<Finding[]> {
  const left: Finding[] = [];
  for (const { file, before, after } of taken) {
    try {
      await writeText({ path: resolve(cwd, file), before: after, after: before });
    } catch (error) {
      const state = 'it was written and could not be put back, though what belongs to it is as it was';
      left.push(withDetail(failureOf(file, asApplyError(error)), { state }));
    }
  }
  return left;
}

const withDetail = (finding: Finding, more: Finding['detail']): Finding => ({ ...finding, detail: { ...finding.detail, ...more } });
