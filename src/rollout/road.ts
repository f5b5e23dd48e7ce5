/** Where the road stands by what has happened on it: every replica, and the report, fold the same steps into the same state. */
import type { Step } from '../usage/model.ts';

export type StepKind = Step['kind'];

export type RoadStep = Pick<Step, 'id' | 'at' | 'kind' | 'rule'>;

export interface Road<S extends RoadStep = RoadStep> {
  /** The step that took everything back to `observe`; undefined where nobody did, or somebody resumed. */
  readonly stopped: S | undefined;
  /** The steps that took rules back, by the rule's name, until somebody releases it. */
  readonly tripped: ReadonlyMap<string, S>;
  /** Names of brownouts that were stopped for good. */
  readonly stoppedBrownouts: ReadonlySet<string>;
}

/** Folds steps into where the road stands; in the order in which the record took them, as the clocks of replicas differ. */
export function roadOf<S extends RoadStep>(steps: readonly S[]): Road<S> {
  let stopped: S | undefined;
  const tripped = new Map<string, S>();
  const stoppedBrownouts = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'stopped') stopped = step;
    else if (step.kind === 'resumed') stopped = undefined;
    else if (step.kind === 'tripped') tripped.set(step.rule, step);
    else if (step.kind === 'released') tripped.delete(step.rule);
    else if (step.kind === 'brownout-stopped') stoppedBrownouts.add(step.rule);
  }
  return { stopped, tripped, stoppedBrownouts };
}
