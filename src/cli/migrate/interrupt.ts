/** Signals that end a run: at once, but for the moment in which files take their new texts. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** What the process exits with: undefined where no signal came. */
  readonly code: number | undefined;
  /** From now on a first signal stops gently; before, and for a second one, it ends the process. */
  readonly arm: () => void;
  readonly disarm: () => void;
}

/**
 * Until files are written there is nothing to finish, and the system's own way of ending a process is left in place until `arm`: it takes
 * no turn of a thread that may be busy for long.
 */
export function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = (signal: (typeof signals)[number]): void => {
    // What a process that a signal ended exits with.
    if (code !== undefined) process.exit(code);
    code = 128 + constants.signals[signal];
    console.error('\nStopping; press again to stop at once');
    controller.abort();
  };
  let isArmed = false;
  return {
    signal: controller.signal,
    get code() {
      return code;
    },
    arm() {
      if (!isArmed) for (const signal of signals) process.on(signal, stop);
      isArmed = true;
    },
    disarm() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
