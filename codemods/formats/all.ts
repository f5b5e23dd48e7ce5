/** All files beside the code at once: a variable is proven by the file that sets it, and read by others. */
import { type BesideFile, type BesideResult, besides } from './reader.ts';
import type { Bases } from '../verdict/routes.ts';

/**
 * Looks at the files with what they prove to each other.
 * @param bases `env`: also the variables that code proves
 * @param told variables that the user named: what a file sets them to is ours, too; others may be another's in another folder
 * @returns one result for each file, in their order
 */
export function besideAll(files: readonly BesideFile[], bases: Bases, told: ReadonlySet<string> = bases.env): BesideResult[] {
  const first = files.map((file) => besides(file, { ...bases, env: told }));
  const others = othersIn(first);
  const env = new Set([...told, ...[...bases.env].filter((name) => !others.has(name)), ...provenEnvs(first)]);
  return files.map((file) => besides(file, { ...bases, env }));
}

/** Variables that files set to our base, and none to another service. */
export function provenEnvs(results: readonly BesideResult[]): ReadonlySet<string> {
  const others = othersIn(results);
  return new Set(results.flatMap(({ envs }) => envs.map(({ name }) => name).filter((name) => !others.has(name))));
}

const othersIn = (results: readonly BesideResult[]): ReadonlySet<string> =>
  new Set(results.flatMap(({ otherEnvs }) => otherEnvs.map(({ name }) => name)));
