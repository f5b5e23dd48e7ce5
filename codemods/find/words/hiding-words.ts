/** Words by which people say that a secret is hidden, as parts of regular expressions: each stands here once, whoever looks for them in names and texts. */

/** What puts something in its place, `maskKey` … */
const masking = 'redact|mask|censor|obfuscat|conceal';
/** … and what hides it in any way, `SANITIZE_FIELD_NAMES`. */
export const hidingWords = `${masking}|saniti[sz]|scrub`;

/** What a function is called that puts a mask there, and none that takes it off; what cleans a text may only check it. */
export const maskingWords = `(?<!un(?=mask)|de(?=obfuscat))(?:${masking})`;

/** What stands in its place: `[redacted]`. */
export const maskWords = 'redacted|masked|hidden|filtered|removed|censored';
