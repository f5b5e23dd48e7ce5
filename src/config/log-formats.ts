/** The formats of access logs, by their names. */
export const logFormats = ['combined', 'json', 'alb', 'cloudfront', 'envoy', 'pattern'] as const;
export type LogFormat = (typeof logFormats)[number];
