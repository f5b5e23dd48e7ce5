/**
 * The usage report as data (design.md §1, §7): every format renders this and nothing else, and as JSON it is the report itself.
 * Instants are ISO 8601 in UTC; lengths of time are in milliseconds; shares are from 0 to 1. Keys appear as a short prefix and a keyed hash.
 * Names, owners, products, prefixes and networks are other people's text: a format escapes them.
 */
import type { EventKind } from '../contract/events.ts';
import type { Plan } from '../contract/plans.ts';
import type { Outcome } from '../usage/deprecated-use.ts';
import type { BurnDown } from './burn-down/model.ts';
import type { MarkStatus } from '../usage/model.ts';
import type { CodeReport } from './code/model.ts';
import type { LogSourceRow, WorkspaceLogged } from './logs/model.ts';
import type { RolloutReport, WorkspaceRoad } from './rollout/model.ts';
import type { Instant, Span } from './span.ts';
import type { Quiet, Verdict } from './verdict-model.ts';

/** Grows whenever a reader of older reports could misunderstand a newer one. */
export const reportVersion = 1;

export interface Report {
  readonly version: typeof reportVersion;
  /** When the report was made. */
  readonly made: Instant;
  /** What it speaks of, in whole hours or days, but for an end that is now. */
  readonly period: Span & { readonly size: 'hour' | 'day' };
  /** The time that `change` compares with; null where less than `coverage.compared` of it, or of the period, was recorded. */
  readonly before: Span | null;
  readonly sunset: Sunset;
  /** Names of the workspaces and unknown keys that it is of, and of nobody else; null where it is of all. */
  readonly of: readonly string[] | null;
  /** What somebody searched for: it is of the whole workspaces, and the clients without a key, in which it was found alone. */
  readonly search?: string;

  readonly verdict: Verdict;
  /** Who still calls now, day by day down to the sunset, and whether all will have stopped by then. */
  readonly burnDown: BurnDown;
  /** All v1 calls but ignored ones; those without a key are in it. */
  readonly total: Usage;
  readonly trend: readonly Bucket[];
  /** Unknown keys first; by verdict, then by calls of the last seven days, then of the period; then workspaces that are configured but were never seen, and keys that v2 never accepted. */
  readonly workspaces: readonly WorkspaceRow[];
  /** By calls, those that v2 never accepted last. */
  readonly keys: readonly KeyRow[];
  /** By calls, those whom v2 never accepted last; those without a key are in it. */
  readonly clients: readonly ClientRow[];
  /** By calls. */
  readonly endpoints: readonly EndpointRow[];
  /** Calls without exactly one key: nobody knows whose they are. Null where there were none since the record began. */
  readonly unidentified: Unidentified | null;
  /** Calls that the configuration says to ignore; they are in no other figure but the limits, as they use up the quota of their keys. */
  readonly ignored: readonly IgnoredRow[];
  readonly coverage: Coverage;
  /** What each plan may call v2 in an hour. */
  readonly plans: readonly PlanLimit[];
  /** Where in the code v1 is still called; there where findings of the codemods were given. */
  readonly code?: CodeReport;
  /** Access logs that were imported, by name: calls past the proxies, which are in no other figure but the verdicts. Not there without one. */
  readonly logs?: readonly LogSourceRow[];
  /** The road from v1 to v2; not there where the record has no roll-out. */
  readonly rollout?: RolloutReport;
}

export interface Sunset {
  readonly deprecatedSince: Instant;
  readonly at: Instant;
  /** Whole days from the end of the period until the sunset, negative after it. */
  readonly days: number;
  readonly passed: boolean;
}

/** What was called within the period. */
export interface Usage {
  readonly calls: number;
  /** Requests that v2 was sent for these calls. */
  readonly v2Calls: number;
  /** GETs of what the same client had asked for within the hour before. */
  readonly repeats: number;
  /** By how the proxy answered. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Calls answered with 4xx, with 5xx, and those whose client left before it got an answer. */
  readonly errors: { readonly client: number; readonly server: number; readonly aborted: number };
  /** By status, in its order; 0 where the client left. */
  readonly statuses: readonly { readonly status: number; readonly calls: number }[];
  /** Null without a call. */
  readonly duration: { readonly mean: number; readonly longest: number } | null;
  /** Of the calls within the period. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** Against `Report.before`; null where that was not recorded. */
  readonly change: Change | null;
}

