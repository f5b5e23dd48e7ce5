/** What V8 is told of a run, here and for threads that start later: how little lasts. Flags and sizes are its own: `node --v8-options`. */
import { setFlagsFromString } from 'node:v8';

/** Below, memory is low anyway. */
export const manyFiles = 4_000;

/** Has garbage collected early, for some more time: most of what a file needs is let go with it. */
export function saveMemory(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Has only what is called very often compiled by the dearer compilers: for the rest they cost a run of seconds more than they give back. Threads, which
 * have much to do, take the less dear one sooner.
 */
export function saveCompiling(): void {
  setFlagsFromString('--invocation-count-for-turbofan=60000');
  setFlagsFromString('--invocation-count-for-maglev=4000');
  setFlagsFromString('--invocation-count-for-maglev-osr=1000');
}

/** MB of what lasts: a run that comes as far takes some 350 MiB in all. */
const collectedFrom = 160;

/**
 * Has nothing collected of what lasts in a thread before it is as much: what is read of files stays until all are judged, and each collection goes through it
 * anew. Threads that start later have it; V8 reads it where a heap begins.
 */
export function saveCollecting(): void {
  setFlagsFromString(`--initial-old-space-size=${collectedFrom}`);
}
