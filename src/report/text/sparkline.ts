const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** Nothing recorded, which is not zero. */
export const unknownMark = '·';

/**
 * Figures as a line of blocks; the lowest block is zero and nothing else.
 * @param values null where nothing was recorded
 * @param width characters at most: more values are taken together, by their mean
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const size = Math.max(1, Math.ceil(values.length / width));
  const means = Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    meanOf(values.slice(index * size, (index + 1) * size)),
  );
  const most = Math.max(0, ...means.map((mean) => mean ?? 0));
  const blockOf = (mean: number): string | undefined =>
    blocks[mean === 0 ? 0 : Math.max(1, Math.round((mean / most) * (blocks.length - 1)))];
  return means.map((mean) => (mean === null ? unknownMark : blockOf(mean))).join('');
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
