/** Runs one Node program to its end and reads from the operating system what it cost. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { work } from './processes.ts';
import { cpuSeconds } from './procfs.ts';

export interface Cost {
  /** Seconds from start to end. */
  readonly wall: number;
  /** Seconds of user and system time of all processes and threads, in steps of 10 ms. */
  readonly cpu: number;
  /** Highest resident memory in MiB, summed over the processes; NaN where none of them came to its end. */
  readonly peak: number;
}

export interface Run extends Cost {
  /** undefined where it was stopped, as it took too long. */
  readonly status: number | undefined;
  readonly output: string;
}

const hook = join(import.meta.dirname, 'codemods', 'peers', 'peak.cjs');
const files = { output: join(work, 'codemods.out'), errors: join(work, 'codemods.err'), peaks: join(work, 'codemods.peaks') };

/**
 * Nothing else may run as a child of this process meanwhile: the time is that of all children (proc(5), cutime and cstime).
 * @param args what follows `node`
 * @param cwd the tree
 * @param timeout after how many milliseconds it is stopped; it leaves no peak then
 * @throws Error if the program was ended by something else
 */
export function run(args: readonly string[], cwd: string, timeout?: number): Run {
  rmSync(files.peaks, { force: true });
  const output = openSync(files.output, 'w');
  const errors = openSync(files.errors, 'w');
  const [begun, before] = [performance.now(), cpuSeconds([process.pid])];
  const { status, signal, error } = spawnSync(process.execPath, args, {
    cwd,
    env: environment(),
    stdio: ['ignore', output, errors],
    killSignal: 'SIGKILL',
    ...(timeout === undefined ? {} : { timeout }),
  });
  const [cpu, wall] = [cpuSeconds([process.pid]) - before, (performance.now() - begun) / 1000];
  for (const open of [output, errors]) closeSync(open);
  const isStopped = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
  if (status === null && !isStopped)
    throw new Error(`${args.join(' ')} ended by ${signal ?? error?.message}\n${errorsOf()}`, { cause: error });
  return { wall, cpu, peak: peak(), status: status ?? undefined, output: readFileSync(files.output, 'utf8') };
}

/** What the last program wrote to stderr, shortened. */
export function errorsOf(): string {
  return readFileSync(files.errors, 'utf8').slice(-2000);
}

/** The defaults are measured: settings of whoever started the run must not change them. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(MIGRATE_V2_|NODE_|FORCE_COLOR$)/.test(name));
  return { ...Object.fromEntries(kept), NODE_OPTIONS: `--require=${hook}`, BENCH_PEAKS: files.peaks, NO_COLOR: '1' };
}

function peak(): number {
  if (!existsSync(files.peaks)) return Number.NaN;
  const lines = readFileSync(files.peaks, 'utf8').trim().split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0) / 1024;
}
