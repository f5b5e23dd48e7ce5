import type { DatabaseSync } from 'node:sqlite';
import { minuteInMs } from '../../../contract/times.ts';
import type { Retention } from '../store.ts';
import { Ageing } from './ageing.ts';
import { RollUp } from './roll-up.ts';
import { type Step, Steps } from './steps.ts';

/** Rolls up what has ended, and deletes what is too old: steps to be run in turn, between which other work may be done. */
export function* maintenance(db: DatabaseSync, now: number, retention: Retention): Generator<Step> {
  const steps = new Steps(db);
  // Minutes that just ended may still be on their way.
  yield* new RollUp(steps).steps(now - minuteInMs);
  yield* new Ageing(steps).steps(now, retention);
}
