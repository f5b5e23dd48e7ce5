/** Writes all changed files: those that are changed together, together. */
import { resolve } from 'node:path';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile, MigrateOptions } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { together } from './together.ts';
import { type Staged, stage, writeText } from './write.ts';

type Options = Pick<MigrateOptions, 'cwd' | 'onProgress' | 'signal'>;

/** A set of files of which one cannot be staged is left as it was. @returns what was written; it stops before the next set when the signal says so */
export async function writeAll(
  { cwd, onProgress, signal }: Options,
  changed: readonly ChangedFile[],
  edits: readonly Edit[],
): Promise<{ readonly written: string[]; readonly failed: Finding[] }> {
  const written: string[] = [];
  const failed: Finding[] = [];
  let done = 0;
  onProgress?.({ phase: 'write', done, total: changed.length });
  for (const set of together(changed, edits)) {
    const outcome = await writeSet(cwd, set, signal);
    if (outcome === 'stopped') break;
    written.push(...outcome.written);
    failed.push(...outcome.failed);
    done += set.length;
    onProgress?.({ phase: 'write', done, total: changed.length });
  }
  return { written, failed };
}

/**
 * First the new texts of all, then all names: so that the time in which a set is half written is as short as can be. Where a name fails,
 * those before it are put back.
 */
async function writeSet(
  cwd: string,
  set: readonly ChangedFile[],
  signal: AbortSignal | undefined,
): Promise<'stopped' | { readonly written: string[]; readonly failed: Finding[] }> {
  const staged = new Map<ChangedFile, Staged>();
  const written: ChangedFile[] = [];
  let at = '';
  try {
    for (const change of set) {
      if (signal?.aborted === true) return 'stopped';
      at = change.file;
      staged.set(change, await stage({ ...change, path: resolve(cwd, change.file) }));
    }
    for (const [{ file }, { check }] of staged) {
      at = file;
      check();
    }
    for (const [change, { commit }] of staged) {
      at = change.file;
      commit();
      written.push(change);
    }
    return { written: written.map(({ file }) => file), failed: [] };
  } catch (error) {
    if (!(error instanceof ApplyError)) throw error;
    const left = await putBack(cwd, written);
    const state: Finding['detail'] = left.length === 0 ? {} : { state: 'it is as it was, but not all that would change together with it' };
    return { written: left.map(({ file }) => file), failed: [withDetail(failureOf(at, error), state), ...left] };
  } finally {
    for (const [change, { discard }] of staged) if (!written.includes(change)) discard();
  }
}

/** @returns for each file that keeps its new text, why */
async function putBack(cwd: string, written: readonly ChangedFile[]): Promise<Finding[]> {
  const left: Finding[] = [];
  for (const { file, before, after } of written) {
    try {
      await writeText({ path: resolve(cwd, file), before: after, after: before });
    } catch (error) {
      if (!(error instanceof ApplyError)) throw error;
      left.push(
        withDetail(failureOf(file, error), { state: 'it was written and could not be put back, though what belongs to it is as it was' }),
      );
    }
  }
  return left;
}

const withDetail = (finding: Finding, more: Finding['detail']): Finding => ({ ...finding, detail: { ...finding.detail, ...more } });
