/** What access logs tell of v1 calls past the proxies (docs/logs.md), as data. They are in no other figure of the report but the verdicts. */
import type { Instant, Span } from '../span.ts';

/** One source of logs. */
export interface LogSourceRow {
  readonly name: string;
  /** Its name among those of `usage import --format`. */
  readonly format: string;
  /** When a log of it was imported last. */
  readonly imported: Instant;
  /** How far its logs reach, by lines of whatever; null where none of them has a time. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** Where they have no line for more than a day: some of them were not imported. */
  readonly holes: readonly Span[];
  readonly files: number;
  readonly lines: number;
  /** Lines that seem to be of v1, and could not be read. */
  readonly unread: number;
  /** v1 calls on the days of the period, and how many of them were refused; without those that the configuration says to ignore. */
  readonly calls: number;
  readonly refused: number;
  readonly ignored: number;
  /** The last v1 call that was not refused, whenever it was; null where there never was one. */
  readonly lastCall: Instant | null;
  /** How many clients and endpoints there are, whenever they called. */
  readonly clients: number;
  readonly endpoints: readonly LogEndpointRow[];
  /** Those whose key the log tells; the latest first. */
  readonly workspaces: readonly LogWorkspaceRow[];
  /** The busiest of the period, and then the latest. */
  readonly busiest: readonly LogClientRow[];
}

export interface LogEndpointRow {
  /** Method and path template on v1, or `unlisted`. */
  readonly endpoint: string;
  readonly successor: string | null;
  readonly calls: number;
  readonly last: Instant;
}

export interface LogWorkspaceRow {
  readonly name: string;
  readonly calls: number;
  readonly last: Instant;
}

export interface LogClientRow {
  readonly product: string;
  /** Null where the log tells no address. */
  readonly network: string | null;
  /** Null without a key. */
  readonly workspace: string | null;
  readonly keyPrefix: string | null;
  readonly keyHash: string | null;
  readonly calls: number;
  readonly refused: number;
  readonly last: Instant;
}

/** What logs tell of one workspace; there where its keys stand in any. */
export interface WorkspaceLogged {
  /** On the days of the period, without refused ones. */
  readonly calls: number;
  readonly last: Instant;
  readonly sources: readonly string[];
}
