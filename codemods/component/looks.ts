/** A component is looked at once more where what would change turns out to stand where nobody looked for who uses it. */
import type { SourceModule } from '../evaluate/module.ts';
import type { Span } from '../model.ts';
import type { ComponentPlan } from './analyse.ts';
import type { Further } from './relevance/relevance-slice.ts';

export interface Look {
  readonly modules: ReadonlyMap<string, SourceModule>;
  readonly plan: ComponentPlan;
  /** Whether who uses what may be edited was looked for, and how much was looked at: see `Slice`. */
  readonly isWhole: boolean;
  readonly looked: number;
}

/** Where edits would be whose uses nobody looked for. */
export interface Unfollowed extends Span {
  /** Whether the edit stays in any case: who uses it then only says why. */
  readonly isRefused: boolean;
}

/**
 * Which places are to be followed further hangs on who uses them: once more finds those of the first look, and what is left then stays as it is.
 * @param further gives nothing where that leads through too much: then what stays in any case is left out, and else all of it stays
 */
export function inLooks(first: Look, further: (where: Further) => Look | undefined): Look {
  const { plan, looked } = first;
  const lookAt = (places: readonly Unfollowed[]): Look | undefined => (places.length > 0 ? further({ places, looked }) : undefined);
  const open = plan.unfollowed.filter(({ isRefused }) => !isRefused);
  const whole = lookAt(plan.unfollowed);
  const second = whole ?? (open.length < plan.unfollowed.length ? lookAt(open) : undefined);
  const { unfollowed } = (second ?? first).plan;
  // Where the second led through too much, more leads through more.
  const isLast = first.isWhole || unfollowed.length === 0 || second === undefined;
  const third = isLast ? undefined : lookAt([...(whole === undefined ? open : plan.unfollowed), ...unfollowed]);
  return third ?? second ?? first;
}
