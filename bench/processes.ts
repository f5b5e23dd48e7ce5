/** Starts the processes of a run, each on its core, and makes sure that none of them outlives it. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { processTree } from './procfs.ts';

export const root = join(import.meta.dirname, '..');
/** Configurations, logs and profiles of the run; git ignores it. */
export const work = join(import.meta.dirname, '.work');
mkdirSync(work, { recursive: true });
// Debian keeps nginx and haproxy where only root's PATH leads.
process.env['PATH'] += ':/usr/sbin';

/** Whether the measured process has a core of its own. */
const pinned = availableParallelism() >= 2 && isInstalled('taskset');
export const placement = pinned ? 'contestant on CPU 0, upstream and load on CPU 1' : 'not pinned to cores (one core, or no taskset)';
/** The measured process, or what measures it: the upstream and the load. */
export type Role = 'contestant' | 'rig';
const cores: Record<Role, string> = { contestant: '0', rig: '1' };

const stopMs = 30_000;
const alive = new Set<ChildProcess>();
process.on('exit', killAll);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(signal, () => process.exit(code));

export function isInstalled(command: string): boolean {
  return spawnSync('which', [command]).status === 0;
}

/** Starts a command; taskset replaces itself by it, so the pid is the command's own. */
export function start(role: Role, command: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  const line = pinned ? ['taskset', '-c', cores[role], command, ...args] : [command, ...args];
  // The run measures the defaults: settings in the environment of whoever started it must not change them.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('MIGRATE_V2_') && name !== 'NODE_OPTIONS'),
  );
  const child = spawn(line[0] ?? command, line.slice(1), { stdio, env, cwd: work });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

/** Asks every process to end and waits until all have; who takes too long is killed. */
export async function stopAll(): Promise<void> {
  const timer = setTimeout(killAll, stopMs);
  await Promise.all([...alive].map(stop));
  clearTimeout(timer);
}

async function stop(child: ChildProcess): Promise<void> {
  if (!alive.has(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function killAll(): void {
  for (const child of alive) {
    for (const pid of child.pid === undefined ? [] : processTree(child.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself meanwhile, which is what is wanted.
      }
    }
  }
}
