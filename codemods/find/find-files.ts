/** The first verb of a run: which files there are, and which of them can matter. */
import { type Scan, scan } from './scan.ts';
import { type Walk, walk, type WalkOptions } from './walk.ts';

export interface Found extends Walk {
  readonly scan: Scan;
}

/**
 * @param needles hosts of configured bases, and names of environment variables that hold one
 * @throws FindError where a given path cannot be looked at
 */
export function findFiles(options: WalkOptions, needles: readonly string[]): Found {
  const walked = walk(options);
  return { ...walked, scan: scan(walked, needles) };
}
