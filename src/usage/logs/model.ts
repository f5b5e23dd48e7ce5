/**
 * What is kept of access logs: who called v1 past the proxies, as far as lines of a log tell it. A log is no record of the proxies: it tells
 * that somebody called, and never that nobody did.
 */
import type { Range } from '../model.ts';

/** Who a line of a log says that called. */
export interface LogCaller {
  /** Product of the User-Agent: see client-product.ts. */
  readonly client: string;
  /** A /24 of IPv4, a /48 of IPv6; empty where the line tells no address. */
  readonly network: string;
  /** Keyed hash of the key, and the few characters of it that people may see; null where the line tells none. */
  readonly keyHash: string | null;
  readonly keyPrefix: string | null;
}

/** What was called, and how it ended. */
export interface LogKind {
  /** Method and path template of the endpoint, or `unlisted`. */
  readonly endpoint: string;
  /** The request method, or `OTHER`. */
  readonly method: string;
  /** 0 where the line tells none. */
  readonly status: number;
}

/** The calls of one clock hour: columns of the same length, of which each place is a line. */
export interface LoggedHour {
  /** Since the epoch. */
  readonly hour: number;
  /** What tells a line from others: see known-lines.ts. */
  readonly marks: Float64Array;
  /** Epoch milliseconds. */
  readonly times: Float64Array;
  /** Places in `LogBatch.callers` and `LogBatch.kinds`. */
  readonly callers: Int32Array;
  readonly kinds: Int32Array;
}

/** What is known of a file; absolute, as far as it was read. */
export interface LogFile {
  /** Made of its first line: the same file, longer now or under another name, has the same. */
  readonly id: number;
  /** Over which its lines reach, whatever they are of; in order, and at least one. */
  readonly stretches: readonly Range[];
  readonly lines: number;
  /** Lines that seem to be of v1, and could not be read. */
  readonly unread: number;
}

/** Lines of a log; those that the store has already change nothing. */
export interface LogBatch {
  readonly source: string;
  readonly format: string;
  /** When they were imported. */
  readonly at: number;
  readonly file: LogFile;
  readonly callers: readonly LogCaller[];
  readonly kinds: readonly LogKind[];
  readonly hours: readonly LoggedHour[];
}

/** A source of logs, as the store knows it. */
export interface LogSource {
  readonly name: string;
  readonly format: string;
  readonly imported: number;
  readonly files: number;
  /** Of all its files together, in order. */
  readonly stretches: readonly Range[];
  readonly lines: number;
  readonly unread: number;
}

/** What one caller made of one kind of call, by one source. */
export interface LogUse {
  readonly source: string;
  readonly caller: LogCaller;
  readonly kind: LogKind;
  /** Within the time that was asked for, by whole days. */
  readonly calls: number;
  /** Ever. */
  readonly first: number;
  readonly last: number;
}

/** Callers of one source that are told apart: what comes then is `_other`. */
export const mostLogCallers = 20_000;
