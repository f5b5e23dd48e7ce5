/** `--code`: the findings of the codemods, from files. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ConfigError, firstLine } from '../../config/errors.ts';
import { readFindings, NoFindings } from '../../report/code/findings.ts';
import type { CodeFindings } from '../../report/code/model.ts';
import { plain } from '../../text/escape.ts';

/**
 * Reads the findings of each file; a repository is called what its file is.
 * @throws ConfigError where one cannot be read, or two are called the same
 */
export async function readCode(files: readonly string[]): Promise<readonly CodeFindings[]> {
  const names = new Map<string, string>();
  for (const file of files) {
    const name = nameOf(file);
    const same = names.get(name);
    if (same !== undefined)
      throw fail(`${plain(same)} and ${plain(file)} would both be ${plain(name)}: name each file like its repository`);
    names.set(name, file);
  }
  return Promise.all(files.map(readOne));
}

const nameOf = (file: string): string => basename(file).replace(/\.json$/i, '');

async function readOne(file: string): Promise<CodeFindings> {
  try {
    return readFindings(await readFile(file, 'utf8'), nameOf(file));
  } catch (cause) {
    const why = cause instanceof NoFindings ? cause.message : firstLine(cause);
    throw fail(`cannot read ${plain(file)}: ${why}`, cause);
  }
}

const fail = (problem: string, cause?: unknown): ConfigError => new ConfigError({ code: 'CONFIG_INVALID', key: '--code', problem, cause });
