/** Reads and writes the files that are changed, byte for byte and all or nothing. */
import { constants } from 'node:fs';
import { access, type FileHandle, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../find/errors.ts';
import { temporaryName } from '../find/temporary.ts';
import { ApplyError } from './errors.ts';

/**
 * Decodes a file. The text keeps its byte order mark, so that encoding it gives the same bytes.
 * @throws ApplyError where it is not UTF-8
 */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ApplyError('UNREADABLE', 'is not UTF-8', 'save it as UTF-8', { cause });
  }
}

/**
 * Reads a file as text.
 * @throws ApplyError where it cannot be read, or is not UTF-8
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ApplyError('UNREADABLE', `cannot be read (${systemCode(cause)})`, 'make it readable', { cause });
  });
  return decode(bytes);
}

export interface Change {
  /** Absolute, or relative to the working directory of the process. A link's own file is written. */
  readonly path: string;
  /** What was analysed. */
  readonly before: string;
  readonly after: string;
}

/**
 * Writes one file: the new text goes into a file beside it, which then takes its place, so that whenever the process is killed the
 * file is the old or the new one. Mode and, where possible, owner are kept. Other names of a file with several (hard links) keep
 * the old text, as they may lie outside of what the user named.
 * @throws ApplyError where it cannot be written, or is not what was analysed; then nothing is left behind
 */
export async function writeText({ path, before, after }: Change): Promise<void> {
  // A half of a surrogate pair would silently become another character.
  if (!after.isWellFormed()) throw new ApplyError('UNWRITABLE', 'the new text is not Unicode', 'report it');
  const real = await writable(path);
  const temporary = join(dirname(real), temporaryName(basename(real)));
  try {
    await fill(temporary, real, Buffer.from(after));
    // As late as can be: what an editor saves between here and the next line is lost, as with every editor.
    if (!(await readFile(real)).equals(Buffer.from(before))) {
      throw new ApplyError('CHANGED_MEANWHILE', 'was changed while the run was on', 'run again');
    }
    await rename(temporary, real);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error instanceof ApplyError ? error : unwritable(error);
  }
}

/** The file that a path means, if it may be written. */
async function writable(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    // The superuser may write everything; a file that nobody may write was meant to stay as it is.
    if (((await stat(real)).mode & 0o222) === 0) throw new ApplyError('UNWRITABLE', 'is read-only', 'make it writable');
    await access(real, constants.W_OK);
    return real;
  } catch (error) {
    throw error instanceof ApplyError ? error : unwritable(error);
  }
}

/** Makes the file that takes the place of the real one. */
async function fill(temporary: string, real: string, bytes: Uint8Array): Promise<void> {
  const { mode, uid, gid } = await stat(real);
  const handle = await open(temporary, 'wx', mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await keepOwner(handle, uid, gid);
    // After the owner, whose change takes set-user-id away; and in spite of the process's umask.
    await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwner(handle: FileHandle, uid: number, gid: number): Promise<void> {
  const own = await handle.stat();
  // Only the superuser may give files away: otherwise the file now belongs to who ran this, as with every editor.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
}

const unwritable = (cause: unknown): ApplyError =>
  new ApplyError('UNWRITABLE', `cannot be written (${systemCode(cause)})`, 'make the file and its folder writable', { cause });
