/** May v1 be stopped, as data: docs/verdict.md has the rules. Instants are in ISO 8601, lengths in milliseconds, shares from 0 to 1. */
import type { Instant, Span } from './span.ts';

/**
 * `safe`: nobody has used v1 for long enough, and the record would have shown it; `not_yet`: somebody has;
 * `unknown`: nobody was seen, but the record is not good enough to tell.
 */
export interface Verdict {
  readonly state: 'safe' | 'not_yet' | 'unknown';
  /** How long there must be no v1 call. Ends with the period. */
  readonly window: Span & { readonly duration: number };
  readonly criteria: Criteria;
  /** The share of the window that was recorded. */
  readonly coverage: number;
  /** Why it is not `safe`; empty where it is. */
  readonly blockers: readonly Blocker[];
  /** What the verdict takes for granted and the record cannot tell; told of all together only. */
  readonly conditions: readonly Condition[];
}

/** What was asked for; all in milliseconds. */
export interface Criteria {
  /** The longest time between two runs of any job: whoever calls less often is not covered. */
  readonly rarestJob: number;
  /** How long everybody has to be quiet, and how long the record has to be. */
  readonly quiet: number;
  readonly record: number;
}

export type Condition =
  /** Access logs that were imported, each as often as it has stretches: they tell who called, and never that nobody did. */
  | { readonly code: 'imported_logs'; readonly sources: readonly (Span & { readonly name: string })[] }
  /** The proxies that recorded: calls through others, or to v1 itself, are in no record. */
  | {
      readonly code: 'recorded_by';
      readonly replicas: readonly (Span & { readonly name: string; readonly state: 'recording' | 'ended' | 'silent' | 'retired' })[];
    }
  /** Workspaces that are configured and never called: they may call v1 another way. */
  | { readonly code: 'never_seen_workspaces'; readonly names: readonly string[] }
  /** Clients of which v2 never accepted a call, whatever they tried: nothing that works today ends with v1. */
  | { readonly code: 'refused_clients'; readonly clients: number };

export type Blocker =
  /** Clients with a key have called too recently. */
  | {
      readonly code: 'recent_calls';
      readonly workspaces: number;
      readonly clients: number;
      readonly last: Instant;
      /** When these have been quiet for long enough, if they never call again. */
      readonly quietFrom: Instant;
      /** The ids of the first of them in `Report.clients`, the latest caller first. */
      readonly latest: readonly number[];
    }
  /**
   * Clients are quiet by their own rhythm, but not for as long as the rarest job may pause; `seenOnce` of them called on one day only, which
   * tells no rhythm. `latest` as above.
   */
  | {
      readonly code: 'rare_calls';
      readonly clients: number;
      readonly seenOnce: number;
      readonly last: Instant;
      readonly quietFrom: Instant;
      readonly latest: readonly number[];
    }
  /** The same product calls from the same network under another key, and nobody knows whose it is: probably a key was rotated. */
  | {
      readonly code: 'moved_calls';
      readonly clients: number;
      readonly last: Instant;
      readonly quietFrom: Instant;
      readonly latest: readonly number[];
    }
  /** Calls without a key: nobody knows whose they are. */
  | { readonly code: 'unidentified_calls'; readonly clients: number; readonly last: Instant; readonly quietFrom: Instant }
  /** Calls after the end of the period, of which the report tells nothing else; after `made` where a clock was wrong. */
  | { readonly code: 'later_calls'; readonly clients: number; readonly last: Instant }
  /**
   * Calls within the window that could not be recorded: v1 is in use, though nobody knows by whom. `last` is the end of the time of loss,
   * `quietFrom` when it has left the window.
   */
  | { readonly code: 'lost_calls'; readonly calls: number; readonly last: Instant; readonly quietFrom: Instant }
  /** Clients called too recently whose key was erased since: nobody knows any more whose calls they were. `last` is the end of a day. */
  | { readonly code: 'erased_calls'; readonly clients: number; readonly last: Instant; readonly quietFrom: Instant }
  /** Too little of the window was recorded; `goodFrom` is when it will be enough, if nothing more is missed. */
  | { readonly code: 'coverage'; readonly share: number; readonly needed: number; readonly goodFrom: Instant }
  /** The record has not been kept for as long as it must be; `goodFrom` is when it will have been. */
  | { readonly code: 'short_record'; readonly recorded: number; readonly needed: number; readonly goodFrom: Instant }
  /**
   * The gaps of the record lie so that a job which runs every `rarestJob` may have met one each time; so many known clients may have, or,
   * with 0, somebody who was never seen. `knownFrom` is when that cannot be any more, if nothing more is missed.
   */
  | { readonly code: 'hidden_calls'; readonly clients: number; readonly rarestJob: number; readonly knownFrom: Instant }
  /** Proxies that fell silent without having ended: they may serve calls that nobody records. */
  | { readonly code: 'silent_replicas'; readonly replicas: readonly { readonly name: string; readonly since: Instant }[] }
  /** Proxies that are configured and do not record: they never did, or have ended since. */
  | { readonly code: 'missing_replicas'; readonly names: readonly string[] }
  /**
   * Access logs have calls past the proxies, too recent for anybody who runs a job as rarely as this verdict covers. `known`: by their keys they
   * are of those whom the verdict is about; otherwise nobody knows whose they are.
   */
  | {
      readonly code: 'logged_calls';
      readonly sources: readonly string[];
      readonly known: boolean;
      readonly clients: number;
      readonly last: Instant;
      /** When they have been quiet for long enough, if they never call again. */
      readonly quietFrom: Instant;
    }
  /** Access logs that had calls past the proxies, and end before now: what passed there since is in no record. */
  | { readonly code: 'ended_logs'; readonly sources: readonly { readonly name: string; readonly until: Instant }[] }
  /**
   * Access logs that had calls past the proxies have no line for more than a day within the window: some of them were not imported. `knownFrom` is
   * when that has left the window.
   */
  | { readonly code: 'log_holes'; readonly holes: readonly (Span & { readonly name: string })[]; readonly knownFrom: Instant }
  /** Something was recorded, but never a call: the traffic may go another way. */
  | { readonly code: 'never_seen' }
  /** Calls were recorded, but v2 never accepted one. */
  | { readonly code: 'all_refused' }
  /** Calls were recorded, but the configuration says to ignore all of them. */
  | { readonly code: 'all_ignored' }
  /** Nothing was ever recorded. */
  | { readonly code: 'no_record' };

/** How long a client has been quiet, and has to be. */
export interface Quiet {
  /** Since its last call, at the end of the period. */
  readonly duration: number;
  /**
   * The longest pause between two of its recorded calls, or of those of all versions of its product, as days tell it; null where it has called
   * on a single day only, which tells no rhythm. It counts whole where a part of it was not recorded.
   */
  readonly longestPause: number | null;
  /** max(14 days, the rarest job of its workspace, twice the longest pause). */
  readonly needed: number;
}
