/** Keys that were given where none belongs, as the value of another flag, get into no message: terminals and logs are kept and passed on. */

/**
 * Sixteen or more characters with digits and small letters, as the last part of what they stand in: no folder, no name with an extension, no
 * environment variable.
 */
const mayBeKey = /(?<![^\s"'/:=,])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}(?![\w./-])/g;

/** The text with the first eight characters of whatever could be a key, as records show them. */
export const masked = (text: string): string => text.replace(mayBeKey, (key) => `${key.slice(0, 8)}…`);
