/** Where the result of a command goes: stdout, or the file of `--out`. */
import { open } from 'node:fs/promises';
import { ConfigError, firstLine } from '../config/errors.ts';

/** Writes to stdout. A reader that has seen enough, as `head` has, is no failure. */
export function toStdout(text: string): Promise<void> {
  // The callback is told of an error too; without a listener it would end the process besides.
  process.stdout.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) =>
      error && error.code !== 'EPIPE' ? reject(error) : resolve(),
    );
  });
}

/**
 * Writes a file, in place of what it held.
 * @param mode the rights it gets, whatever they were; without it they stay
 * @throws ConfigError where it cannot be written
 */
export async function toFile(path: string, text: string, mode?: number): Promise<void> {
  try {
    await using file = await open(path, 'w', mode);
    // A terminal or a pipe keeps its rights.
    if (mode !== undefined && (await file.stat()).isFile()) await file.chmod(mode);
    await file.writeFile(text);
  } catch (cause) {
    const problem = `cannot write ${path} (${firstLine(cause)}); choose another file`;
    throw new ConfigError({ code: 'CONFIG_INVALID', key: '--out', problem, cause });
  }
}
