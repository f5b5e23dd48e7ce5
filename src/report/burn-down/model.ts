/** Who still calls v1, day by day down to the sunset, and whether it will be in time. Part of `Report`: instants, lengths and shares are as there. */
import type { Instant, Span } from '../span.ts';

/**
 * Somebody is *active* on a day who called v1 in the seven days that end with it. Callers that v2 never accepted, and ignored ones, never are.
 * Unknown keys are workspaces of their own, as nobody knows better. The versions of one product with the same key are one client.
 */
export interface BurnDown {
  /** From the first day of the record, 180 days back at most, whatever the period of the report is; the last one is the day that it ends in. */
  readonly days: readonly ActiveDay[];
  /** The last seven days of the report, and the seven before. */
  readonly now: ActiveWeek;
  readonly before: ActiveWeek;
  /** Quiet, but for no longer than they were before: monthly jobs between two runs, for example. They have not left. */
  readonly resting: readonly Resting[];
  /** Who stopped: in the last seven days it became clear, as they have been quiet for longer than their own pauses explain. The latest first. */
  readonly left: readonly Left[];
  /** Who called in the last seven days after having left. */
  readonly cameBack: readonly CameBack[];
  /** Who called for the first time in the last seven days; empty where the record is younger than two weeks. */
  readonly new: readonly Newcomer[];
  readonly outlook: Outlook;
  /** Workspaces that will probably still call v1 at the sunset, the surest first; empty after it. */
  readonly misses: readonly Miss[];
}

export interface ActiveDay {
  /** The midnight, in UTC, that it begins at. */
  readonly start: Instant;
  /** Null where nothing of the day was recorded: not known, which is not zero. */
  readonly workspaces: number | null;
  readonly clients: number | null;
  /** How much of its seven days was recorded: where it is little, more may have been active. */
  readonly recorded: number;
}

export interface ActiveWeek extends Span {
  /** Unknown keys are among them. */
  readonly workspaces: number;
  /** Those without a key are among them. */
  readonly clients: number;
  readonly unknownKeys: number;
  readonly calls: number;
  /** How much of it was recorded. */
  readonly recorded: number;
}

/** By its name, as in `WorkspaceRow`. */
interface OfWorkspace {
  readonly workspace: string;
}

export interface Resting extends OfWorkspace {
  readonly last: Instant;
  /** If it is quiet until then, it has left. */
  readonly until: Instant;
}

export interface Left extends OfWorkspace {
  readonly last: Instant;
  /** Unknown keys under which it probably goes on: see `WorkspaceRow.probably`. */
  readonly probably: readonly string[];
}

export interface CameBack extends OfWorkspace {
  /** The day of the first call after it. */
  readonly since: Instant;
  /** For how long nothing of it was recorded while there was a record. */
  readonly quiet: number;
  /** Whether that was enough to call it SAFE, but for the gaps of the record. */
  readonly wasSafe: boolean;
}

export interface Newcomer extends OfWorkspace {
  readonly first: Instant;
  /** The workspace whose key this unknown one probably is. */
  readonly probably: string | null;
}

/** When the last workspace may be expected to stop, and how many will not have by the sunset; or why nobody can say. */
export type Outlook = Forecasted | { readonly state: 'none'; readonly reason: NoOutlook };

interface Forecasted {
  readonly state: 'forecast';
  /** The day, as likely before as after; null where it is more than two years away, as the other two. */
  readonly date: Instant | null;
  /** The last workspace stops within these, as often as `confidence` says. */
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
  readonly confidence: number;
  /** How probable it is that all have stopped at the sunset; null after it. */
  readonly inTime: number | null;
  /** How many of those that are active now, or rest, are still there at the sunset, as often as `confidence` says; null after it. */
  readonly atSunset: { readonly of: number; readonly expected: number; readonly low: number; readonly high: number } | null;
  /** What it was made of: how many were there in this time, and how many of them stopped. */
  readonly basis: Span & { readonly weeks: number; readonly workspaces: number; readonly stopped: number };
}

export type NoOutlook =
  /** No call was ever seen. */
  | 'no_calls'
  /** Nobody is left who would stop. */
  | 'over'
  /** Fewer than four weeks are recorded. */
  | 'too_short'
  /** Too little of these weeks was recorded. */
  | 'too_patchy'
  /** Nobody has stopped yet. */
  | 'nobody_stopped';

export interface Miss extends OfWorkspace {
  readonly reason: MissReason;
  /** How probable it is that it still calls at the sunset; null where what is promised says so. */
  readonly probability: number | null;
  /** Until when it promised to have moved; null without a promise. */
  readonly promised: Instant | null;
}

export type MissReason =
  /** It promised to have moved by a date, and the date is over. */
  | 'promise_overdue'
  /** It promised to have moved by a date after the sunset. */
  | 'promised_late'
  /** It calls more and more. */
  | 'growing'
  /** It calls as ever. */
  | 'no_decline'
  /** Its calls decline, but too slowly. */
  | 'slow';
