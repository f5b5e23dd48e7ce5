/**
 * What a call through the proxy costs, beside what others cost for less. See README.md.
 *
 *   node bench/proxy.ts [--requests N] [--rounds N] [--only name,...] [--cases get,post] [--rollout] [--budget] [--soak N] [--cpu-prof]
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { absence, budgets, contestants, ours, rollouts, together } from './contestants.ts';
import type { Contestant } from './contestants.ts';
import { placement, stopAll, work } from './processes.ts';
import { caseTable, goalLine, goals, recordLine, results } from './report.ts';
import { caseNames } from './request.ts';
import type { CaseName } from './request.ts';
import { tell } from './results.ts';
import { connections, measure, startContestant, startRig } from './rig.ts';
import type { Rig, Running, Sample } from './rig.ts';
import { soak } from './soak.ts';

const profiles = join(work, 'profiles');

interface Options {
  /** Calls of each contestant, case and round. */
  readonly requests: number;
  readonly rounds: number;
  /** Who takes part; for a memory run or a profile migrate-v2 alone, unless others are named. */
  readonly only: readonly Contestant[];
  readonly cases: readonly CaseName[];
  /** Calls of the memory run, which takes the place of the comparison; 0 for none. */
  readonly soak: number;
  readonly cpuProf: boolean;
}

try {
  await main(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopAll();
}
for (const file of profileFiles()) console.log(`\nProfile: node bench/top.ts ${file}`);

async function main(options: Options): Promise<void> {
  if (process.platform !== 'linux') throw new Error('this needs Linux: CPU time and memory are read from /proc');
  rmSync(profiles, { recursive: true, force: true });
  if (options.cpuProf) console.log('Profiling costs CPU itself: read the profile, not the table.');
  const rig = await startRig();
  const running: Running[] = [];
  for (const contestant of options.only) {
    const reason = absence(contestant);
    if (reason === undefined) running.push(await startContestant(contestant, rig, profiling(contestant, options)));
    else console.log(`Skipped ${contestant.name}: ${reason}`);
  }
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${connections} connections, ${placement}`);
  for (const one of running) for (const name of options.cases) await measure(rig, one, name, Math.min(options.requests, 20_000));
  if (options.soak > 0) for (const one of running) console.log(await soak(rig, one, options.cases, options.soak));
  else await compare(rig, running, options);
}

/** Round by round, so that whatever else the machine does meets all contestants alike. */
async function compare(rig: Rig, running: readonly Running[], options: Options): Promise<void> {
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    console.error(`round ${round} of ${options.rounds}`);
    const order = round % 2 === 0 ? running.toReversed() : running;
    for (const name of options.cases) for (const one of order) samples.push(await measure(rig, one, name, options.requests));
  }
  for (const name of options.cases) {
    const ofCase = running.flatMap((one) => samples.filter((sample) => sample.name === one.name && sample.case === name));
    console.log(`\n${name.toUpperCase()}, median of ${options.rounds} rounds of ${options.requests} calls\n\n${caseTable(ofCase)}`);
  }
  console.log(`\n${[...goals.map((goal) => goalLine(goal, samples)), recordLine(samples)].join('\n')}`);
  tell(results(samples));
}

/** Flags for a profile in a folder that tells whose it is. */
function profiling({ name }: Contestant, { cpuProf }: Options): string[] {
  return cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${join(profiles, name.replaceAll('/', '-'))}`] : [];
}

function profileFiles(): string[] {
  if (!existsSync(profiles)) return [];
  const files = readdirSync(profiles, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.cpuprofile')).map((file) => relative(process.cwd(), join(profiles, file)));
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      cases: { type: 'string', default: caseNames.join(',') },
      soak: { type: 'string', default: '0' },
      rollout: { type: 'boolean', default: false },
      budget: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
    },
  });
  const more = [...(values.rollout ? rollouts : []), ...(values.budget ? budgets : [])].map(({ name }) => name);
  const everybody = (more.length > 0 ? ['nginx', ours, ...more] : contestants.map(({ name }) => name)).join(',');
  const soak = count('--soak', values.soak, 0, 100_000_000);
  return {
    requests: count('--requests', values.requests, 1000, 10_000_000),
    rounds: count('--rounds', values.rounds, 1, 100),
    only: pick(
      '--only',
      values.only ?? (soak > 0 || values['cpu-prof'] ? ours : everybody),
      [...contestants, ...rollouts, ...budgets, ...together],
      ({ name }) => name,
    ),
    cases: pick('--cases', values.cases, caseNames, (name) => name),
    soak,
    cpuProf: values['cpu-prof'],
  };
}

function count(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${flag} takes a whole number from ${least} to ${most}, not ${text}`);
}

function pick<Item>(flag: string, text: string, items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const names = items.map(nameOf);
  const wanted = text.split(',');
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${flag} knows ${names.join(', ')}, not ${unknown}`);
  return items.filter((item) => wanted.includes(nameOf(item)));
}
