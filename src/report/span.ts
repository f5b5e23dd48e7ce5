/** When, as a report says it. */

/** ISO 8601 in UTC, with milliseconds. */
export type Instant = string;

/** From `since` up to, and without, `until`. */
export interface Span {
  readonly since: Instant;
  readonly until: Instant;
}
