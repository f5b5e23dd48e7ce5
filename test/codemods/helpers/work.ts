/** How much the codemods do, counted and not timed: the same on any machine. */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

const compilers = ['turbofan', 'maglev'];

/**
 * @param run what is measured
 * @returns how often the functions of the codemods were called and the blocks in them entered, loops turn by turn
 */
export async function workOf(run: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  // What is optimized is no longer counted.
  for (const compiler of compilers) setFlagsFromString(`--no-${compiler}`);
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const own = result.filter(({ url }) => /\/codemods\/[^.]*\.ts/.test(url) && !url.includes('/test/'));
    return own.reduce(
      (sum, { functions }) => sum + functions.reduce((all, { ranges }) => all + ranges.reduce((counts, { count }) => counts + count, 0), 0),
      0,
    );
  } finally {
    session.disconnect();
    for (const compiler of compilers) setFlagsFromString(`--${compiler}`);
  }
}
