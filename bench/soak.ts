/** Memory of a contestant over many calls. */
import { markdown } from './report.ts';
import type { CaseName } from './request.ts';
import { measure } from './rig.ts';
import type { Rig, Running, Sample } from './rig.ts';

const readings = 20;
/** V8 lets its heap grow at first; from the second quarter of the calls to the last, memory may grow so many times at most. */
const flat = 1.05;

interface Reading {
  readonly calls: number;
  readonly rss: number;
  readonly peak: number;
}

/**
 * @param calls in all, which the cases share
 * @param rate as for `measure`
 * @returns a table with a reading after each twentieth of the calls, and whether memory stayed
 */
export async function soak(rig: Rig, running: Running, cases: readonly CaseName[], calls: number, rate?: number): Promise<string> {
  const each = Math.ceil(calls / readings / cases.length);
  const found: Reading[] = [];
  for (let step = 1; step <= readings; step += 1) {
    const samples: Sample[] = [];
    for (const name of cases) samples.push(await measure(rig, running, name, each, rate));
    const highest = Math.max(...samples.map(({ peak }) => peak));
    found.push({ calls: step * each * cases.length, rss: samples.at(-1)?.rss ?? Number.NaN, peak: highest });
  }
  const rows = found.map(({ calls, rss, peak }) => [String(calls), rss.toFixed(1), peak.toFixed(1)]);
  const quarter = readings / 4;
  const averages = [0, 1, 2, 3].map((number) => mean(found.slice(number * quarter, (number + 1) * quarter)));
  const [first = Number.NaN, second = Number.NaN, , last = Number.NaN] = averages;
  const quarters = `Average RSS by quarter: ${averages.map((average) => average.toFixed(1)).join(', ')} MiB; last ÷ first ${(last / first).toFixed(2)}`;
  const growth = last / second;
  const goal = `- RSS over ${calls} calls: last quarter ≤ ${flat} × the second: ${growth <= flat ? 'reached' : 'missed'} (${growth.toFixed(2)})`;
  return `\nMemory of ${running.name}\n\n${markdown(['calls', 'RSS MiB', 'peak MiB'], rows)}\n\n${quarters}\n\n${goal}`;
}

function mean(readings: readonly Reading[]): number {
  return readings.reduce((sum, { rss }) => sum + rss, 0) / readings.length;
}
