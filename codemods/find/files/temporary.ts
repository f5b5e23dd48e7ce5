/** Files that a run writes beside the real ones; what a killed run left is recognised by its name. */
import { randomBytes } from 'node:crypto';
import { systemCode } from '../errors.ts';

/** The longest name that file systems take, in bytes, less what is put around it. */
const longest = 255 - '..migrate-v2-0123456789abcdef.tmp'.length;

/** Characters that hold the number of the process, of sixteen. */
const processDigits = 8;
const form = /^\..*\.migrate-v2-([0-9a-f]{8})[0-9a-f]{8}\.tmp$/s;

/** A name for the new text of a file, in the same folder. */
export function temporaryName(name: string): string {
  // Cut between characters, which have four bytes at most.
  const short = Buffer.byteLength(name) <= longest ? name : [...name].slice(0, Math.floor(longest / 4)).join('');
  return `.${short}.migrate-v2-${process.pid.toString(16).padStart(processDigits, '0')}${randomBytes(4).toString('hex')}.tmp`;
}

export const isTemporary = (name: string): boolean => form.test(name);

/** The journal of a run that writes, in a folder that holds all it writes (see edit/journal.ts). */
export const journalName = '.migrate-v2.journal';

/** Whether a file was left behind by a process that is gone. */
export function isLeftOver(name: string): boolean {
  const [, digits] = form.exec(name) ?? [];
  return digits !== undefined && !isRunning(Number.parseInt(digits, 16));
}

/** Whether there is a process of that number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but is there.
    return systemCode(error) !== 'ESRCH';
  }
}
