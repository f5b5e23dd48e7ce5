/** A component is looked at once more where what would change turns out to stand where nobody looked for who uses it. */
import type { SourceModule } from '../evaluate/module.ts';
import type { ComponentPlan } from './analyse.ts';
import type { Further } from './relevance/relevance-slice.ts';

export interface Look {
  readonly modules: ReadonlyMap<string, SourceModule>;
  readonly plan: ComponentPlan;
  /** Whether who uses what may be edited was looked for, and how much was looked at: see `Slice`. */
  readonly isWhole: boolean;
  readonly looked: number;
}

/**
 * Which places are to be followed further hangs on who uses them: once more finds those of the first look, and what is left then stays as it is.
 * @param further gives nothing where that leads through too much: then they stay as well
 */
export function inLooks(first: Look, further: (where: Further) => Look | undefined): Look {
  const { plan, looked } = first;
  const places = plan.unfollowed;
  const second = places.length > 0 ? further({ places, looked }) : undefined;
  const { unfollowed } = (second ?? first).plan;
  // Where the second led through too much, more leads through more.
  const third =
    first.isWhole || unfollowed.length === 0 || second === undefined ? undefined : further({ places: [...places, ...unfollowed], looked });
  return third ?? second ?? first;
}
