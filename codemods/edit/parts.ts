/** Which sets of files have one journal, and where it stands. */
import { accessSync, constants } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { Targets } from './stage-all.ts';

/** Sets that have one journal. */
export interface Part {
  readonly sets: readonly Targets[];
  /** Where the journal stands; undefined where no folder that holds all of them may be written: then there is none. */
  readonly folder: string | undefined;
}

export function partsOf(sets: readonly Targets[]): Part[] {
  if (sets.length === 0) return [];
  const folder = commonFolder(sets.flatMap((targets) => targets.map(({ real }) => dirname(real))));
  if (isWritable(folder)) return [{ sets, folder }];
  return sets.length === 1 ? [{ sets, folder: undefined }] : sets.flatMap((targets) => partsOf([targets]));
}

/** @param folders absolute */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let common = first.split(sep);
  for (const folder of new Set(others)) {
    const parts = folder.split(sep);
    const differs = common.findIndex((part, index) => part !== parts[index]);
    if (differs !== -1) common = common.slice(0, differs);
  }
  return common.join(sep) || sep;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
