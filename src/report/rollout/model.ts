/** What the report tells of the road from v1 to v2: part of `Report` where the record has a roll-out. As there, names are other people's text. */
import type { ComparisonRow, Step } from '../../usage/model.ts';
import type { Instant, Span } from '../span.ts';

export interface RolloutReport {
  /** The time whose calls tell the stage of a workspace: the last week before the end of the period. */
  readonly recent: Span;
  /** What no next step is told without: see thresholds.ts. */
  readonly thresholds: {
    readonly compared: number;
    readonly settled: number;
    readonly errors: number;
    readonly errorCalls: number;
    readonly noise: { readonly relative: number; readonly absolute: number };
  };
  /** Everything was taken back to v1, and nobody has resumed since. */
  readonly stopped: Instant | null;
  /** Rules that a guard took back, and nobody has released since. */
  readonly tripped: readonly TrippedRule[];
  /** Beyond noise, by how many calls showed them. */
  readonly differences: readonly DifferenceRow[];
  /** Those of the period, the newest first; a few at most. */
  readonly brownouts: readonly BrownoutRow[];
  readonly moreBrownouts: number;
  /** Those to come; empty where the report was not given the roll-out of the configuration. */
  readonly announced: readonly AnnouncedBrownout[];
  readonly moreAnnounced: number;
  /** What happened within the period, and what still holds; the newest first. Brownouts have rows of their own. */
  readonly steps: readonly StepRow[];
}

/** A stage in which calls are answered; brownouts are none, as they pass. */
export type RoadStage = 'observe' | 'compare' | 'translate';

export interface WorkspaceRoad {
  /** The stages of the recent calls, by their calls. */
  readonly stages: readonly StageCalls[];
  /** Recent calls that brownouts refused. */
  readonly refused: number;
  /** What comparing found with its newest setup, of what is older may be mended; of unknown keys, of all of them together. Null without any. */
  readonly compared: Compared | null;
  /** Calls that were not compared, by reason, the most first. */
  readonly skipped: readonly { readonly reason: string; readonly calls: number }[];
  /** Reads that v1 answered lately and that were never compared with this setup. */
  readonly uncompared: readonly string[];
  /** How calls of the period, and of 30 days at least, ended that v1 answered, and those that v2 did; null without any. */
  readonly before: Errors | null;
  readonly after: Errors | null;
  /** The first call of the period that was translated, after the last one that v1 answered; null where some still are v1's, or none was translated. */
  readonly movedAt: Instant | null;
  /** Names of rules about it that were taken back. */
  readonly tripped: readonly string[];
  /** What it is ready for; null for keys that v2 never accepted. */
  readonly next: NextStep | null;
}

export interface StageCalls {
  readonly stage: RoadStage;
  readonly calls: number;
  readonly last: Instant;
  /** False where its calls have gone on to another stage since. */
  readonly current: boolean;
}

export interface Compared {
  readonly calls: number;
  /** Of these, for how many v1 was asked once more. */
  readonly askedAgain: number;
  /** Places that differ beyond noise, and those where all there is is noise. */
  readonly differences: number;
  readonly noise: number;
  readonly since: Instant;
  readonly last: Instant;
}

export interface Errors {
  readonly calls: number;
  /** Shares of the calls answered with 400 or more, and with 500 or more. */
  readonly errors: number;
  readonly failures: number;
}

/** The next step of a workspace, and what it is told for. */
export type NextStep =
  /** Its rule was taken back: find out why, then release it. */
  | { readonly step: 'release'; readonly rule: string; readonly at: Instant; readonly detail: string }
  /** Everything is stopped. */
  | { readonly step: 'resume'; readonly at: Instant }
  /** No recent call, or refused ones alone. */
  | { readonly step: 'wait_for_calls'; readonly refused: number }
  /** v1 answers, and nobody compares. */
  | { readonly step: 'compare'; readonly calls: number }
  | { readonly step: 'compare_more'; readonly calls: number; readonly needed: number }
  | { readonly step: 'mend'; readonly differences: number; readonly endpoint: string; readonly path: string; readonly kind: DifferenceKind }
  | { readonly step: 'translate'; readonly calls: number; readonly uncompared: readonly string[] }
  /** More errors than v1 gave. */
  | { readonly step: 'look_at_errors'; readonly before: Errors | null; readonly after: Errors }
  /** A share of its calls is translated, and nothing speaks against all of them. */
  | { readonly step: 'translate_all'; readonly share: number; readonly before: Errors | null; readonly after: Errors }
  /** All calls are translated, not for long enough. */
  | { readonly step: 'settle'; readonly since: Instant; readonly duration: number; readonly needed: number }
  /** The proxy has done its part. */
  | { readonly step: 'move_client'; readonly duration: number; readonly before: Errors | null; readonly after: Errors };

export type DifferenceKind = Exclude<ComparisonRow['kind'], 'calls' | 'skipped'>;

/** One place at which answers of an endpoint differ in one way. */
export interface DifferenceRow {
  readonly endpoint: string;
  /** `…` stands for all places for which the record had no more room; empty where it is about the answer as a whole. */
  readonly path: string;
  readonly kind: DifferenceKind;
  /** Shapes, never values: those of the workspace with the most calls. */
  readonly v1: string;
  readonly v2: string;
  /** Calls that showed it, and how often two answers of v1 differed there, too. */
  readonly calls: number;
  readonly noise: number;
  /** Calls compared of this endpoint, of these workspaces. */
  readonly compared: number;
  readonly last: Instant;
  /** Whose calls, by calls; null for keys of no workspace. */
  readonly workspaces: readonly { readonly name: string | null; readonly calls: number }[];
  readonly advice: Advice;
}

/**
 * What to do: declare it equal under `rollout.compare.equal` as an instant, a number, or in any order; map the answer, or the request; or find
 * out first what it is, as a mapping may not help.
 */
export type Advice = 'equal_instant' | 'equal_number' | 'equal_any_order' | 'map_answer' | 'map_request' | 'look';

/** A brownout; several of its times where the record does not tell them apart any more. */
export interface BrownoutRow extends Span {
  /** Empty where calls were refused and no brownout is in the record: rules may refuse as well. */
  readonly name: string;
  readonly times: number;
  /** Whether it ended within the period. */
  readonly over: boolean;
  /** Calls refused. */
  readonly calls: number;
  /** By calls. */
  readonly hit: readonly HitRow[];
}

export interface HitRow {
  /** Null for calls without a key. */
  readonly workspace: string | null;
  readonly origin: 'configured' | 'labelled' | 'unknown' | null;
  /** Calls refused, and clients that made them. */
  readonly calls: number;
  readonly clients: number;
  /** How many of these called again after it, the first such call, and how long after the end that was; null where none did. */
  readonly clientsBack: number;
  readonly back: Instant | null;
  readonly after: number | null;
  /** Whether it had never called before. */
  readonly isNew: boolean;
}

export interface AnnouncedBrownout extends Span {
  readonly name: string;
  readonly status: number;
  /** Names of the workspaces that it is about, where it names some, and of those that it spares. */
  readonly workspaces: readonly string[] | null;
  readonly exempt: readonly string[];
}

export interface TrippedRule {
  readonly rule: string;
  readonly at: Instant;
  readonly detail: string;
}

export interface StepRow {
  readonly at: Instant;
  readonly kind: Exclude<Step['kind'], 'brownout-began' | 'brownout-ended'>;
  /** Name of the rule or brownout; empty where it is about all. */
  readonly rule: string;
  readonly detail: string;
  readonly replica: string;
}
