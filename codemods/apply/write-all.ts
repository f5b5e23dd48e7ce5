/** Writes all changed files: those that are changed together, together. */
import { resolve } from 'node:path';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile, MigrateOptions } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { together } from './together.ts';
import { type Staged, stage } from './write.ts';

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

/** First the new texts of all, then all names: so that the time in which a set is half written is as short as can be. */
async function writeSet(
  cwd: string,
  set: readonly ChangedFile[],
  signal: AbortSignal | undefined,
): Promise<'stopped' | { readonly written: string[]; readonly failed: Finding[] }> {
  const staged = new Map<string, Staged>();
  const written: string[] = [];
  let at = '';
  try {
    for (const { file, before, after } of set) {
      if (signal?.aborted === true) return 'stopped';
      at = file;
      staged.set(file, await stage({ path: resolve(cwd, file), before, after }));
    }
    for (const [file, { check }] of staged) {
      at = file;
      check();
    }
    for (const [file, { commit }] of staged) {
      at = file;
      commit();
      written.push(file);
    }
    return { written, failed: [] };
  } catch (error) {
    if (!(error instanceof ApplyError)) throw error;
    return { written, failed: [failureOf(at, error)] };
  } finally {
    for (const [file, { discard }] of staged) if (!written.includes(file)) discard();
  }
}
