/**
 * What the usage record is made of (design.md §7): who called, what was called and how it ended, how often, and when the record was kept at all.
 * Times are epoch milliseconds, minutes, hours and days are numbers of them since the epoch, in UTC.
 */
import { type Outcome, outcomes } from './deprecated-use.ts';

/** Who called: a client is told apart by its key, the product of its User-Agent and, where configured, one header. */
export interface Caller {
  /** Made of the other properties, so that every proxy gives the same caller the same id: see caller-id.ts. */
  readonly id: number;
  /** Keyed hash of the key, and the few characters of it that people may see; null without exactly one key. */
  readonly keyHash: string | null;
  readonly keyPrefix: string | null;
  /** The workspace that the proxy's configuration gave the key when it was used. */
  readonly workspace: string | null;
  /** Product of the User-Agent: see client-product.ts. */
  readonly client: string;
  /** Value of the header that tells clients apart; null where none is configured or sent. */
  readonly name: string | null;
}

/** The product of the one caller, without a key, that stands for all whom a proxy had no more room to tell apart. */
export const otherCallers = '_other';

/** A caller as a store knows it. */
export interface RecordedCaller extends Caller {
  /** The longest pause between two of its calls of which one is not in the record any more, in milliseconds; null where there is none. */
  readonly longestPause: number | null;
}

/** What is left of a caller whose key was erased: that somebody called, and never who. */
export interface Erased {
  /** The end of the day of its last call. */
  readonly last: number;
  /** The longest pause between two of its calls; null where there was none. */
  readonly longestPause: number | null;
}

/** What was called and how it ended. */
export interface Kind {
  /** Method and path template of the endpoint, or `unlisted`. */
  readonly endpoint: string;
  /** The request method, or `OTHER`. */
  readonly method: string;
  /** Status sent to the client; 0 where it left before it got one. */
  readonly status: number;
  /** `passed`: a call that its client made to v2 itself. It counts towards the limits of v2, and nowhere else: it is no use of v1. */
  readonly outcome: Outcome | 'passed';
}

/** That of a v1 call. */
export interface V1Kind extends Kind {
  readonly outcome: Outcome;
}

/** What a store says of how a call was answered; only a damaged one says anything else. */
export const outcomeOf = (stored: unknown): Outcome => outcomes.find((outcome) => outcome === stored) ?? 'failed';

/** How often, for one caller and kind within some time. Sums may be added; `longest` and `last` are maxima, `first` is a minimum. */
export interface Counts {
  readonly calls: number;
  /** Requests that v2 was sent for these calls. */
  readonly v2Calls: number;
  /** Calls that asked for the same resource, or the same list, as an earlier one of the same caller within the hour. */
  readonly repeats: number;
  /** Sum of the durations, and the longest one, in milliseconds. */
  readonly duration: number;
  readonly longest: number;
  readonly first: number;
  readonly last: number;
}

/** The counts of one caller and kind in one minute, as one writer knows them: absolute, so that writing them again changes nothing. */
export interface UsageRow {
  readonly minute: number;
  readonly caller: Caller;
  readonly kind: Kind;
  readonly counts: Counts;
}

/**
 * For how long the answer of a read could be used again, in milliseconds: what that would save is recorded for each. Under all of them, identical
 * reads in flight are asked once; under the first, nothing else is.
 */
export const reuseTimes = [0, 5_000, 10_000, 30_000, 60_000] as const;

/** What v2 would be sent without a budget and without savers, once all calls are translated, and what of it these would save. */
export interface SavingCounts {
  /** Calls to v2. */
  readonly asked: number;
  /** Of these, the ones for calls that v1 itself has answered. */
  readonly untranslated: number;
  /** Of `asked`, the ones that each of `reuseTimes` would save. */
  readonly saved: readonly number[];
}

/** The same of one caller with a key in one clock hour, as one writer knows it: absolute. */
export interface SavingRow {
  /** Since the epoch. */
  readonly hour: number;
  readonly caller: number;
  readonly counts: SavingCounts;
}

/** Networks that are kept of a caller: one with so many may have been seen from more. */
export const sourcesOfCaller = 8;

