/** Where in the code v1 is still called: call sites that the codemods found, beside who calls what. */
import type { Instant, Span } from '../span.ts';

/** The findings of one run of the codemods: those of one repository. */
export interface CodeFindings {
  /** What the file of the findings is called, without its ending. */
  readonly repository: string;
  /** Bases of v1 that were looked for; without one nothing is known to be a call of v1. */
  readonly bases: readonly string[];
  readonly sites: readonly FoundSite[];
}

export interface FoundSite {
  /** As the findings have it, relative to where they were made. */
  readonly file: string;
  /** Null where the file was gone before its lines were counted. */
  readonly line: number | null;
  /** Method and path template on v1; null where that could not be told from the code. */
  readonly endpoint: string | null;
  /** The client library or file format by the codemods' name for it; null where that could not be told. */
  readonly library: string | null;
  /** `found`: it calls v1; `moved`: it was rewritten, and calls v2 once that is deployed; `left`: a person has to decide about it. */
  readonly state: 'found' | 'moved' | 'left';
}

/** Why a client is taken for one that a site makes calls of. */
export type Evidence =
  /** It bears the name of the repository. */
  | 'name'
  /** The library of the site presents itself as it does. */
  | 'library'
  /** It calls the same endpoint, and nothing speaks against it. */
  | 'endpoint';

export interface SiteCaller {
  /** As in `ClientRow.id`. */
  readonly client: number;
  readonly workspace: string | null;
  readonly evidence: Evidence;
}

export interface CodeSite extends FoundSite {
  /** Those whose calls within the period it explains: the latest first, a few at most. */
  readonly callers: readonly SiteCaller[];
  /** How many they are in all, and when any of them last called. */
  readonly clients: number;
  readonly last: Instant | null;
  /** When ignored clients, or clients past the proxies, last called its endpoint: its calls may be among these. */
  readonly besides: Instant | null;
  /** With these calls, too. `called`: within the last seven days; `quiet`: within the period, not since; `never`: not within the period; `unknown`: its endpoint is not known. */
  readonly use: 'called' | 'quiet' | 'never' | 'unknown';
}

export interface CodeRepository {
  readonly name: string;
  /** Whether a base of v1 was known to the run: without one, no site is known, and nothing is said of any. */
  readonly searched: boolean;
  /** By file and line. */
  readonly sites: readonly CodeSite[];
}

/** Calls of the last seven days that no site of any repository explains. */
export interface UnexplainedUse {
  readonly client: number;
  readonly workspace: string | null;
  readonly endpoint: string;
  /** Within the period. */
  readonly calls: number;
  readonly last: Instant;
}

export interface CodeReport {
  /** What counts as called now: the last seven days of the period. */
  readonly recent: Span;
  readonly repositories: readonly CodeRepository[];
  /** The most called first. */
  readonly unexplained: readonly UnexplainedUse[];
}
