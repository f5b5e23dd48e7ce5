/**
 * How fast the usage report answers. See README.md.
 *
 *   node bench/usage.ts [--days N] [--clients N] [--rounds N] [--keep] [--postgres ADDRESS]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFormats } from '../src/config/report-formats.ts';
import { bin, buildIfStale } from './build.ts';
import { errorsOf, type Run, run } from './measure.ts';
import { work } from './processes.ts';
import { markdown, median } from './report.ts';
import { type Result, tell } from './results.ts';
import { endpoints, makeStore, type Size } from './usage/store.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '90' },
    clients: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'boolean' },
    postgres: { type: 'string' },
  },
});
const [days, clients, rounds] = [values.days, values.clients, values.rounds].map(Number) as [number, number, number];
const now = Date.now();
/** Files of their own, or the one empty database that is given: then there is one size. */
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

try {
  buildIfStale();
  tell(await reports());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
