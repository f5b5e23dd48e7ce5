/** How far a TRACE or an OPTIONS may still go (RFC 9110 §7.6.2). */

/**
 * Counts down the Max-Forwards of a request that is about to go on.
 * @param fields names and values in turn; changed in place
 * @returns false where it must not go on: whoever sent it asks what this proxy itself answers
 */
export function countDown(method: string | undefined, fields: string[]): boolean {
  if (method !== 'TRACE' && method !== 'OPTIONS') return true;
  for (let i = 0; i < fields.length; i += 2) {
    const left = fields[i + 1]?.trim() ?? '';
    if (fields[i]?.toLowerCase() !== 'max-forwards' || !/^\d+$/.test(left)) continue;
    if (/^0+$/.test(left)) return false;
    fields[i + 1] = String(Math.min(Number(left) - 1, maxLeft));
  }
  return true;
}

/** More intermediaries than any request meets. */
const maxLeft = 1_000;