/** A network that a caller was seen from: a /24 of IPv4, a /48 of IPv6. */
export interface Source {
  readonly caller: number;
  readonly network: string;
  readonly first: number;
  readonly last: number;
}

/** A time in which one writer recorded every call that it served. */
export interface Session {
  readonly writer: string;
  /** The name of the proxy, the same after each of its starts; empty in records of older versions. */
  readonly replica: string;
  readonly since: number;
  readonly seen: number;
  /** Whether it served none after `seen`. Otherwise it runs still, was killed, or cannot reach the store: what it served since is not known. */
  readonly ended: boolean;
  /**
   * How far its clock was behind what the store knew of the time, in milliseconds, and negative where it was ahead: what it recorded then
   * happened so much later than it says.
   */
  readonly behind: number;
}

/** Somebody has said that a proxy is gone: it has served no call since. */
export interface Retirement {
  readonly replica: string;
  readonly at: number;
}

/** A time within a session in which a writer served calls that it could not record. */
export interface Gap {
  readonly writer: string;
  readonly since: number;
  readonly until: number;
  /** Calls that are missing. */
  readonly calls: number;
}

/** From `since` up to, and without, `until`. */
export interface Range {
  readonly since: number;
  readonly until: number;
}

export const stepKinds = [
  'stopped',
  'resumed',
  'tripped',
  'released',
  'changed-over',
  'brownout-began',
  'brownout-ended',
  'brownout-stopped',
] as const;

/** Something that happened on the road from v1 to v2. Steps are only ever added. */
export interface Step {
  /** The same for the same event, however many replicas note it: what is there is not written again. */
  readonly id: string;
  readonly at: number;
  readonly replica: string;
  readonly kind: (typeof stepKinds)[number];
  /** Name of the rule or brownout; empty where it is about all. */
  readonly rule: string;
  /** One plain sentence with figures, made by us; no text of a client. */
  readonly detail: string;
}

export const markStatuses = ['contacted', 'promised', 'snoozed'] as const;
export type MarkStatus = (typeof markStatuses)[number];

/** What a person noted of a customer. Marks are only ever added; of those with one subject, the last one holds. */
export interface Mark {
  /** The name of a workspace, or `hash:` and the hash of a key that nobody knows. */
  readonly subject: string;
  readonly at: number;
  /** Null where an earlier one was taken back. */
  readonly status: MarkStatus | null;
  /** The first instant, in UTC, of the last day that was meant. */
  readonly until: number | null;
  readonly note: string | null;
}

/** How the answers of the two versions can differ; `request`: what v2 would be sent is not what its document takes. */
const differenceKinds = ['status', 'mediaType', 'missing', 'added', 'type', 'value', 'order', 'request'] as const;

export const comparisonKinds = ['calls', 'skipped', ...differenceKinds] as const;

/** What comparing has found at one place of the answers of one endpoint, for one workspace, as one writer knows it: absolute. No value is in it. */
export interface ComparisonRow {
  /** Fingerprint of what compares: differences of an older one may be mended. */
  readonly setup: string;
  /** Never an empty text. */
  readonly workspace: string | null;
  /** Method and path template of the endpoint, or `unlisted`. */
  readonly endpoint: string;
  /** `calls`: the calls compared, whose path is empty and whose noise counts those for which v1 was asked again; `skipped`: those not compared. */
  readonly kind: (typeof comparisonKinds)[number];
  /** Of `skipped` the reason; `…` for all places for which there was no more room. */
  readonly path: string;
  /** An example of shapes, such as `text`, `integer`, `absent`: of a difference that is no noise, where there was one. */
  readonly v1: string;
  readonly v2: string;
  /** How often it showed, between v1 and v2 or between two answers of v1: of what is no noise, the calls that showed it. */
  readonly count: number;
  /** Of these, how often it was between two answers of v1. */
  readonly noise: number;
  readonly first: number;
  readonly last: number;
}

/** What one call showed at one place. */
export interface Difference extends Pick<ComparisonRow, 'path' | 'v1' | 'v2'> {
  readonly kind: (typeof differenceKinds)[number];
  /** Whether it is between two answers of v1, and not between v1 and v2. */
  readonly noise: boolean;
}
