/** What the operating system says about a process and everything it started (Linux, /proc). */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** The process and its descendants: nginx works in a child of the process that was started. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isNaN(pid)) continue;
    const parent = Number(stat(pid)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/**
 * CPU time in seconds, user and system, of all threads of the processes and of their children that have ended
 * (proc(5): utime, stime, cutime, cstime). In steps of one clock tick, 10 ms as a rule.
 */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) for (const time of stat(pid)?.slice(11, 15) ?? []) ticks += Number(time);
  return ticks / ticksPerSecond;
}

/** Resident memory in MiB, now and at its highest since the last `resetPeak`. */
export function memory(pids: readonly number[]): { readonly rss: number; readonly peak: number } {
  const sum = (field: string): number => pids.reduce((total, pid) => total + statusKiB(pid, field), 0) / 1024;
  return { rss: sum('VmRSS'), peak: sum('VmHWM') };
}

/** Makes the kernel forget the highest resident memory so far (proc(5): 5 in clear_refs). */
export function resetPeak(pids: readonly number[]): void {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The fields of /proc/<pid>/stat after the command name, from `state` on; undefined when the process is gone. */
function stat(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The command name stands in parentheses and may contain anything, so the last one counts.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function statusKiB(pid: number, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
