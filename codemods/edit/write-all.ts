/**
 * Writes all changed files of a run: the new texts of all first, then all names, so that the time in which a run is half written is as
 * short as can be; and a journal, so that a run which is killed in it is completed (docs/architecture/writing.md).
 */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile, MigrateOptions } from '../result.ts';
import { failureOf } from './failure.ts';
import { flushFolders, Journal } from './journal.ts';
import { type Part, partsOf } from './parts.ts';
import { asApplyError, stageAll, type Target, type Targets } from './stage-all.ts';
import { together } from './together.ts';
import { check, commit, discard, placeOf, writeText } from './write.ts';

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
      targets.push({ change, ...placeOf(resolve(cwd, change.file)) });
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
    const staged = await stageAll(sets, { signal, onStaged, failed: all.failed });
    await flushFolders(targets.map(({ temporary }) => temporary));
    if (signal?.aborted === true) return all;
    journal?.commit(staged.flatMap(({ files }) => files));
    for (const { set } of staged) {
      const { written, failed } = await take(set, cwd);
      all.written.push(...written);
      all.failed.push(...failed);
      // Lets a second signal come in.
      await setImmediate();
    }
    await flushFolders(targets.map(({ real }) => real));
    return all;
  } finally {
    const isWritten = new Set(all.written);
    for (const { change, temporary } of targets) if (!isWritten.has(change.file)) discard(temporary);
    journal?.close();
  }
}

/** All of a set take their new texts. Where the system refuses one, those before it are put back. */
async function take(set: Targets, cwd: string): Promise<Written> {
  const taken: ChangedFile[] = [];
  let at = '';
  try {
    for (const target of set) {
      at = target.change.file;
      check(target, target.change.before);
    }
    for (const target of set) {
      at = target.change.file;
      commit(target);
      taken.push(target.change);
    }
    return { written: taken.map(({ file }) => file), failed: [] };
  } catch (error) {
    const left = await putBack(cwd, taken);
    const state: Finding['detail'] = left.length === 0 ? {} : { state: 'it is as it was, but not all that would change together with it' };
    return { written: left.map(({ file }) => file), failed: [withDetail(failureOf(at, asApplyError(error)), state), ...left] };
  }
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
