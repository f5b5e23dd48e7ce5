/** Regular expressions of a program, to be tried on addresses. */

/** Of a group that is repeated a test may take exponential time (https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS). */
const repeatsGroup = /\)[*+{]/;

/** @returns undefined for what is none, and for what may take too long */
export function regExpOf(source: string, flags = ''): RegExp | undefined {
  if (repeatsGroup.test(source)) return undefined;
  try {
    return new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  } catch {
    // What looks like one is none: a division, or markup.
    return undefined;
  }
}
