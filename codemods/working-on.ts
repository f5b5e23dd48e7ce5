/** The file that a thread works on. It is said by the thread, as one that computes for long answers no question. */

let listener: ((file: string) => void) | undefined;

/** From now on the listener hears of each file that this thread works on. */
export function onWork(listen: (file: string) => void): void {
  listener = listen;
}

/** Says that work on a file begins, or goes on. */
export const workingOn = (file: string): void => listener?.(file);
