/** Completes what a killed run had begun to write, or undoes it (docs/architecture/writing.md). */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { MigrateError } from '../errors.ts';
import type { Walk } from '../find/walk.ts';
import type { Finding } from '../model.ts';
import type { Recovery } from '../result.ts';
import { ApplyError } from './errors.ts';
import { failureOf } from './failure.ts';
import { type Began, flushFolders, isBeingWritten, readJournal, type StagedFile } from './journal.ts';
import { splice } from './splice.ts';
import { versionOf } from './version.ts';
import { commit, decode, discardAll, readText, writable, writeText } from './write.ts';

export interface Recovered {
  readonly recoveries: readonly Recovery[];
  /** Files that a person has to look at. */
  readonly failed: readonly Finding[];
}

/**
 * Looks at what killed runs have left.
 * @param isWriting whether to act; else it is only reported
 * @throws MigrateError where a run is still writing there, and this one is to write, too
 */
export async function recover({ cwd, journals, leftOver }: Omit<Walk, 'files' | 'faults'>, isWriting: boolean): Promise<Recovered> {
  const recoveries: Recovery[] = [];
  const failed: Finding[] = [];
  for (const path of journals) {
    const began = readJournal(path);
    // Another user's: what belongs to it is left to that one.
    if (began === undefined) return { recoveries, failed };
    const isRunning = isBeingWritten(began);
    if (isRunning && isWriting) throw busy(path, began);
    if (isRunning) continue;
    const { recovery, unclear } = await finish(path, began, cwd, isWriting);
    recoveries.push(recovery);
    failed.push(...unclear);
  }
  if (isWriting) await discardAll(leftOver);
  return { recoveries, failed };
}

async function finish(path: string, began: Began, cwd: string, isWriting: boolean) {
  const files = (began.files ?? []).map((file): Found => ({ ...file, ...stateOf(file, began) }));
  const written = files.filter(isWritten).length;
  const counts = { written, total: began.temporaries.length };
  const unclear: Finding[] = [];
  if (!isWriting) return { recovery: { outcome: 'pending' as const, ...counts, restored: 0 }, unclear };
  // Where nothing is written, or was brought back by whoever wants none of it, it is as if the run had not been.
  const settled: Settled[] = [];
  for (const set of written === 0 ? [] : Map.groupBy(files, ({ set }) => set).values()) settled.push(await settle(set, cwd));
  unclear.push(...settled.flatMap(({ failed }) => failed));
  await flushFolders(files.map(({ real }) => real));
  await discardAll(began.temporaries.map((temporary) => resolve(began.folder, temporary)));
  rmSync(path, { force: true });
  const restored = settled.reduce((sum, set) => sum + set.restored, 0);
  return { recovery: { outcome: outcomeOf(settled), ...counts, restored }, unclear };
}

/** @param settled the sets of a run that had begun to write; none, where it had not */
function outcomeOf(settled: readonly Settled[]): Recovery['outcome'] {
  if (settled.length === 0) return 'undone';
  if (settled.every(({ isWhole }) => isWhole)) return 'completed';
  return settled.some(({ isWhole }) => isWhole) ? 'parted' : 'put back';
}

const busy = (path: string, { pid, folder }: Began): MigrateError =>
  new MigrateError(
    'BUSY',
    `another run (process ${pid}) is writing in ${folder}: wait until it has ended, and run again; where there is none, remove ${path}`,
  );

/**
 * `ready`: its new text can take its place. `new`: it has. `edited`: it had, and was changed since. `old`: nothing has happened, nor can it,
 * as the new text is gone. `other`: nothing has happened, and the file was changed since.
 */
type State = 'ready' | 'new' | 'edited' | 'old' | 'other';

interface Found extends StagedFile {
  readonly state: State;
  readonly real: string;
  readonly beside: string;
}

function stateOf({ path, temporary, before, after }: StagedFile, { folder }: Began): Pick<Found, 'state' | 'real' | 'beside'> {
  const real = resolve(folder, path);
  const beside = join(dirname(real), temporary);
  const now = digestOf(real);
  const staged = digestOf(beside);
  const places = { real, beside };
  if (staged === undefined) return { ...places, state: now === after ? 'new' : now === before ? 'old' : 'edited' };
  return { ...places, state: now === before && staged === after ? 'ready' : 'other' };
}

function digestOf(path: string): string | undefined {
  try {
    return versionOf(decode(readFileSync(path)));
  } catch {
    return undefined;
  }
}

const isWritten = ({ state }: Found): boolean => state === 'new' || state === 'edited';

interface Settled {
  readonly isWhole: boolean;
  /** Of what was written, what is undone. */
  readonly restored: number;
  readonly failed: readonly Finding[];
}

/** Completes a set of files where that can be; else what is written of it is undone, but for what was changed since. */
async function settle(set: readonly Found[], cwd: string): Promise<Settled> {
  const left = set.filter((file) => !isWritten(file));
  const failed: Finding[] = [];
  const fail = (file: Found, error: unknown): void => {
    if (!(error instanceof ApplyError)) throw error;
    failed.push(failureOf(relative(cwd, file.real).replaceAll(sep, '/'), error));
  };
  let isWhole = left.every(({ state }) => state === 'ready');
  for (const file of isWhole ? left : []) {
    try {
      writable(file.real);
      await commit({ real: file.real, temporary: file.beside });
    } catch (error) {
      fail(file, error);
      isWhole = false;
      break;
    }
  }
  let restored = 0;
  for (const file of isWhole ? [] : set) {
    try {
      if ((await undo(file)) && isWritten(file)) restored++;
    } catch (error) {
      fail(file, error);
    }
  }
  return { isWhole, restored, failed };
}

/**
 * @returns whether there was something to undo
 * @throws ApplyError where it was changed since it was written
 */
async function undo(file: Found): Promise<boolean> {
  if (file.state === 'edited') {
    const remedy =
      'what belongs to it is as it was before: bring it back as well, as with git checkout, or see to it by hand, and run again';
    throw new ApplyError('CHANGED_MEANWHILE', 'was changed after a run that was killed had written it', remedy);
  }
  const now = digestOf(file.real);
  if (now !== file.after) return false;
  const text = readText(file.real);
  await writeText({ path: file.real, before: text, after: splice(text, [file.undo]) });
  return true;
}
