/** The new text of every file, proven before anything is written. */
import { resolve } from 'node:path';
import type { Edit, Finding } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { type Replacement, splice } from './splice.ts';
import { verify } from './verify.ts';
import { type Versions, versionOf } from './version.ts';
import { changedMeanwhile, readText, writable } from './write.ts';

export interface Preparation {
  readonly cwd: string;
  readonly edits: readonly Edit[];
  /** Throws, or rejects, where the text that some edits make of a file does not parse. */
  readonly parse: (file: string, text: string, edits: readonly Replacement[]) => unknown;
  /** What the edits were made for: since then a person may have been asked, and a file saved. */
  readonly versions: Versions;
  /** Whether the files shall be written: those that cannot be are reported before any other is. */
  readonly isWriting: boolean;
}

export interface Prepared {
  readonly changed: readonly ChangedFile[];
  /** The edits that they are changed by. */
  readonly edits: readonly Edit[];
  readonly failed: readonly Finding[];
}

/** Applies edits to the texts of their files. A file that fails takes all edits of its groups with it, wherever they stand. */
export async function prepare(preparation: Preparation): Promise<Prepared> {
  const failed: Finding[] = [];
  let edits = preparation.edits;
  for (;;) {
    const changed: ChangedFile[] = [];
    const broken = new Set<string>();
    for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
      const made = await changeOf(file, own, preparation);
      if (!(made instanceof ApplyError)) changed.push(made);
      else {
        failed.push(failureOf(file, made));
        for (const { group } of own) broken.add(group);
      }
    }
    if (broken.size === 0) return { changed, edits, failed };
    edits = edits.filter(({ group }) => !broken.has(group));
  }
}

async function changeOf(
  file: string,
  edits: readonly Edit[],
  { cwd, parse, versions, isWriting }: Preparation,
): Promise<ChangedFile | ApplyError> {
  const path = resolve(cwd, file);
  try {
    const before = readText(path);
    const version = versions.get(file);
    if (version !== undefined && version !== versionOf(before)) return changedMeanwhile();
    if (isWriting) writable(path);
    const after = splice(before, edits);
    return (await verify({ path: file, before, after, edits }, parse)) ?? changedFile(file, before, edits);
  } catch (error) {
    if (error instanceof ApplyError) return error;
    throw error;
  }
}

/** Made of its edits whenever it is asked for: held for all files, the new texts would be most of what a large run needs. */
const changedFile = (file: string, before: string, edits: readonly Edit[]): ChangedFile => ({
  file,
  before,
  get after() {
    return splice(before, edits);
  },
});
