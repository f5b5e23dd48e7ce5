/** Ctrl-C while files are written: the file at hand is finished, no further one is begun. */
import { constants } from 'node:os';

/** What a process that a signal ended exits with. */
export const interruptedCode = 128 + constants.signals.SIGINT;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on a first SIGINT stops gently; before, and for a second one, it ends the process at once. */
  readonly arm: () => void;
  readonly disarm: () => void;
}

/** Before anything is written there is nothing to finish, so that the system's own way of ending is left in place until `arm`. */
export function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  let isArmed = false;
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(interruptedCode);
    console.error('\nStopping; press again to stop at once');
    controller.abort();
  };
  return {
    signal: controller.signal,
    arm() {
      if (!isArmed) process.on('SIGINT', stop);
      isArmed = true;
    },
    disarm: () => void process.off('SIGINT', stop),
  };
}
