/** How an answer announces that it is deprecated, and when its service ends. */

/** The fields, as they are written. */
export const announcementFields = {
  /** RFC 9745. */
  deprecation: 'Deprecation',
  /** RFC 8594. */
  sunset: 'Sunset',
  /** RFC 8288: where to read about both, and the successor. */
  link: 'Link',
} as const;

/**
 * The value of Deprecation: a date of structured fields, which has whole seconds (RFC 9745 §2.1, RFC 9651 §3.3.7). It may lie in the future.
 * @param deprecatedSince an instant, as in ISO 8601; a fraction of a second is cut off
 */
export const deprecationValue = (deprecatedSince: string): string => `@${Math.floor(Date.parse(deprecatedSince) / 1_000)}`;

/**
 * The value of Sunset: an HTTP date (RFC 8594 §3).
 * @param sunsetAt an instant, as in ISO 8601; a fraction of a second is cut off
 */
export const sunsetValue = (sunsetAt: string): string => new Date(sunsetAt).toUTCString();
