/** All files beside the code at once: a variable is proven by the file that sets it and read by others, and moves for all or for none. */
import { type BesideFile, type BesideResult, besides } from './beside.ts';
import type { Bases } from '../identify/routes.ts';

/**
 * Looks at the files until no variable moves whose readers stay.
 * @param bases `frozen`: variables that code reads in calls which stay on v1
 * @param told variables that the user named: what a file sets them to is ours, too; others may be another's in another folder
 * @returns one result for each file, in their order
 */
export function besideAll(files: readonly BesideFile[], bases: Bases, told: ReadonlySet<string> = bases.env): BesideResult[] {
  const first = files.map((file) => besides(file, { ...bases, env: told }));
  const others = othersIn(first);
  const env = new Set([...told, ...[...bases.env].filter((name) => !others.has(name)), ...provenEnvs(first)]);
  let frozen = new Set(bases.frozen);
  for (;;) {
    const results = files.map((file) => besides(file, { ...bases, env, frozen }));
    const moved = new Set(results.flatMap(({ envs }) => envs.filter(({ group }) => group !== undefined).map(({ name }) => name)));
    const stuck = results.flatMap((result) => result.stuck).filter((name) => moved.has(name));
    if (stuck.length === 0) return results;
    frozen = new Set([...frozen, ...stuck]);
  }
}

/** Variables that files set to our base, and none to another service. */
export function provenEnvs(results: readonly BesideResult[]): ReadonlySet<string> {
  const others = othersIn(results);
  return new Set(results.flatMap(({ envs }) => envs.map(({ name }) => name).filter((name) => !others.has(name))));
}

const othersIn = (results: readonly BesideResult[]): ReadonlySet<string> =>
  new Set(results.flatMap(({ otherEnvs }) => otherEnvs.map(({ name }) => name)));
