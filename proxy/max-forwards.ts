/** How far a TRACE or an OPTIONS may still go (RFC 9110 §7.6.2). */

/**
 * Counts down the Max-Forwards of a request that is about to go on.
 * @param sent the fields as they came, names and values in turn: one that Connection takes off the way is meant for this proxy all the same
 * @param fields those that go on; changed in place
 * @returns false where it must not go on: whoever sent it asks what this proxy itself answers
 */
export function countDown(method: string | undefined, sent: readonly string[], fields: string[]): boolean {
  if (method !== 'TRACE' && method !== 'OPTIONS') return true;
  for (let i = 0; i < sent.length; i += 2) if (/^0+$/.test(leftIn(sent, i))) return false;
  for (let i = 0; i < fields.length; i += 2) {
    const left = leftIn(fields, i);
    if (/^\d+$/.test(left)) fields[i + 1] = String(Math.min(Number(left) - 1, maxLeft));
  }
  return true;
}

/** The value of the field at a place, where that is a Max-Forwards. */
function leftIn(fields: readonly string[], at: number): string {
  return fields[at]?.toLowerCase() === 'max-forwards' ? (fields[at + 1]?.trim() ?? '') : '';
}

/** More intermediaries than any request meets. */
const maxLeft = 1_000;
