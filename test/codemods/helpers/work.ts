/** How much the codemods do, counted and not timed: the same on any machine. */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

let counting: Promise<Session> | undefined;

/** Once for all of a process: it forgets all code that was optimized, which takes longer than most of what is measured. */
async function startCounting(): Promise<Session> {
  // What is optimized is no longer counted.
  for (const compiler of ['turbofan', 'maglev']) setFlagsFromString(`--no-${compiler}`);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

/**
 * @param run what is measured
 * @param of the files of the codemods whose work is counted; by default all
 * @returns how often the functions of the codemods were called and the blocks in them entered, loops turn by turn
 */
export async function workOf(run: () => Promise<unknown>, of = /./): Promise<number> {
  const [work = 0] = await worksOf([run], of);
  return work;
}

/** The same of several, one after the other: to take the counts costs a third of what many of these runs do, and is done once between two of them. */
export async function worksOf(runs: readonly (() => Promise<unknown>)[], of = /./): Promise<number[]> {
  const session = await (counting ??= startCounting());
  // Taken is forgotten: what was done before.
  await session.post('Profiler.takePreciseCoverage');
  const works: number[] = [];
  for (const run of runs) {
    await run();
    works.push(await takenWork(session, of));
  }
  return works;
}

async function takenWork(session: Session, of: RegExp): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => /\/codemods\/[^.]*\.ts/.test(url) && !url.includes('/test/') && of.test(url));
  return own.reduce(
    (sum, { functions }) => sum + functions.reduce((all, { ranges }) => all + ranges.reduce((counts, { count }) => counts + count, 0), 0),
    0,
  );
}