export interface Change {
  /** Calls in the time before. */
  readonly calls: number;
  /** What they grew by: -0.25 is a quarter less. Null where there were none before, and are now. */
  readonly ratio: number | null;
}

/** One hour or day of the period. */
export interface Bucket {
  readonly start: Instant;
  /** Null where nothing of it was recorded: not known, which is not zero. */
  readonly calls: number | null;
  readonly v2Calls: number | null;
  /** How much of it was recorded; an hour or day that is not over counts up to the end of the period. */
  readonly recorded: number;
}

/** When something was first and last seen since the record began, whatever the period. */
export interface Seen {
  readonly firstSeen: Instant | null;
  readonly lastSeen: Instant | null;
}

export interface WorkspaceRow extends Seen {
  /** Of the configuration, or the label of the record, or of an unknown key `prefix…hash`. */
  readonly name: string;
  /** `configured`: in the configuration of this report; `labelled`: only the proxy's had it; `unknown`: a key that no configuration has. */
  readonly origin: 'configured' | 'labelled' | 'unknown';
  readonly plan: Plan | null;
  readonly owner: string | null;
  readonly contact: string | null;
  readonly note: string | null;
  /** How things stand with it, as people noted it; null where nobody did. */
  readonly mark: WorkspaceMark | null;
  /** Hashes of its keys that were seen: see `Report.keys`. */
  readonly keys: readonly string[];
  /** How many clients of it called within the period. */
  readonly clients: number;
  /** Whether v2 ever accepted a call of it. */
  readonly accepted: boolean;
  readonly usage: Usage;
  /** In the last seven days, however long the period is: accepted calls alone. */
  readonly now: WorkspaceNow;
  /** Calls, hour by hour or day by day like `Report.trend`; null where nothing was recorded. */
  readonly trend: readonly (number | null)[];
  readonly endpoints: readonly EndpointUse[];
  readonly limit: LimitFit;
  readonly polling: readonly Polling[];
  /** Unknown keys under which its clients probably call now: the same product from the same network, since they fell quiet. */
  readonly probably: readonly string[];
  readonly verdict: Verdict;
  /** Of its calls; whether all workspaces will have stopped in time, `burnDown.outlook` tells. */
  readonly forecast: Forecast;
  /** What access logs tell of its keys; not there where none has any of them. */
  readonly logged?: WorkspaceLogged;
  /** Where it stands on the road from v1 to v2; there with `Report.rollout`. */
  readonly road?: WorkspaceRoad;
}

export interface WorkspaceNow {
  readonly calls: number;
  /** The versions of one product are one client. */
  readonly clients: number;
}

export interface WorkspaceMark {
  readonly status: MarkStatus;
  /** The first instant, in UTC, of the day that was promised, or of the last day of the snooze. */
  readonly until: Instant | null;
  /** Whether that day was over at the end of the period: a promise is overdue then, and a snooze over. */
  readonly past: boolean;
  readonly note: string | null;
  /** When it was noted; null for one of the configuration. */
  readonly at: Instant | null;
  /** `record`: by `migrate-v2 usage mark`, which holds over the configuration. */
  readonly from: 'configuration' | 'record';
}

export interface KeyRow extends Seen {
  readonly hash: string;
  readonly prefix: string;
  readonly workspace: string;
  readonly clients: number;
  readonly usage: Usage;
}

export interface ClientRow extends Seen {
  /** The same for the same client in every report on the same store. */
  readonly id: number;
  /** Null without a key. */
  readonly workspace: string | null;
  readonly keyHash: string | null;
  readonly keyPrefix: string | null;
  /** Product of the User-Agent. */
  readonly product: string;
  /** Value of the configured header that tells clients apart. */
  readonly name: string | null;
  readonly usage: Usage;
  readonly endpoints: readonly EndpointUse[];
  /** Networks it was seen from, the latest first; a few at most. */
  readonly sources: readonly { readonly network: string; readonly firstSeen: Instant; readonly lastSeen: Instant }[];
  readonly quiet: Quiet;
  /** Whether v2 ever accepted a call of it: one whose key it always refused loses nothing with v1. */
  readonly accepted: boolean;
}

