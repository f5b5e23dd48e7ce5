/** The stage that a rule is in now: what it says, unless everything was stopped, a guard took it back, or v1 is gone. */
import type { Step } from '../usage/model.ts';
import type { Overlap } from './overlaps.ts';
import type { Road, RoadStep } from './road.ts';
import type { Rollout, Rule, Stage } from './rules.ts';

export interface InForce {
  readonly stage: Stage;
  /** Why it is another stage than the rule's. */
  readonly because?: 'stopped' | 'tripped' | 'sunset';
}

/** What a proxy that runs knows of its roll-out at a moment. */
export interface LiveRoad {
  readonly rollout: Rollout;
  /** What is odd about the order of its rules. */
  readonly overlaps: readonly Overlap[];
  /** All that happened, in the order in which it was noted. */
  readonly steps: readonly Step[];
  /** Whether v1 was found gone. */
  readonly isGone: boolean;
  /** The name of the proxy in the record. */
  readonly replica: string;
  /** By the clock of the proxy; in epoch milliseconds, as `sunset`. */
  readonly now: number;
  readonly sunset: number;
}

/**
 * @param rule undefined where none matches
 * @param isOver whether v1 is gone, and what went there is to go to v2
 */
export function stageInForce<S extends RoadStep>(rule: Rule | undefined, road: Road<S>, isOver: boolean): InForce {
  const told = unlessOver(rule, road);
  return isOver && (told.stage === 'observe' || told.stage === 'compare') ? { stage: 'translate', because: 'sunset' } : told;
}

function unlessOver<S extends RoadStep>(rule: Rule | undefined, { stopped, tripped }: Road<S>): InForce {
  if (stopped !== undefined) return { stage: 'observe', because: 'stopped' };
  const { stage, fallback, name } = rule ?? { stage: 'translate', name: '' };
  if (stage === 'translate' && fallback !== undefined && tripped.has(name)) return { stage: fallback.to, because: 'tripped' };
  return { stage };
}
