/** The upstream, the load and the running contestants of one run, and how one of them is measured. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { v1Auth } from '../src/contract/auth.ts';
import { v1Endpoints } from '../src/contract/endpoints.ts';
import type { Contestant } from './contestants.ts';
import type { LoadOutcome, LoadPlan } from './load.ts';
import { start, work } from './processes.ts';
import { cpuSeconds, memory, processTree, resetPeak } from './procfs.ts';
import { answerBody } from './request.ts';
import type { CaseName } from './request.ts';

export const connections = 32;
/** Some proxies write their log a little later; that work counts too. */
const settleMs = 300;
const startMs = 15_000;
/** Runs so far. */
let runs = 0;

export interface Running {
  readonly name: string;
  readonly port: number;
  readonly pids: readonly number[];
  /** Where its stdout goes. */
  readonly log: string;
}

/** One contestant, one case, one round. CPU and latencies in microseconds, memory in MiB. */
export interface Sample {
  readonly name: string;
  readonly case: CaseName;
  readonly cpu: number;
  /** Share of one core that was in use. */
  readonly busy: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** By how much the load generator itself was late, p99; 0 where it kept no rate. */
  readonly late: number;
  readonly peak: number;
  readonly rss: number;
}

export interface Rig {
  /** Origin of the static upstream. */
  readonly upstream: string;
  readonly load: ChildProcess;
  /** Sends at a rate, at the lowest priority, which it cannot leave again. */
  readonly pacedLoad: ChildProcess;
}

export async function startRig(): Promise<Rig> {
  const upstream = rigProcess('upstream.ts');
  const { port } = await messageOf<{ port: number }>(upstream);
  return { upstream: `http://127.0.0.1:${port}`, load: rigProcess('load.ts'), pacedLoad: rigProcess('load.ts') };
}

function rigProcess(file: string): ChildProcess {
  return start('rig', process.execPath, [join(import.meta.dirname, file)], ['ignore', 'inherit', 'inherit', 'ipc']);
}

/** Starts a contestant and makes one call through it, which must come back as the upstream answered it. */
export async function startContestant(contestant: Contestant, rig: Rig, nodeFlags: readonly string[]): Promise<Running> {
  const launch = await contestant.launch(rig.upstream, nodeFlags);
  const log = join(work, `${contestant.name.replaceAll('/', '-')}.log`);
  const stdout = openSync(log, 'w+');
  closeSync(stdout);
  // Appended to, so that `measure` may empty it while it is written.
  const appended = openSync(log, 'a');
  const child = start('contestant', launch.command, launch.args, ['ignore', appended, 'inherit']);
  closeSync(appended);
  const url = await within(startMs, () => {
    if (child.exitCode !== null) throw new Error(`${contestant.name} ended with code ${child.exitCode}: see ${log}`);
    return launch.url ?? listeningUrl(log);
  });
  await within(startMs, () => check(contestant.name, url));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${contestant.name} did not start`);
  return { name: contestant.name, port: Number(new URL(url).port), pids: processTree(pid), log };
}

/**
 * Sends the calls and takes the readings of the operating system before and after. Any error ends the run.
 * @param rate calls a second; without it, as many as the contestant carries
 */
export async function measure(rig: Rig, running: Running, name: CaseName, requests: number, rate?: number): Promise<Sample> {
  truncateSync(running.log);
  resetPeak(running.pids);
  const before = cpuSeconds(running.pids);
  const plan: LoadPlan = { run: ++runs, case: name, port: running.port, requests, connections, rate };
  const load = rate === undefined ? rig.load : rig.pacedLoad;
  load.send(plan);
  const outcome = await messageOf<LoadOutcome>(load);
  await delay(settleMs);
  const used = cpuSeconds(running.pids) - before;
  if (outcome.errors > 0) throw new Error(`${running.name}, ${name}: ${outcome.errors} calls failed: ${outcome.firstError}`);
  return {
    name: running.name,
    case: name,
    cpu: (used / requests) * 1e6,
    busy: used / outcome.seconds,
    perSecond: requests / outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    late: outcome.late,
    ...memory(running.pids),
  };
}

/** The next message of a process of the rig, which sends nothing but Message. */
async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const ended = (): void => reject(new Error('a process of the rig ended early'));
  child.once('exit', ended);
  child.once('message', (message) => resolve(message as Message));
  return promise.finally(() => child.off('exit', ended));
}

function listeningUrl(log: string): string | undefined {
  const line = readFileSync(log, 'utf8')
    .split('\n')
    .find((line) => line.includes('"msg":"listening"') && line.endsWith('}'));
  return line === undefined ? undefined : String(JSON.parse(line).url);
}

async function check(name: string, url: string): Promise<true | undefined> {
  const path = v1Endpoints.getMessage.path.replace(':id', 'msg_1');
  const answer = await fetch(new URL(path, url), { headers: { [v1Auth.field]: 'sk_live_1' } }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const body = await answer.text();
  if (answer.status !== 200 || body !== answerBody) throw new Error(`${name} answered ${answer.status} ${body.slice(0, 200)}`);
  return true;
}

/** Asks again and again until there is an answer, at most so many milliseconds. */
async function within<Answer>(limitMs: number, ask: () => Answer | undefined | Promise<Answer | undefined>): Promise<Answer> {
  const end = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`a contestant was not ready within ${limitMs / 1000} s`);
    await delay(50);
  }
}
