/** Files that a run writes beside the real ones; what a killed run left is told by its name. */
import { randomBytes } from 'node:crypto';

/** The longest name that file systems take, in bytes, less what is put around it. */
const longest = 255 - '..migrate-v2-0123456789abcdef.tmp'.length;

/** A name for the new text of a file, in the same folder. */
export function temporaryName(name: string): string {
  // Cut between characters, which have four bytes at most.
  const short = Buffer.byteLength(name) <= longest ? name : [...name].slice(0, Math.floor(longest / 4)).join('');
  return `.${short}.migrate-v2-${randomBytes(8).toString('hex')}.tmp`;
}

export const isTemporary = (name: string): boolean => /^\..*\.migrate-v2-[0-9a-f]{16}\.tmp$/s.test(name);
