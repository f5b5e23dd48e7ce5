/** Reads and writes the files that are changed, byte for byte and all or nothing. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from '../find/errors.ts';
import { temporaryName } from '../find/files/temporary.ts';
import { utf8Decoder } from '../find/files/texts.ts';
import { ApplyError, reportIt } from './errors.ts';
import { inParallel } from './parallel.ts';

/**
 * Decodes a file.
 * @throws ApplyError where it is not UTF-8
 */
export function decode(bytes: Uint8Array): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch (cause) {
    throw new ApplyError('UNREADABLE', 'is not UTF-8', 'save it as UTF-8', { cause });
  }
}

/**
 * Reads a file as text.
 * @throws ApplyError where it cannot be read, or is not UTF-8
 */
export function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new ApplyError('UNREADABLE', `cannot be read (${systemCode(cause)})`, 'make it readable', { cause });
  }
  return decode(bytes);
}

export interface Change {
  /** Absolute, or relative to the working directory of the process. A link's own file is written. */
  readonly path: string;
  /** What was analysed. */
  readonly before: string;
  readonly after: string;
}

// The one call that waits for a disk; the others cost less than a promise does.
const flush = promisify(fsync);

/** A file that is to be written, and the one beside it that holds its new text until then. Absolute paths. */
export interface Destination {
  readonly real: string;
  readonly temporary: string;
}

/**
 * Where a file is written. Its new text stands in the same folder, and so in the same file system, that it can take the file's place at once.
 * @throws ApplyError where it may not be written
 */
export function destinationOf(path: string): Destination {
  const real = writable(path);
  return { real, temporary: join(dirname(real), temporaryName(basename(real))) };
}

/**
 * Puts the new text of a file beside it, complete on the disk, so that whenever the process is killed the file is the old or the new one.
 * Mode and, where possible, owner are kept. Several at once wait for the disk together.
 * @throws ApplyError where it cannot be written; then nothing is left behind
 */
export async function stage({ real, temporary }: Destination, text: string): Promise<void> {
  // A half of a surrogate pair would silently become another character.
  if (!text.isWellFormed()) throw new ApplyError('UNWRITABLE', 'the new text is not Unicode', reportIt);
  try {
    await fill(temporary, real, text);
  } catch (error) {
    await discard(temporary);
    throw unwritable(error);
  }
}

/** @throws ApplyError where a file is not what was analysed: as late as can be, as what an editor saves between this and `commit` is lost */
export const check = ({ real }: Destination, before: string): void =>
  attempt(() => {
    if (!readFileSync(real).equals(Buffer.from(before))) throw changedMeanwhile();
  });

/**
 * Puts the new text in the place of the old one. Other names of a file with several (hard links) keep the old text, as they may lie outside
 * of what the user named.
 * @throws ApplyError where the system does not let it
 */
export async function commit({ real, temporary }: Destination): Promise<void> {
  try {
    await rename(temporary, real);
  } catch (error) {
    throw unwritable(error);
  }
}

/**
 * Writes one file.
 * @throws ApplyError where it cannot be written, or is not what was analysed; then nothing is left behind
 */
export async function writeText({ path, before, after }: Change): Promise<void> {
  const destination = destinationOf(path);
  await stage(destination, after);
  try {
    check(destination, before);
    await commit(destination);
  } catch (error) {
    await discard(destination.temporary);
    throw error;
  }
}

export const changedMeanwhile = (): ApplyError => new ApplyError('CHANGED_MEANWHILE', 'was changed while the run was on', 'run again');

/** Removes what was to take the place of a file, as well as can be. */
async function discard(temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch {
    // It may not be there; else what went wrong before says more, and its name tells the next run to take no notice of it.
  }
}

/** Many at once, as each waits for the disk: the process may be asked to end. */
export const discardAll = (temporaries: Iterable<string>): Promise<void> => inParallel(temporaries, discard);

/** @throws ApplyError for whatever the system does not let happen */
function attempt<Value>(mutation: () => Value): Value {
  try {
    return mutation();
  } catch (error) {
    throw error instanceof ApplyError ? error : unwritable(error);
  }
}

/**
 * The file that a path means, if it may be written.
 * @throws ApplyError where it may not
 */
export const writable = (path: string): string =>
  attempt(() => {
    const real = realpathSync.native(path);
    // The superuser may write everything; a file that nobody may write was meant to stay as it is.
    if ((statSync(real).mode & 0o222) === 0) throw new ApplyError('UNWRITABLE', 'is read-only', 'make it writable');
    accessSync(real, constants.W_OK);
    // Its new text first stands beside it.
    accessSync(dirname(real), constants.W_OK);
    return real;
  });

/** Makes the file that takes the place of the real one. */
async function fill(temporary: string, real: string, text: string): Promise<void> {
  const { mode, uid, gid } = statSync(real);
  const descriptor = openSync(temporary, 'wx', mode & 0o777);
  try {
    writeFileSync(descriptor, text);
    keepOwner(descriptor, uid, gid);
    // After the owner, whose change takes set-user-id away; and in spite of the process's umask.
    fchmodSync(descriptor, mode & 0o7777);
    await flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, uid: number, gid: number): void {
  const own = fstatSync(descriptor);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // Only the superuser may give files away: the file now belongs to who ran this, as with every editor.
  }
}

const isFull: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export function unwritable(cause: unknown): ApplyError {
  const code = systemCode(cause);
  const remedy = isFull.has(code) ? 'make room on the disk, and run again' : 'make the file and its folder writable';
  return new ApplyError('UNWRITABLE', `cannot be written (${code})`, remedy, { cause });
}