/** What one client or workspace made of an endpoint, within the period. */
export interface EndpointUse {
  /** Method and path template on v1, or `unlisted`. */
  readonly endpoint: string;
  /** Method and path template on v2 that do the same; null for `unlisted`. */
  readonly successor: string | null;
  readonly calls: number;
  readonly v2Calls: number;
  readonly repeats: number;
  /** Answered with 4xx or 5xx, or left by the client. */
  readonly errors: number;
  readonly last: Instant;
}

export interface EndpointRow {
  readonly endpoint: string;
  readonly successor: string | null;
  /** How many clients, and workspaces, called it. */
  readonly clients: number;
  readonly workspaces: number;
  readonly usage: Usage;
}

export interface Unidentified extends Seen {
  /** How many clients, told apart by their product alone: see `Report.clients` for those without a key. */
  readonly clients: number;
  readonly usage: Usage;
  readonly endpoints: readonly EndpointUse[];
}

export interface IgnoredRow {
  /** As the configuration gives it. */
  readonly reason: string;
  /** Within the period. */
  readonly calls: number;
  readonly v2Calls: number;
  readonly clients: number;
  readonly last: Instant | null;
}

// --- the record --------------------------------------------------------------

export interface Coverage {
  /** Of the period: the share of it in which every call was recorded. */
  readonly share: number;
  /** The first instant of the record; null where there is none. */
  readonly recordedSince: Instant | null;
  /** The last instant of the record: long ago where no proxy writes to the store any more. */
  readonly recordedUntil: Instant | null;
  /** The longest gaps of the period, in order of time. */
  readonly gaps: readonly GapRow[];
  /** How many more there are, all of them shorter, and how long they are together. */
  readonly more: { readonly gaps: number; readonly duration: number };
  /** Calls known to be missing within the period. */
  readonly lostCalls: number;
  /** The share that both periods need to be compared, and that a verdict needs. */
  readonly compared: number;
  readonly needed: number;
}

export interface GapRow extends Span {
  readonly duration: number;
  /**
   * `before`: the record had not begun; `absent`: no proxy was recording; `lost`: a proxy served calls that it could not record;
   * `silent`: one had fallen silent without having ended; `clock`: the clock of one was wrong.
   */
  readonly reason: 'before' | 'absent' | 'lost' | 'silent' | 'clock';
  /** Calls known to be missing. */
  readonly calls: number;
}

// --- limits ------------------------------------------------------------------

export interface PlanLimit {
  readonly plan: Plan;
  readonly perHour: number | null;
  /** `published` (api.md §8), `given` by the user as an assumption, `custom` by contract, or `not_shown`; the latter two have no number. */
  readonly basis: 'published' | 'given' | 'custom' | 'not_shown';
}

/**
 * How the v2 calls of a workspace, over all of its keys, go with an hourly limit: those of the last 30 days of the period, as what is long past
 * says little of what will come. Whether v2 counts by the clock or over any 60 minutes is not shown (api.md §8), so both are given.
 */
