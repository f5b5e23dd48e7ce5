/** What a run finds: edits, moved calls, findings and the ledger. Data only; the words are in report/wording.ts. */
import type { V1EndpointId } from '../src/contract/endpoints.ts';

/** A stretch of one file: UTF-16 offsets into its text as it was read. */
export interface Span {
  /** Path relative to the working directory, with `/`. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export interface Edit extends Span {
  readonly text: string;
  /** Edits of one group are made together or not at all. */
  readonly group: string;
  /** What is changed: for summaries and explanations. */
  readonly what: 'path' | 'base' | 'header name' | 'header value' | 'expectation' | 'todo';
}

/** One step of a proof, from the call to the base. */
export interface Step extends Span {
  readonly step:
    | 'call'
    | 'path'
    | 'reference'
    | 'argument'
    | 'return'
    | 'import'
    | 'member'
    | 'client'
    | 'base'
    | 'environment'
    | 'header'
    | 'key';
  /** What stands there, with any key blotted out. */
  readonly text: string;
}

/** A call that is moved to v2, or would be. */
export interface Call extends Span {
  readonly endpoint: V1EndpointId;
  /** The client library or file format: `fetch`, `axios`, `curl` … */
  readonly client: string;
  readonly group: string;
  readonly proof: readonly Step[];
}

export const findingCodes = [
  // Only a person can decide.
  'authorization-present',
  'shared-with-other-host',
  'escapes',
  'decides-by-path',
  'too-complex',
  'dynamic-path',
  'dynamic-method',
  'unknown-route',
  'key-not-found',
  'key-not-text',
  'base-not-proven',
  'base-split',
  'base-overwritten',
  'new-endpoint',
  'env-elsewhere',
  'reads-variable',
  'escaped-literal',
  'minute-limit',
  'limit-code',
  'retry-per-minute',
  'polls',
  'answer-shape',
  'browser-key',
  'slash-at-end',
  'reads-header',
  'redacts-header',
  'unconsumed',
  'repeats-path',
  'mentioned',
  'old-type',
  'old-key',
  'made-again',
  'make-again',
  'ignored',
  'allowed',
  'held-back',
  'held-elsewhere',
  'generated',
  // Someone else's.
  'other-host',
  'own-server',
  // The tool could not do its work.
  'syntax',
  'unreadable',
  'unwritable',
  'too-large',
  'worker-died',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** What is advised on of limits also where calls only look like ours: who moves these by hand may never run this again. */
export const ofLimits: ReadonlySet<FindingCode> = new Set<FindingCode>(['limit-code', 'retry-per-minute', 'polls']);

/** How an edited value gets to where it is not followed: what `escapes` says in `detail.way`. */
export type EscapeWay =
  | 'given'
  | 'exported'
  | 'compared'
  | 'kept'
  | 'listed'
  | 'read'
  | 'asked'
  | 'used'
  | 'loaded'
  | 'unasked'
  | 'front'
  | 'guarded';

export interface Finding extends Span {
  readonly code: FindingCode;
  /** 1-based, for people. */
  readonly line: number;
  readonly column: number;
  /** Names that the wording needs: hosts, header names, routes. Never a key. */
  readonly detail: Readonly<Record<string, string>>;
  /** The group that was left alone because of it. */
  readonly group?: string;
}

/** What became of a suspicious literal. */
export interface LedgerEntry extends Span {
  readonly line: number;
  readonly column: number;
  readonly state: 'rewritten' | 'person' | 'foreign';
  /** The finding code for `person` and `foreign`; the endpoint's or edit's kind for `rewritten`. */
  readonly reason: string;
  /** A header of something that nobody was seen to send, to no host that is another's: whether the same call is given a whole path of v1, too. */
  readonly sentUnseen?: 'alone' | 'beside-path';
}

/** A base that v1-like calls go to, where none is configured. */
export interface Candidate {
  /** As it is given to `--v1-base`: a URL without `/v1`, or `env:NAME`. */
  readonly base: string;
  /** How much speaks for it: calls that match a v1 route, of these with an `x-api-key`. */
  readonly calls: readonly (Span & { readonly line: number; readonly route: string; readonly withKey: boolean })[];
  /** What speaks for and against: routes that only our API has, routes it does not have. */
  readonly routes: number;
  readonly unknownRoutes: number;
  /** The other bases that files set the variable of its calls to, as for stages. */
  readonly together: readonly string[];
}

/** What is known after all files were analysed, before anything is written. */
export interface Plan {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  readonly candidates: readonly Candidate[];
  /** Where requests are given keys and other credentials, whether they are moved or not: what no output may show. */
  readonly keys: readonly Step[];
}

/** What a question took, or all that was asked in a file: in steps of the evaluation, which are the same on any machine. */
export interface Cost {
  readonly file: string;
  /** undefined for a whole file. */
  readonly line: number | undefined;
  readonly steps: number;
}

/** What finding out took. */
export interface Costs {
  readonly steps: number;
  /** The questions that took most, and the files that most was asked in; the most expensive first. */
  readonly questions: readonly Cost[];
  readonly files: readonly Cost[];
}
