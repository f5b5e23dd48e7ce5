/** A Node of this machine that is too old for the package. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { nodeProblem } from '../../src/node-version.ts';

/**
 * The first Node on the PATH, outside node_modules, that is too old.
 * @returns its file, and what the title of a test says where there is none
 */
export function olderNode(): { readonly older: string | undefined; readonly whyNot: string } {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const older = paths
    .filter((path) => existsSync(path) && !path.includes('node_modules'))
    .find((path) => nodeProblem(execFileSync(path, ['-v'], { encoding: 'utf8' }).slice(1).trim()) !== '');
  return { older, whyNot: older === undefined ? ' (skipped: the PATH has no Node that is too old)' : '' };
}