export interface LimitFit {
  /** Null without a plan. */
  readonly limit: PlanLimit | null;
  /**
   * The clock hour with the most v2 calls, and the most that any 60 minutes can have had; null without a v2 call. Calls are counted by the minute,
   * so the latter is an upper bound: all of the 61 minutes by the clock that 60 minutes lie within.
   */
  readonly clockHour: PeakLoad | null;
  readonly sliding: PeakLoad | null;
  /** The same of any 60 minutes earlier in the period, where it is more; nothing else here goes by it. */
  readonly older: PeakLoad | null;
  /** `fits` and `exceeds` under both ways of counting, `depends` on which; `unknown` without a known limit. */
  readonly fit: 'fits' | 'depends' | 'exceeds' | 'unknown';
  /** Calls that v2 would refuse with 429 at most, if clients do not try again; null without a known limit. */
  readonly refused: { readonly clockHour: number; readonly sliding: number } | null;
  /**
   * The smallest plan with a published or given limit that holds under both ways of counting; Enterprise, which is custom, where none does.
   * None is smaller than the plan that the workspace has: it may call v2 past the proxy as well. Null without a v2 call, and where a given
   * limit of Enterprise is too small as well.
   */
  readonly smallestPlan: Plan | null;
  /** Smaller plans than that one, but for which no limit is known: they may do as well. */
  readonly notShown: readonly Plan[];
  /** The v1 endpoint that costs the most v2 calls, and its share of those that v1 costs: the first to tame where they are too many. */
  readonly tame: { readonly endpoint: string; readonly v2Calls: number; readonly share: number } | null;
  /** The same with reuse and coalescing; null where the record knows of none, as that of older versions. */
  readonly savers: SaversFit | null;
}

/** Identical reads in flight are asked once, and the answers of reads are used again for so long. */
export interface Savers {
  readonly coalescing: boolean;
  readonly reuse: number;
}

export interface SaverSetting extends Savers {
  /** The clock hour with the most v2 calls; null without any. */
  readonly clockHour: PeakLoad | null;
}

/**
 * What a workspace would ask v2 with savers and without, once all of its calls are translated and none is refused for a limit: found of every read
 * as it was recorded, whether or not anything was saved. Of any 60 minutes it is not known, only by the clock hour.
 */
export interface SaversFit {
  /** The first hour of which it is known. */
  readonly since: Instant;
  /** What is compared with: the plan of the workspace, or without one the smallest of a known limit; null where the limit of its plan is not known. */
  readonly limit: { readonly plan: Plan; readonly perHour: number } | null;
  /** Calls of the worst hour without savers that v1 itself answered: they cost v2 nothing yet. */
  readonly untranslated: number;
  /** From none to the most; the first one is without savers. */
  readonly settings: readonly SaverSetting[];
  /** The smallest of them under which the limit holds; null where none does, and without a limit. */
  readonly needed: Savers | null;
  /** The smallest plan that holds under the last of them; none is smaller than that of the workspace. */
  readonly smallestPlan: Plan | null;
}

export interface PeakLoad extends Span {
  readonly v2Calls: number;
}

/** A GET that is made again and again. */
export interface Polling {
  readonly endpoint: string;
  readonly calls: number;
  readonly v2Calls: number;
  /** What a cache of an hour would save: calls for what the same client had just asked for. */
  readonly cacheSaves: number;
  /**
   * What being told, instead of asking, would save, and the event that tells; null for what nobody polls for news.
   * The event is null where api.md §6 shows none with this news, as for the delivery status: then it only says what asking costs.
   */
  readonly webhook: { readonly saves: number; readonly event: EventKind | null } | null;
  /** Whether it reads the delivery status of messages. */
  readonly status: boolean;
}

// --- when will it end? -------------------------------------------------------

/** When the last v1 call may be expected, or why nobody can say: see forecast.ts for the statistics. */
export type Forecast =
  | {
      readonly state: 'forecast';
      /** As likely before as after. */
      readonly date: Instant;
      /** In at least nine of ten cases it is within these. */
      readonly earliest: Instant;
      readonly latest: Instant;
      readonly confidence: number;
      /** Calls halve in this time. */
      readonly halfLife: number;
      /** What it was made of. */
      readonly basis: Span & { readonly weeks: number; readonly calls: number };
    }
  | { readonly state: 'none'; readonly reason: NoForecast };

export type NoForecast =
  /** No call was ever seen. */
  | 'no_calls'
  /** No call in the last two weeks: the last one may have been. */
  | 'quiet'
  /** Fewer than four weeks are recorded. */
  | 'too_short'
  /** Too many weeks have not been recorded. */
  | 'too_patchy'
  /** Too few calls to tell a trend from chance. */
  | 'too_few'
  /** No decline that could not be chance. */
  | 'flat'
  /** More calls from week to week. */
  | 'growing'
  /** A decline, but so slow or uneven that the end may be years away. */
  | 'too_far';
