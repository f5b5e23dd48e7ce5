/** Where the result of a command goes: stdout, or the file of `--out`. */
import { access, constants, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, firstLine } from '../config/errors.ts';
import type { Pieces } from '../text/escape.ts';

/** Characters that are written at once, about: a write of its own for each row of a report takes longer than to make the rows. */
const writeLength = 64 * 1024;

/** The same text in pieces of some length. */
function* gathered(pieces: Pieces): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < writeLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Writes to stdout. A reader that has seen enough, as `head` has, is no failure. */
export async function toStdout(pieces: Pieces): Promise<void> {
  // The callback is told of an error too; without a listener it would end the process besides.
  process.stdout.on('error', () => undefined);
  for (const piece of gathered(pieces)) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => process.stdout.write(piece, resolve));
    if (error?.code === 'EPIPE') return;
    if (error) throw error;
  }
}

/**
 * Writes a file, in place of what it held.
 * @param mode the rights it gets, whatever they were; without it they stay
 * @throws ConfigError where it cannot be written
 */
export async function toFile(path: string, pieces: Pieces, mode?: number): Promise<void> {
  try {
    await using file = await open(path, 'w', mode);
    // A terminal or a pipe keeps its rights.
    if (mode !== undefined && (await file.stat()).isFile()) await file.chmod(mode);
    await file.writeFile(gathered(pieces));
  } catch (cause) {
    throw unwritable(path, firstLine(cause), cause);
  }
}

const unwritable = (path: string, why: string, cause?: unknown): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: '--out', problem: `cannot write ${path} (${why}); choose another file`, cause });

/**
 * Looks whether a file can be written, and makes none: for what does something else first.
 * @throws ConfigError where it cannot
 */
export async function checkFile(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory() === true) throw unwritable(path, 'it is a folder');
  await access(there === undefined ? dirname(path) : path, constants.W_OK).catch((cause: unknown) => {
    throw unwritable(path, firstLine(cause), cause);
  });
}
