/** What a thread is working on, for whoever watches it: a thread that computes for long answers no question. */

let watcher: ((file: string) => void) | undefined;

/** From now on this thread says what it works on. */
export function watch(onFile: (file: string) => void): void {
  watcher = onFile;
}

/** Says that work on a file begins, or goes on. */
export const workingOn = (file: string): void => watcher?.(file);
