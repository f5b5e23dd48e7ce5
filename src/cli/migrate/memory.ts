/** What keeps memory low on large trees, for some more time: most of what a file needs is let go with it. */
import { setFlagsFromString } from 'node:v8';

/** Below, memory is low anyway. */
export const manyFiles = 4_000;

/** Has garbage collected early: here, and in threads that start later. The sizes are V8's: `node --v8-options`. */
export function saveMemory(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--semi-space-growth-factor=1');
}
