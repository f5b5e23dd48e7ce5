/**
 * What is new since a week ago, as data: every form of the digest renders this and nothing else, and as JSON it is the digest itself
 * (digest.schema.json). Instants, lengths, shares and other people's text are as in `Report`.
 */
import type { Plan } from '../../contract/plans.ts';
import type { ActiveWeek, CameBack, Left, Miss, Newcomer, Outlook } from '../burn-down/model.ts';
import type { LogClientRow } from '../logs/model.ts';
import type { PastProxies } from '../logs/past.ts';
import type { LimitFit, Sunset } from '../model.ts';
import type { AnnouncedBrownout } from '../rollout/model.ts';
import type { Instant, Span } from '../span.ts';
import type { Verdict } from '../verdict-model.ts';

/** Grows whenever a reader of older digests could misunderstand a newer one. */
export const digestVersion = 1;

export interface Digest {
  readonly version: typeof digestVersion;
  /** When it was made. */
  readonly made: Instant;
  /** As in `Report`. */
  readonly of: readonly string[] | null;
  /** What is new is new since its beginning: a midnight, so that the digests of a cron that is late now and then leave nothing out. */
  readonly week: Span;
  /** The seven days before. */
  readonly before: Span;
  /** Whether there is anything in it that was not so a week ago, or that falls due within a week; also where nobody can tell. */
  readonly changed: boolean;
  readonly sunset: Sunset;
  /** `before` is null where nothing was recorded then. */
  readonly verdict: { readonly now: Verdict['state']; readonly before: Verdict['state'] | null };
  readonly comparison: Comparison;
  /** Who calls now, as in `BurnDown`; `before` is null where the weeks cannot be compared. */
  readonly calling: { readonly now: ActiveWeek; readonly before: ActiveWeek | null };
  /** Whether all will have stopped in time, and who will probably not have, the surest first; as in `BurnDown`. */
  readonly outlook: Outlook;
  readonly misses: readonly (Miss & Whom)[];
  /** Calls past the proxies, as access logs show them: in no other figure of the digest but the verdict. */
  readonly logs: DigestLogs;
  /** What to do first, the most urgent first; a few at most. */
  readonly first: readonly FirstStep[];

  /** As in `BurnDown`, but for unknown keys, which have a list of their own. */
  readonly cameBack: readonly (CameBack & Whom)[];
  readonly new: readonly (Newcomer & Whom)[];
  /** As in `BurnDown`, unknown keys among them. */
  readonly left: readonly (Left & Whom)[];
  /**
   * Clients, of workspaces that called before and go on; a new version of a product is no new client, and who pauses as often before has not
   * left. Empty where the weeks cannot be compared.
   */
  readonly newClients: readonly ClientChange[];
  readonly leftClients: readonly ClientChange[];
  /** Keys that call, and that no configuration has; by calls. */
  readonly unknownKeys: readonly UnknownKey[];
  /** Who would exceed v2's hourly limit, or may; those that did not a week ago first. */
  readonly limits: readonly LimitAhead[];
  /** Those to come, the next one first; a few at most. */
  readonly brownouts: readonly AnnouncedBrownout[];
  /** What was promised by a day that is over, of whoever still calls, and by one of the next seven; by that day. */
  readonly promises: readonly PromiseDue[];
}

export interface DigestLogs extends PastProxies {
  /** Who made those calls, as far as the logs tell, the latest first. */
  readonly callers: readonly LoggedCaller[];
}

export interface LoggedCaller extends Pick<LogClientRow, 'product' | 'network' | 'workspace' | 'keyHash' | 'last'>, Omit<Whom, 'calls'> {
  readonly source: string;
  /** Whether no call of it was seen a week ago; false where nobody can tell. */
  readonly isNew: boolean;
}

/** Whether the two weeks can be compared: of each of them `needed` must have been recorded. */
export interface Comparison {
  readonly comparable: boolean;
  /** The share of each week that was recorded. */
  readonly recorded: number;
  readonly recordedBefore: number;
  readonly needed: number;
  readonly recordedSince: Instant | null;
}

/** Whom to ask, and how many calls there were in the week. */
export interface Whom {
  readonly owner: string | null;
  readonly contact: string | null;
  readonly calls: number;
}

/** By its name. */
export interface OfWorkspace extends Whom {
  readonly workspace: string;
}

export interface ClientChange extends Omit<OfWorkspace, 'calls'> {
  /** See `ClientRow`. */
  readonly id: number;
  readonly product: string;
  readonly name: string | null;
  /** The network it was seen from last. */
  readonly network: string | null;
  readonly first: Instant;
  readonly last: Instant;
}

export interface UnknownKey {
  /** `prefix…hash`, as in the report. */
  readonly name: string;
  readonly hash: string;
  /** Whether its first call ever was within the week; false where nobody can tell. */
  readonly isNew: boolean;
  readonly first: Instant;
  readonly last: Instant;
  readonly calls: number;
  /** Its products and networks, the latest first; a few at most. */
  readonly products: readonly string[];
  readonly networks: readonly string[];
  /** Workspaces whose it probably is. */
  readonly probably: readonly string[];
}

export interface LimitAhead extends OfWorkspace {
  readonly plan: Plan;
  readonly perHour: number;
  readonly fit: 'exceeds' | 'depends';
  /** A week ago; null where it had no v2 call then. */
  readonly before: LimitFit['fit'] | null;
  readonly isNew: boolean;
  /** The most v2 calls that any 60 minutes can have had. */
  readonly v2Calls: number;
  readonly smallestPlan: Plan | null;
}

export interface PromiseDue extends OfWorkspace {
  /** The first instant, in UTC, of the day that was promised. */
  readonly until: Instant;
  readonly overdue: boolean;
  readonly note: string | null;
}

export type FirstStep =
  /** Ask what changed: it was SAFE. */
  | ({ readonly step: 'ask_why_back' } & OfWorkspace)
  /** Ask what became of the promise: its day is over. */
  | ({ readonly step: 'ask_promise'; readonly until: Instant } & OfWorkspace)
  /** Find out whose key it is. */
  | { readonly step: 'name_key'; readonly name: string; readonly hash: string; readonly probably: readonly string[] }
  /** Tell those whom a brownout meets within a week. */
  | { readonly step: 'announce_brownout'; readonly name: string; readonly since: Instant }
  /** See where they call v1 past the proxies, and send them through one; the names of workspaces and unknown keys among them, a few at most. */
  | {
      readonly step: 'send_through_proxy';
      readonly clients: number;
      readonly sources: readonly string[];
      readonly names: readonly string[];
    }
  /** Import newer logs, or forget the source. */
  | { readonly step: 'import_logs'; readonly name: string; readonly until: Instant }
  /** Somebody began to use v1. */
  | ({ readonly step: 'ask_newcomer' } & OfWorkspace)
  | ({ readonly step: 'plan_limit'; readonly smallestPlan: Plan | null } & OfWorkspace)
  /** The one with the most calls of those who neither promised a day nor are snoozed, where nothing above is to be done. */
  | ({ readonly step: 'call_busiest' } & OfWorkspace)
  /** See that every call is recorded. */
  | { readonly step: 'mend_record' }
  /** Nobody uses v1 any more. */
  | { readonly step: 'switch_off' };
