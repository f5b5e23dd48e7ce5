/** What reuse and coalescing would change, in words: the same in every format. */
import { secondInMs } from '../../contract/times.ts';
import type { Savers, SaversFit } from '../model.ts';
import { count, counted, timeOf } from './figures.ts';

export const saversTitle = 'Limits of v2 with reuse and coalescing';

/** What is switched on. */
export function saversName({ coalescing, reuse }: Savers): string {
  if (!coalescing) return 'no savers';
  return reuse === 0 ? 'coalescing alone' : `reuse of ${count(reuse / secondInMs)} s and coalescing`;
}

/** How a workspace would go with a limit once it saves; undefined where nothing is to be saved. */
export function saversText({ limit, untranslated, settings, needed, smallestPlan }: SaversFit): string | undefined {
  const worst = settings[0]?.clockHour;
  const most = settings.at(-1);
  if (worst == null || most === undefined) return undefined;
  const notYet = untranslated === 0 ? '' : `, of which v1 still answers ${count(untranslated)}`;
  const without = `${counted(worst.v2Calls, 'call')} in its worst clock hour (from ${timeOf(worst.since)})${notYet}`;
  if (needed !== null && !needed.coalescing) return untranslated === 0 ? undefined : `${without}: fits ${limit?.plan} without saving any`;
  const shown = settings.find((each) => each.coalescing === needed?.coalescing && each.reuse === needed.reuse) ?? most;
  const left = shown.clockHour?.v2Calls ?? 0;
  if (left === worst.v2Calls) return untranslated === 0 ? undefined : `${without}; none of them would be saved`;
  if (limit === null) return `${without}; with ${saversName(shown)} ${count(left)}`;
  if (needed !== null) return `${without}; with ${saversName(shown)} ${count(left)}: fits ${limit.plan}`;
  const larger = smallestPlan === null || smallestPlan === limit.plan ? '' : `, but ${smallestPlan}`;
  return `${without}; with ${saversName(shown)} still ${count(left)}: does not fit ${limit.plan}${larger}`;
}
