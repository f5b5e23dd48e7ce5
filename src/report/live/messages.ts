/** What the page and the thread that makes its reports tell each other. */
import type { ReportSettings } from '../build.ts';
import type { LiveView } from './view.ts';

/** What reports are made from. */
export interface LiveSource extends ReportSettings {
  /** Address of the store. */
  readonly store: string;
}

export interface Ask {
  readonly id: number;
  readonly view: LiveView;
  /** The report must not be older, in epoch milliseconds. */
  readonly notBefore: number;
}

/** A part of the page that is replaced as a whole. */
export interface Section {
  readonly id: string;
  readonly html: string;
}

export interface Rendered {
  readonly title: string;
  readonly made: string;
  readonly sections: readonly Section[];
}

export type Answer = { readonly id: number; /** Milliseconds that making a new report took. */ readonly took: number } & (
  | { readonly rendered: Rendered }
  /** Why there is no report, for people. */
  | { readonly failed: string }
);
