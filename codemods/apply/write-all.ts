/** Writes all changed files, one after the other. */
import { resolve } from 'node:path';
import type { Finding } from '../model.ts';
import type { ChangedFile, MigrateOptions } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { writeText } from './write.ts';

/** @returns what was written; it stops before the next file when the signal says so */
export async function writeAll(
  { cwd, onProgress, signal }: Pick<MigrateOptions, 'cwd' | 'onProgress' | 'signal'>,
  changed: readonly ChangedFile[],
): Promise<{ readonly written: string[]; readonly failed: Finding[] }> {
  const written: string[] = [];
  const failed: Finding[] = [];
  for (const { file, before, after } of changed) {
    if (signal?.aborted === true) break;
    try {
      await writeText({ path: resolve(cwd, file), before, after });
      written.push(file);
    } catch (error) {
      if (!(error instanceof ApplyError)) throw error;
      failed.push(failureOf(file, error));
    }
    onProgress?.({ phase: 'write', done: written.length + failed.length, total: changed.length });
  }
  return { written, failed };
}
