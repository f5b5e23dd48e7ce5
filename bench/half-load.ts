/**
 * How long calls through the proxy take at half of the load that it carries, beside nginx, and beside reports on its store; and its memory over
 * many of them. See README.md.
 *
 *   node bench/half-load.ts [--rounds N] [--requests N] [--cases get,post] [--days N] [--clients N] [--soak N]
 */
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, buildIfStale } from './build.ts';
import { absence, contestants, ours, references, withStore } from './contestants.ts';
import { placement, start, stopAll, work } from './processes.ts';
import { markdown, median, ratioOf } from './report.ts';
import { caseNames } from './request.ts';
import type { CaseName } from './request.ts';
import { type Result, tell } from './results.ts';
import { connections, measure, startContestant, startRig } from './rig.ts';
import type { Rig, Running, Sample } from './rig.ts';
import { soak } from './soak.ts';
import { makeStore } from './usage/store.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '50000' },
    cases: { type: 'string', default: caseNames.join(',') },
    days: { type: 'string', default: '90' },
    clients: { type: 'string', default: '2000' },
    soak: { type: 'string', default: '0' },
  },
});
const cases = caseNames.filter((name) => values.cases.split(',').includes(name));
const rounds = Number(values.rounds);
const requests = Number(values.requests);

/** Our p99 at most so many times nginx's, and so many milliseconds more beside reports. */
const limits = { nginx: 1.3, reports: 1 };
/** The load could not keep the rate where its own lateness is more than this share of a p99, or more than a millisecond: the machine is busy then. */
const tolerated = (p99: number): number => Math.min(p99 * 0.2, 1_000);

/** A store that takes a second to report on. */
const store = join(work, 'half-load.db');
const spinning = 'os.setPriority(os.constants.priority.PRIORITY_LOW); const end = Date.now() + 1_000; while (Date.now() < end);';
/** Ours with company on its core. The peer of reports takes as much of the core, at the same low priority, and touches no store. */
const besideReports = `${ours} beside reports`;
const besideBusy = `${ours} beside a busy process`;
const company = {
  [besideReports]: [bin, 'report', '--store', store, '--since', `${values.days}d`, '--out', join(work, 'half-load.txt')],
  [besideBusy]: ['-e', spinning],
};
const saturated = `${ours}, all it carries`;

/** Runs a command on the core of the contestants, again and again until it is told to stop. */
function keepBusy(args: readonly string[]): () => Promise<void> {
  const told = new AbortController();
  const going = async (): Promise<void> => {
    await once(start('contestant', process.execPath, args, 'ignore'), 'exit');
    if (!told.signal.aborted) await going();
  };
  const ended = going();
  return () => {
    told.abort();
    return ended;
  };
}

/** One round of a case: everybody is asked as often, half as often as ours could answer a moment ago. */
async function round(rig: Rig, own: Running, peers: readonly Running[], name: CaseName): Promise<Sample[]> {
  const full = await measure(rig, own, name, requests);
  const half = (of: Running): Promise<Sample> => measure(rig, of, name, requests, full.perSecond / 2);
  const samples = [{ ...full, name: saturated }, await half(own)];
  for (const peer of peers) samples.push(await half(peer));
  for (const [title, args] of Object.entries(company)) {
    const stop = keepBusy(args);
    samples.push({ ...(await half(own)), name: title });
    await stop();
  }
  return samples;
}

function table(samples: readonly Sample[]): string {
  const rows = [...new Set(samples.map(({ name }) => name))].map((name) => {
    const own = samples.filter((sample) => sample.name === name);
    const middle = (pick: (sample: Sample) => number): string => median(own.map(pick)).toFixed(0);
    return [
      name,
      middle((of) => of.perSecond),
      middle((of) => of.p50),
      middle((of) => of.p99),
      middle((of) => of.late),
      middle((of) => of.cpu),
    ];
  });
  return markdown(['', 'calls/s', 'p50 µs', 'p99 µs', 'load late µs', 'CPU µs/call'], rows);
}

const p99Ratio = (samples: readonly Sample[], name: string, peer: string): number | undefined =>
  ratioOf(samples, name, peer, ({ p99 }) => p99);

function goalLines(name: CaseName, samples: readonly Sample[]): string[] {
  const of = (who: string): Sample[] => samples.filter((sample) => sample.name === who);
  const alone = of(ours);
  const added = of(besideReports).map(({ p99 }, at) => (p99 - (alone[at]?.p99 ?? Number.NaN)) / 1000);
  const title = `${name.toUpperCase()} at half load: p99`;
  const { nginx } = references;
  return [
    goalLine(`${title} ≤ ${limits.nginx} × ${nginx}`, p99Ratio(samples, ours, nginx), limits.nginx, [...alone, ...of(nginx)]),
    goalLine(`${title} beside reports ≤ ${limits.reports} ms more`, median(added), limits.reports, [...alone, ...of(besideReports)]),
  ];
}

/** @param samples what it was measured with */
function goalLine(text: string, value: number | undefined, limit: number, samples: readonly Sample[]): string {
  if (value === undefined) return `- ${text}: not measured`;
  const late = samples.filter((sample) => sample.late > tolerated(sample.p99)).length;
  const caveat =
    late === 0 ? '' : `; the load could not keep the rate in ${late} of ${samples.length} measurements: measure on a quiet machine`;
  return `- ${text}: ${value <= limit ? 'reached' : 'missed'} (${value.toFixed(2)})${caveat}`;
}

function resultsOf(name: CaseName, samples: readonly Sample[]): Result[] {
  const title = `half-load: p99 of ${name.toUpperCase()}`;
  return [
    ...[references.nginx, references.floor].map((peer) => ({ name: `${title} ÷ ${peer}`, ratio: p99Ratio(samples, ours, peer) })),
    { name: `${title} beside reports ÷ beside a busy process`, ratio: p99Ratio(samples, besideReports, besideBusy) },
  ];
}

async function main(): Promise<void> {
  buildIfStale();
  console.error(`making a store of ${values.days} days × ${values.clients} clients`);
  await makeStore(store, { days: Number(values.days), clients: Number(values.clients) }, Date.now());
  const rig = await startRig();
  const own = await startContestant(withStore(store), rig, []);
  const peers: Running[] = [];
  for (const contestant of contestants.filter(({ name }) => name === references.nginx || name === references.floor)) {
    const reason = absence(contestant);
    if (reason === undefined) peers.push(await startContestant(contestant, rig, []));
    else console.log(`Skipped ${contestant.name}: ${reason}`);
  }
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${connections} connections, ${placement}`);
  for (const one of [own, ...peers]) for (const name of cases) await measure(rig, one, name, Math.min(requests, 20_000));
  const found = new Map<CaseName, Sample[]>(cases.map((name) => [name, []]));
  for (let number = 1; number <= rounds; number += 1) {
    console.error(`round ${number} of ${rounds}`);
    for (const [name, samples] of found) samples.push(...(await round(rig, own, peers, name)));
  }
  for (const [name, samples] of found)
    console.log(`\n${name.toUpperCase()}, median of ${rounds} rounds of ${requests} calls\n\n${table(samples)}`);
  console.log(`\n${[...found].flatMap(([name, samples]) => goalLines(name, samples)).join('\n')}`);
  tell([...found].flatMap(([name, samples]) => resultsOf(name, samples)));
  const carried = median(
    [...found.values()]
      .flat()
      .filter(({ name }) => name === saturated)
      .map(({ perSecond }) => perSecond),
  );
  if (values.soak !== '0') console.log(await soak(rig, own, cases, Number(values.soak), carried / 2));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopAll();
}
