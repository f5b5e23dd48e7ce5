/**
 * The dates of the v1 deprecation (api.md §9 gives month and day; the instants are read as early as they can be).
 * Both can be overridden: see `deprecatedSince` and `sunsetAt` in assumptions.ts.
 */
export const deprecatedSince = '2026-06-01T00:00:00Z';
export const sunsetAt = '2026-12-31T00:00:00Z';
