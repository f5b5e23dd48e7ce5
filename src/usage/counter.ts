import type { Caller, Counts, Kind } from './model.ts';

/** The counts of one caller and kind in one minute, while they grow. */
export interface Counter {
  readonly minute: number;
  readonly caller: Caller;
  readonly kind: Kind;
  readonly counts: { -readonly [property in keyof Counts]: Counts[property] };
  /** How many of its calls the store has. */
  stored: number;
  /** Whether it holds what no write under way or done has: it is in the session's `pending` then. */
  dirty: boolean;
}
