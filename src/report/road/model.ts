/** What is to be seen of a roll-out: its rules as they are written and as they are in force, who is under each, and what happened. */
import type { Fallback, Match, Stage } from '../../rollout/rules.ts';
import type { Step } from '../../usage/model.ts';
import type { Instant } from '../span.ts';

/** What came under a rule in the time that is looked at. */
export interface Use {
  readonly calls: number;
  readonly clients: number;
  readonly keys: number;
  /** Calls that were answered with 4xx or 5xx. */
  readonly errors: number;
}

export interface StepView extends Omit<Step, 'id' | 'at'> {
  readonly at: Instant;
}

/** Of keys that are named, no more is shown than the record has. */
export interface RuleView {
  readonly name: string;
  readonly match: Match;
  /** What the rule says. */
  readonly stage: Stage;
  /** What holds for its calls now; null where the rule is over, and those behind it have its calls. */
  readonly inForce: Stage | null;
  readonly because: 'stopped' | 'tripped' | 'sunset' | 'over' | null;
  /** What took the rule back. */
  readonly tripped: StepView | null;
  readonly fallback: Fallback | null;
  /** The end of a rule that refuses, and what it answers with. */
  readonly until: Instant | null;
  readonly status: number | null;
  /** Null where there is no record. */
  readonly use: Use | null;
}

/** The calls that no rule matches. */
export type UnmatchedView = Pick<RuleView, 'inForce' | 'because' | 'use'>;

export interface OverlapView {
  readonly kind: 'unreachable' | 'partial';
  readonly first: string;
  readonly second: string;
}

export interface WindowView {
  readonly since: Instant;
  readonly until: Instant;
}

export interface BrownoutView {
  readonly name: string;
  readonly match: Match;
  readonly exempt: readonly string[];
  readonly status: number;
  /** What ended it for good. */
  readonly stopped: StepView | null;
  /** The time that is on; also of one that was stopped, which refuses nobody. */
  readonly on: WindowView | null;
  /** The next times and the last ones, each in their order; and how many there are. */
  readonly next: readonly WindowView[];
  readonly past: readonly WindowView[];
  readonly windows: { readonly toCome: number; readonly past: number };
}

export interface RoadView {
  readonly made: Instant;
  /** The proxy whose state this is; null where it follows from the configuration and the record. */
  readonly proxy: string | null;
  /** The time whose calls are counted; null where there is no record. */
  readonly counted: WindowView | null;
  /** Why the calls of a record are not counted. */
  readonly uncounted: string | null;
  /** What took everything back to `observe`. */
  readonly stopped: StepView | null;
  readonly sunset: Instant;
  readonly atSunset: 'translate' | 'stay';
  /** Whether this proxy, or without one any of the record, found v1 gone. */
  readonly gone: boolean;
  readonly rules: readonly RuleView[];
  readonly unmatched: UnmatchedView;
  readonly overlaps: readonly OverlapView[];
  readonly brownouts: readonly BrownoutView[];
  /** The last ones, the newest first. */
  readonly steps: readonly StepView[];
}
