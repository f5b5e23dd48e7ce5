/** For what must happen within a limit that is short for the sake of the test: a machine that is busy with other things may take longer. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const longest = 30_000;

/**
 * Runs a test that fails where something takes longer than a limit. Where it fails although this process was never held up for long, it has
 * failed; otherwise it is run anew with a limit four times as long, up to half a minute.
 * @param limit milliseconds
 * @param run is given the limit, and sets up anew all that it needs
 */
export async function inTime<T>(limit: number, run: (limit: number) => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    return await run(limit);
  } catch (error) {
    const heldUp = delay.max / 1e6 > limit / 10;
    if (!heldUp || limit > longest) throw error;
  } finally {
    delay.disable();
  }
  return inTime(limit * 4, run);
}
