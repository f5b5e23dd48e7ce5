/** The file that a thread works on. It is said by the thread, as one that computes for long answers no question. */

/** A file is read once, and asked about as often as something in it has to be found out. */
export type Work = 'read' | 'ask';

let listener: ((file: string, work: Work) => void) | undefined;

/** From now on the listener hears of each file that this thread works on. */
export function onWork(listen: (file: string, work: Work) => void): void {
  listener = listen;
}

/** Says that work on a file begins, or goes on. */
export const workingOn = (file: string, work: Work): void => listener?.(file, work);
