/**
 * What a run is about to change, said before it changes anything, so that a run which is killed can be completed or undone
 * (docs/architecture/writing.md). The journal of a run stands in the folder that holds all files it writes; while its process lives, no
 * other run writes there.
 */
import {
  appendFileSync,
  closeSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { systemCode } from '../find/errors.ts';
import { isRunning, isTemporary, journalName, temporaryName } from '../find/files/temporary.ts';
import { ApplyError } from './errors.ts';
import { inParallel } from './parallel.ts';
import { unwritable } from './write.ts';

const isInside = (path: string): boolean => !isAbsolute(path) && !path.split('/').includes('..');
const begun = z.object({
  pid: z.int().positive(),
  /** The files that hold new texts, relative to the journal's folder, with `/`. */
  temporaries: z.array(z.string().refine((path) => isTemporary(basename(path)))),
});
const staged = z.object({
  /** Relative to the journal's folder, with `/`. */
  path: z.string(),
  /** The name of the file beside it that holds its new text. */
  temporary: z.string().refine((name) => isTemporary(name) && basename(name) === name),
  /** Digests of the old and the new text (see `versionOf`). */
  before: z.string(),
  after: z.string(),
  /** What makes the old text of the new one. */
  undo: z.object({ start: z.int().nonnegative(), end: z.int().nonnegative(), text: z.string() }),
  /** Files of one set are changed together or not at all. */
  set: z.int(),
});

/** A file whose new text stands beside it. */
export type StagedFile = z.infer<typeof staged>;

/** What a journal says. */
export interface Began extends z.infer<typeof begun> {
  readonly folder: string;
  /** What takes its new text; undefined where it had not come to that. */
  readonly files: readonly StagedFile[] | undefined;
}

/** Journals of this process: of another one with the same number, which was killed, it knows nothing. */
const own = new Set<string>();

/** Only its owner has to do with it, and it may hold keys that stand in code. */
const mode = 0o600;

export class Journal {
  readonly #path: string;
  readonly #folder: string;

  /**
   * Begins a run in a folder.
   * @param temporaries absolute paths
   * @throws ApplyError where another run is writing there, or the folder cannot be written
   */
  constructor(folder: string, temporaries: readonly string[]) {
    this.#folder = folder;
    this.#path = join(folder, journalName);
    const text = JSON.stringify({ pid: process.pid, temporaries: temporaries.map((path) => within(folder, path)) });
    publish(this.#path, `${text}\n`);
    own.add(this.#path);
  }

  /**
   * Says that these files take their new texts now: from here on a run that is killed is completed.
   * @param files with absolute paths
   */
  commit(files: readonly StagedFile[]): void {
    const entries = files.map((file) => ({ ...file, path: within(this.#folder, file.path) }));
    const descriptor = openSync(this.#path, 'a');
    try {
      appendFileSync(descriptor, `${JSON.stringify(entries)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** All is done. */
  close(): void {
    own.delete(this.#path);
    rmSync(this.#path, { force: true });
  }
}

const within = (folder: string, path: string): string => relative(folder, path).replaceAll(sep, '/');

/** Nobody sees it before it is whole, and nobody's is overwritten. */
function publish(path: string, text: string): void {
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    link(temporary, path, text);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw unwritable(error);
    throw new ApplyError(
      'UNWRITABLE',
      'another run is writing there',
      `wait until it has ended, and run again; where there is none, remove ${path}`,
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** As some file systems know no second name of a file, it is then written under its own. */
function link(temporary: string, path: string, text: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error;
    writeFileSync(path, text, { flag: 'wx', mode, flush: true });
  }
}

/** Whether the run that a journal is of goes on. */
export const isBeingWritten = ({ pid, folder }: Began): boolean =>
  pid === process.pid ? own.has(join(folder, journalName)) : isRunning(pid);

/**
 * Reads a journal. What it says decides what is written: one that another user has put there counts for nothing, and none speaks of what
 * lies outside of its folder.
 * @returns undefined where it is none of this user's
 */
export function readJournal(path: string): Began | undefined {
  const { uid } = lstatSync(path);
  if (process.getuid !== undefined && process.getuid() !== uid) return undefined;
  const folder = dirname(path);
  const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n');
  const isHere = (name: string): boolean => isInside(name) && !leadsAway(resolve(folder, dirname(name)));
  // One that was not written to its end is of a run that had not begun to write.
  const { data: head = { pid: nobody, temporaries: [] } } = begun.safeParse(parsed(first));
  const { data: files } = z.array(staged).safeParse(parsed(second));
  return {
    pid: head.pid,
    folder,
    temporaries: head.temporaries.filter(isHere),
    files: files?.filter((file) => isHere(file.path)),
  };
}

/** The number of no process. */
const nobody = 2 ** 31 - 1;

/** Whether a folder is reached by way of a link. */
function leadsAway(folder: string): boolean {
  try {
    return realpathSync.native(folder) !== folder;
  } catch {
    // Nothing is there any more.
    return false;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const flush = promisify(fsync);

/** What systems say that know no such thing as to flush a folder. */
const cannot: ReadonlySet<string> = new Set(['EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'ENOTSUP', 'EBADF']);

/** Has the names in the folders of these files reach the disk. */
export const flushFolders = (paths: Iterable<string>): Promise<void> =>
  inParallel(new Set([...paths].map((path) => dirname(path))), async (folder) => {
    try {
      const descriptor = openSync(folder, 'r');
      await flush(descriptor).finally(() => closeSync(descriptor));
    } catch (error) {
      if (!cannot.has(systemCode(error))) throw error;
    }
  });
