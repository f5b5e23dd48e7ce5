/** Changes by where they stand, so that whoever asks about a stretch of a file looks at what is there and not at all of them. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Change } from './spans.ts';

export interface ChangesByPlace {
  readonly all: readonly Change[];
  /** The changes that overlap or touch a stretch of a file, in the order in which they were given. */
  at(module: SourceText, start: number, end: number): readonly Change[];
}

interface Placed {
  readonly change: Change;
  readonly index: number;
}

interface Sorted {
  readonly placed: readonly Placed[];
  /** Of the longest change. */
  readonly longest: number;
}

export function changesByPlace(changes: readonly Change[]): ChangesByPlace {
  const byModule = new Map<SourceText, Sorted>();
  for (const [module, own] of Map.groupBy(
    changes.map((change, index) => ({ change, index })),
    ({ change }) => change.module,
  )) {
    const longest = own.reduce((most, { change: { start, end } }) => Math.max(most, end - start), 0);
    byModule.set(module, { placed: own.toSorted((one, other) => one.change.start - other.change.start), longest });
  }
  return {
    all: changes,
    at(module, start, end) {
      const { placed, longest } = byModule.get(module) ?? nothing;
      const found: Placed[] = [];
      for (let index = firstFrom(placed, start - longest); index < placed.length; index++) {
        const each = placed[index];
        if (each === undefined || each.change.start > end) break;
        if (each.change.end >= start) found.push(each);
      }
      return found.toSorted((one, other) => one.index - other.index).map(({ change }) => change);
    },
  };
}

const nothing: Sorted = { placed: [], longest: 0 };

/** The index of the first change that begins at an offset or after it. */
function firstFrom(placed: readonly Placed[], offset: number): number {
  let [low, high] = [0, placed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.change.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
