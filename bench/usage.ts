/**
 * How fast the usage report answers, and what a proxy that serves meanwhile notices. See README.md.
 *
 *   node bench/usage.ts [--days N] [--clients N] [--rounds N] [--requests N] [--keep] [--postgres ADDRESS]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFormats } from '../src/config/report-formats.ts';
import { bin, buildIfStale } from './build.ts';
import { type Contestant, ours } from './contestants.ts';
import { errorsOf, type Run, run } from './measure.ts';
import { stopAll, work } from './processes.ts';
import { markdown, median } from './report.ts';
import { type Result, tell } from './results.ts';
import { measure, startContestant, startRig } from './rig.ts';
import { endpoints, makeStore, type Size } from './usage/store.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '90' },
    clients: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '20000' },
    keep: { type: 'boolean' },
    postgres: { type: 'string' },
  },
});
const [days, clients, rounds, requests] = [values.days, values.clients, values.rounds, values.requests].map(Number) as [
  number,
  number,
  number,
  number,
];
const now = Date.now();
/** Files of their own, or the one empty database that is given: then there is one size, and nothing is served beside. */
const path = ({ days: of, clients: by }: Size): string => values.postgres ?? join(work, `usage-${of}-${by}.db`);
const reportArgs = (store: string, format = 'table'): string[] => {
  const out = join(work, `usage.${format}`);
  return [bin, 'report', '--store', store, '--since', `${days}d`, '--format', format, '--out', out];
};

function report(store: string, format: string): Run {
  const done = run(reportArgs(store, format), work);
  if (done.status !== 0) throw new Error(`the report failed: ${errorsOf()}`);
  return done;
}

const cpu = (runs: readonly Run[]): number => median(runs.map((run) => run.cpu));

/** The whole command, from start to end; half of the days beside all of them shows what the rows cost. */
async function reports(): Promise<Result[]> {
  const sizes: readonly Size[] = [{ days, clients }, ...(values.postgres === undefined ? [{ days: Math.round(days / 2), clients }] : [])];
  for (const size of values.keep === true ? [] : sizes) {
    console.error(`making ${size.days} days × ${size.clients} clients × ${endpoints} endpoints`);
    await makeStore(path(size), size, now);
  }
  const repeat = (work: () => Run): readonly Run[] => Array.from({ length: rounds }, work);
  const cases = sizes.flatMap((size) =>
    Object.keys(reportFormats).map((format) => {
      const name = `${size.days} × ${size.clients} × ${endpoints}, ${format}`;
      return { name, runs: repeat(() => report(path(size), format)) };
    }),
  );
  cases.push({ name: 'migrate-v2 --version', runs: repeat(() => run([bin, '--version'], work)) });
  const rows = cases.map(({ name, runs }) => {
    const middle = (pick: (of: Run) => number, digits: number): string => median(runs.map(pick)).toFixed(digits);
    return [name, middle(({ wall }) => wall, 2), middle(({ cpu }) => cpu, 2), middle(({ peak }) => peak, 0)];
  });
  console.log(`The whole of \`migrate-v2 report\`, median of ${rounds}\n`);
  console.log(markdown(['days × clients × endpoints, format', 'wall s', 'CPU s', 'peak MiB'], rows));
  const start = cpu(cases.at(-1)?.runs ?? []);
  return cases.slice(0, -1).map(({ name, runs }) => ({ name: `usage: CPU of the report, ${name} ÷ --version`, ratio: cpu(runs) / start }));
}

/** Runs a command again and again, as a core's worth of company, until it is told to stop. */
function keepBusy(args: readonly string[]): () => Promise<void> {
  const told = new AbortController();
  const going = async (): Promise<void> => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    await once(child, 'exit');
    if (!told.signal.aborted) await going();
  };
  const ended = going();
  return () => {
    told.abort();
    return ended;
  };
}

/** The peer of the report: it takes as much of the machine, at the same low priority, and touches no store. */
const spinning = ['-e', 'os.setPriority(os.constants.priority.PRIORITY_LOW); const end = Date.now() + 1_000; while (Date.now() < end);'];
/** Calls at the same time: so few that both cores have time left, as they have where people serve. */
const parallel = 2;

/** p99 of the proxy on the same store: by itself, beside reports on that store, and beside processes that only take a core. */
async function latencies(): Promise<Result[]> {
  const store = path({ days, clients });
  const proxy: Contestant = {
    name: ours,
    launch: (upstream) => ({
      command: process.execPath,
      args: [bin, 'proxy', '--v2-base', upstream, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--store', store],
    }),
  };
  const rig = await startRig();
  const running = await startContestant(proxy, rig, []);
  await measure(rig, running, 'get', requests, parallel);
  const cases = { alone: undefined, 'beside reports': reportArgs(store), 'beside a busy process': spinning };
  const p99 = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(cases)) {
      const stop = args === undefined ? undefined : keepBusy(args);
      const sample = await measure(rig, running, 'get', requests, parallel);
      await stop?.();
      p99.get(name)?.push(sample.p99);
    }
  }
  const middle = (name: string): number => median(p99.get(name) ?? []) / 1_000;
  console.log(`\np99 of GET through the proxy, median of ${rounds} rounds of ${requests} calls\n`);
  console.log(
    markdown(
      ['', 'p99 ms'],
      [...p99.keys()].map((name) => [name, middle(name).toFixed(2)]),
    ),
  );
  const moved = middle('beside reports') - middle('alone');
  console.log(`\n- p99 beside reports, less that alone, < 1 ms: ${moved < 1 ? 'reached' : 'missed'} (${moved.toFixed(2)})`);
  return [
    {
      name: 'usage: p99 of the proxy beside reports ÷ beside a busy process',
      ratio: middle('beside reports') / middle('beside a busy process'),
    },
  ];
}

try {
  buildIfStale();
  const found = await reports();
  tell(values.postgres === undefined ? [...found, ...(await latencies())] : found);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopAll();
}
