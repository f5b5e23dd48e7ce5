/** The ratios of a run beside those of the last release. */
import { markdown } from './report.ts';
import type { Result } from './results.ts';

/** What `bench/baseline.json` holds: the ratios of a release, and where they were measured. */
export interface Baseline {
  readonly version: string;
  readonly node: string;
  readonly machine: string;
  readonly results: readonly Result[];
}

/** A ratio that grew by more than this share is told: busy machines move ratios by less. */
const tolerance = 0.2;

export interface Comparison extends Result {
  /** That of the release. */
  readonly before?: number | undefined;
  /** By which share it grew. */
  readonly growth?: number | undefined;
}

/** Every ratio of both, those that were only measured for the release included. */
export function compare(results: readonly Result[], baseline: Baseline | undefined): readonly Comparison[] {
  const before = new Map(baseline?.results.map(({ name, ratio }) => [name, ratio]));
  const names = new Set([...results.map(({ name }) => name), ...before.keys()]);
  const now = new Map(results.map(({ name, ratio }) => [name, ratio]));
  return [...names].map((name) => {
    const [ratio, old] = [now.get(name), before.get(name)];
    return { name, ratio, before: old, growth: ratio === undefined || old === undefined ? undefined : ratio / old - 1 };
  });
}

/** Lines about what grew, and about what the release has and this run has not. */
export const notices = (comparisons: readonly Comparison[]): string[] =>
  comparisons.flatMap(({ name, ratio, before, growth = 0 }) => {
    if (before !== undefined && ratio === undefined) return `${name}: not measured, ${figure(before)} in the last release`;
    return growth > tolerance ? `${name}: ${figure(ratio)}, ${figure(before)} in the last release` : [];
  });

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  markdown(
    ['Less is better', 'ratio', 'last release', 'change'],
    comparisons.map(({ name, ratio, before, growth }) => [
      name,
      ratio === undefined ? 'not measured' : figure(ratio),
      before === undefined ? '–' : figure(before),
      growth === undefined ? '–' : `${growth < 0 ? '' : '+'}${(growth * 100).toFixed(0)} %`,
    ]),
  );

const figure = (ratio: number | undefined): string => (ratio === undefined ? '–' : String(Number(ratio.toPrecision(3))));
