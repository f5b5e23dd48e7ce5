/** Waits that end: whatever an end waits for may be what never comes. */

/**
 * Waits for work, but no longer than that.
 * @param ms milliseconds
 * @returns whether the work was done in time; it goes on where not
 * @throws what the work rejects with in time
 */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
