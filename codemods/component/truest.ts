/** One place is told one thing: the ways to one call may have the base of v1, another host, and none that is known, which said together contradict each other. */
import type { Problem } from '../escape/problems.ts';
import type { FindingCode } from '../model.ts';

/** What is said of where a call goes, the truest first: what was not followed to the end may have any path, and a path that cannot be read has its base. */
const ranks: readonly FindingCode[] = ['unknown-route', 'too-complex', 'dynamic-path', 'shared-with-other-host', 'base-not-proven'];

/**
 * Without what another problem at the same place says better.
 * @param groupOf what a problem forbids: one that forbids something else is told beside the others
 */
export function truest(problems: readonly Problem[], groupOf: (problem: Problem) => string | undefined): readonly Problem[] {
  const byPlace = Map.groupBy(
    problems.filter(({ code }) => ranks.includes(code)),
    ({ node, module }) => `${module.file} ${node.start}`,
  );
  const lesser = new Set(
    [...byPlace.values()].flatMap((here) => {
      const [first, ...others] = here.toSorted((one, other) => ranks.indexOf(one.code) - ranks.indexOf(other.code));
      const isTold = (problem: Problem): boolean => {
        const group = groupOf(problem);
        return first !== undefined && first.code !== problem.code && (group === undefined || group === groupOf(first));
      };
      return others.filter(isTold);
    }),
  );
  return problems.filter((problem) => !lesser.has(problem));
}
