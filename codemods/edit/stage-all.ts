/** Puts the new texts of all files on the disk, each beside its file. */
import { basename } from 'node:path';
import type { Finding } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import type { StagedFile } from './journal.ts';
import { inParallel } from './parallel.ts';
import type { Replacement } from './splice.ts';
import { versionOf } from './version.ts';
import { type Destination, stage } from './write.ts';

export interface Target extends Destination {
  readonly change: ChangedFile;
}
/** What is changed together or not at all. */
export type Targets = readonly Target[];

interface Staging {
  readonly signal: AbortSignal | undefined;
  readonly onStaged: () => void;
  readonly failed: Finding[];
  /** Is told of each new text before it is written. */
  readonly begun: Map<string, string>;
}

export interface Staged {
  readonly set: Targets;
  readonly files: StagedFile[];
}

/** @returns the sets of which all new texts are on the disk; it stops early when the signal says so */
export async function stageAll(sets: readonly Targets[], { signal, onStaged, failed, begun }: Staging): Promise<Staged[]> {
  const staged = sets.map((set): Staged => ({ set, files: [] }));
  const broken = new Set<Staged>();
  const targets = staged.flatMap((one, set) => one.set.map((target) => ({ one, set, target })));
  await inParallel(targets, async ({ one, set, target }) => {
    if (signal?.aborted === true || broken.has(one)) return;
    begun.set(target.change.file, target.temporary);
    try {
      one.files.push(await stageOne(target, set));
    } catch (error) {
      if (!broken.has(one)) failed.push(failureOf(target.change.file, asApplyError(error)));
      broken.add(one);
    }
    onStaged();
  });
  return staged.filter((one) => !broken.has(one));
}

async function stageOne({ change, real, temporary }: Target, set: number): Promise<StagedFile> {
  const { before, after } = change;
  await stage({ real, temporary }, after);
  return {
    path: real,
    temporary: basename(temporary),
    before: versionOf(before),
    after: versionOf(after),
    undo: undoing(before, after),
    set,
  };
}

/** What makes the old text of the new one: all between what both begin and end with. */
function undoing(before: string, after: string): Replacement {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: after.length - same, text: before.slice(start, before.length - same) };
}

/** @throws what is no error of a file */
export function asApplyError(error: unknown): ApplyError {
  if (error instanceof ApplyError) return error;
  throw error;
}
