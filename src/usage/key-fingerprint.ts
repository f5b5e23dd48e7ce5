/** How a key appears in logs and reports: a short prefix for people and a keyed hash for counting, never the key. */
import { createHmac } from 'node:crypto';
import { remembering } from './remembering.ts';

export interface KeyFingerprint {
  readonly prefix: string;
  readonly hash: string;
}

const prefixLength = 8;
const hashLength = 16;

/**
 * Makes the function that fingerprints keys.
 * @param secret of the hash; the same secret gives the same hash on every replica, and without it nobody can test a guess
 */
export function keyFingerprinter(secret: string): (key: string) => KeyFingerprint {
  // Hashing costs more than the rest of a record.
  return remembering((key) => ({
    // A third at most, so that a short key is not shown whole. ASCII only: one wide character doubles the cost of a log line.
    prefix: key.slice(0, Math.min(prefixLength, Math.floor(key.length / 3))),
    hash: createHmac('sha256', secret).update(key).digest('hex').slice(0, hashLength),
  }));
}
