/** What the page and the process that makes its reports tell each other. */
import type { GroupBy } from '../../config/report-formats.ts';
import type { Rollout, Rule } from '../../rollout/rules.ts';
import type { ReportSettings } from '../build.ts';
import type { Counted } from '../road/use.ts';
import type { LiveView } from './view.ts';

/** What reports are made from; the rules of a roll-out change, and come with each question. */
export interface LiveSource extends Omit<ReportSettings, 'rollout'> {
  /** Address of the store. */
  readonly store: string;
}

/** For a view of the report. */
export interface AskForReport {
  readonly id: number;
  readonly view: LiveView;
  /** The report must not be older, in epoch milliseconds. */
  readonly notBefore: number;
  readonly rollout: Rollout | undefined;
  /** Where the proxy listens. */
  readonly proxyUrl: string | undefined;
  /** Another number once the rules have changed. */
  readonly edition: number;
}

/** For the same as data. */
export interface AskForData extends AskForReport {
  readonly as: DataFormat;
}

export type DataFormat = { readonly format: 'json' } | { readonly format: 'csv'; readonly groupBy: GroupBy };

/** For the calls under rules. */
export interface AskForUse {
  readonly id: number;
  readonly rules: readonly Rule[];
  readonly now: number;
}

export type Ask = AskForReport | AskForData | AskForUse;

/** A part of the page that is replaced as a whole. */
export interface Section {
  readonly id: string;
  readonly html: string;
}

export interface Rendered {
  readonly title: string;
  /** The workspaces that it is of; null where it is of all. */
  readonly of: readonly string[] | null;
  readonly made: string;
  readonly sections: readonly Section[];
}

export type Answer = { readonly id: number; /** Milliseconds that it took. */ readonly took: number } & (
  | { readonly rendered: Rendered }
  /** All of its parts came before. */
  | { readonly data: 'whole' }
  | { readonly counted: Counted }
  /** Why there is no report, for people. */
  | { readonly failed: string }
);

/** A part of what was asked for as data, in order. The proxy reads it between two calls: 25 MB of JSON in one message held its calls up for 75 ms. */
export interface Part {
  readonly id: number;
  readonly part: Uint8Array;
}
