/** The new text of every file, proven before anything is written. */
import { resolve } from 'node:path';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { splice } from './splice.ts';
import { verify } from './verify.ts';
import { readText } from './write.ts';

export interface Prepared {
  readonly changed: readonly ChangedFile[];
  readonly failed: readonly Finding[];
}

/**
 * Applies edits to the texts of their files. A file that fails takes all edits of its groups with it, wherever they stand.
 * @param parse throws where an edited text does not parse
 */
export async function prepare(cwd: string, edits: readonly Edit[], parse: (file: string, text: string) => unknown): Promise<Prepared> {
  const failed: Finding[] = [];
  let left = edits;
  for (;;) {
    const changed: ChangedFile[] = [];
    const broken = new Set<string>();
    for (const [file, own] of Map.groupBy(left, (edit) => edit.file)) {
      const made = await changeOf(cwd, file, own, parse);
      if (!(made instanceof ApplyError)) changed.push(made);
      else {
        failed.push(failureOf(file, made));
        for (const { group } of own) broken.add(group);
      }
    }
    if (broken.size === 0) return { changed, failed };
    left = left.filter(({ group }) => !broken.has(group));
  }
}

async function changeOf(
  cwd: string,
  file: string,
  edits: readonly Edit[],
  parse: (file: string, text: string) => unknown,
): Promise<ChangedFile | ApplyError> {
  try {
    const before = await readText(resolve(cwd, file));
    const after = splice(before, edits);
    return verify({ path: file, before, after, edits }, parse) ?? { file, before, after };
  } catch (error) {
    if (error instanceof ApplyError) return error;
    throw error;
  }
}
