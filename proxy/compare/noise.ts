/**
 * What differs between two answers of v1 itself is noise. Diffy asks v1 twice for every call, and holds what differs between v1 and v2
 * against what differs between v1 and v1, by two thresholds. Here v1 is asked again only where v2 differs, so both are counted such that
 * over many calls they come to what Diffy would have counted. What is noise by these counts: src/rollout/noise.ts.
 */
import type { Difference, DifferenceKind } from './differences.ts';

/** What one call shows, as the record counts it. */
export interface MarkedDifference extends Difference {
  /** Whether it is between two answers of v1, and not between v1 and v2. */
  readonly noise: boolean;
}

/**
 * What a call shows for which v1 was asked again: the differences, and beside them the noise, which is held against what is of the same path
 * and kind: a field that is there sometimes excuses no other type of it.
 *
 * Where v1's second answer is v2's, v1's two answers might as well have come the other way round. Then v1 would not have been asked again, and
 * its noise not been seen; there are as many such calls, so they are counted here, the other way round.
 * @param v1V2 between v1's answer and v2's
 * @param v1V1 between v1's answer and its second one
 * @param againV2 between v1's second answer and v2's
 */
export function marked(
  v1V2: readonly Difference[],
  v1V1: readonly Difference[],
  againV2: readonly Difference[],
): readonly MarkedDifference[] {
  const unseen = againV2.length === 0 ? v1V1.map(mirrored) : [];
  // Where one of the three is an error, its content is of nothing that the others could be held against: the status alone is told.
  const isTold = [v1V2, v1V1, againV2].some(isErrorBesideNone) ? ({ kind }: Difference) => kind === 'status' : () => true;
  return [
    ...v1V2.filter(isTold).map((difference) => ({ ...difference, noise: false })),
    ...[...v1V1, ...unseen].filter(isTold).map((difference) => ({ ...difference, noise: true })),
  ];
}

const isErrorBesideNone = (differences: readonly Difference[]): boolean =>
  differences.some(({ kind, v1, v2 }) => kind === 'status' && Number(v1) >= 400 !== Number(v2) >= 400);

const mirroredKinds: Partial<Record<DifferenceKind, DifferenceKind>> = { missing: 'added', added: 'missing' };

const mirrored = ({ path, kind, v1, v2 }: Difference): Difference => ({ path, kind: mirroredKinds[kind] ?? kind, v1: v2, v2: v1 });
