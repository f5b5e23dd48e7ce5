/**
 * What a life of the sandbox costs: its start beside Node's own, a reset, a snapshot and a restore beside the work of filling it, and a
 * call beside one to a bare node:http server. See README.md.
 *
 *   node --expose-gc bench/sandbox.ts [--rounds N] [--records N]
 */
import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { bin, buildIfStale } from './build.ts';
import { start, stopAll } from './processes.ts';
import { type Result, tell } from './results.ts';

/** Milliseconds of each round, in order. */
type Times = readonly number[];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' }, records: { type: 'string', default: '100000' } } });
const [rounds, records] = [Number(values.rounds), Number(values.records)];
const clock = '2026-08-01T12:00:00Z';
const callsARound = 5_000;
/** What was compared with a peer. */
const results: Result[] = [];

try {
  buildIfStale();
  await starts();
  lives();
  await calls();
  tell(results);
} finally {
  await stopAll();
}

/** From spawn to the line that says where it listens; the peer prints a line and is done. */
async function starts(): Promise<void> {
  const flags = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const node: number[] = [];
  const sandbox: number[] = [];
  for (let round = 0; round < rounds; round++) {
    node.push(await untilFirstLine(['-e', 'console.log(1)']));
    sandbox.push(await untilFirstLine([bin, 'sandbox', ...flags]));
  }
  say('start of `node -e`', node);
  say('start of `migrate-v2 sandbox`', sandbox, { goal: 500, peer: node });
}

async function untilFirstLine(args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = start('contestant', process.execPath, args, ['ignore', 'pipe', 'ignore']);
  if (child.stdout === null) throw new Error('the process has no stdout');
  await once(child.stdout, 'data');
  const taken = performance.now() - begun;
  if (child.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  return taken;
}

/** Of one sandbox in this process. */
function lives(): void {
  const sandbox = createSandbox({ clock, maxRecords: 2 * records });
  const taken: Record<'fill' | 'snapshot' | 'restore' | 'reset' | 'empty reset', number[]> = {
    fill: [],
    snapshot: [],
    restore: [],
    reset: [],
    'empty reset': [],
  };
  for (let round = 0; round < rounds; round++) {
    taken.fill.push(time(() => fill(sandbox)));
    let snapshot: unknown;
    taken.snapshot.push(time(() => (snapshot = sandbox.snapshot())));
    taken.restore.push(time(() => sandbox.restore(snapshot)));
    taken.reset.push(time(() => sandbox.reset()));
    taken['empty reset'].push(time(() => sandbox.reset()));
  }
  say(`making ${records} messages`, taken.fill);
  say(`snapshot of ${records} messages`, taken.snapshot, { peer: taken.fill });
  say(`restore of ${records} messages`, taken.restore, { peer: taken.fill });
  say(`reset of ${records} messages`, taken.reset, { goal: 10, peer: taken.fill });
  say('reset of a fresh sandbox', taken['empty reset'], { goal: 10 });
}

function fill({ store, demo }: Sandbox): void {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('the demo workspace is gone');
  for (let made = 0; made < records; made++) store.addMessage(workspace, { channel: 'SMS', to: '+15550100', content: 'Hello' });
}

/** One after another over one connection, in this process: what the sandbox itself adds to node:http. */
async function calls(): Promise<void> {
  const sandbox = createSandbox({ clock, assumptions: { v2RequestsPerHourEnterprise: 1e9 } });
  const bare = await open((_req, res) => res.end('{}'));
  const served = await open(sandbox.handler);
  const authorization = `Bearer ${sandbox.demo.readWriteKey}`;
  const [bareTimes, sandboxTimes]: [number[], number[]] = [[], []];
  // The first round of each warms it up.
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await series(bare, authorization), await series(served, authorization)];
    if (round === 0) continue;
    bareTimes.push(one);
    sandboxTimes.push(other);
  }
  say(`${callsARound} calls of a bare node:http server`, bareTimes);
  say(`${callsARound} calls of GET /v2/messages`, sandboxTimes, { peer: bareTimes });
  for (const server of [bare, served]) server.close().closeAllConnections();
  await sandbox.close();
}

async function open(handler: RequestListener): Promise<Server> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function series(server: Server, authorization: string): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const begun = performance.now();
  for (let made = 0; made < callsARound; made++) {
    await new Promise<void>((resolve, reject) => {
      get({ port, agent, path: '/v2/messages', headers: { authorization } }, (res) => {
        if (res.statusCode !== 200) reject(new Error(`the answer was ${res.statusCode}`));
        res.resume().on('end', resolve);
      }).on('error', reject);
    });
  }
  agent.destroy();
  return performance.now() - begun;
}

/** After a collection, so that nothing pays for the garbage of what was measured before. */
function time(work: () => void): number {
  globalThis.gc?.();
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function median(times: Times): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** Goals are printed, not failed: what a machine reaches is for a person to judge. */
function say(what: string, times: Times, { goal, peer }: { readonly goal?: number; readonly peer?: Times } = {}): void {
  const middle = median(times);
  if (peer !== undefined) results.push({ name: `sandbox: ${what} ÷ its peer`, ratio: middle / median(peer) });
  const ratio = peer === undefined ? '' : ` · ${(middle / median(peer)).toFixed(3)} × the peer`;
  const reached = goal === undefined ? '' : ` · goal < ${goal} ms ${Math.max(...times) < goal ? 'reached' : 'MISSED'}`;
  console.log(`${what}: median ${middle.toFixed(2)} ms, worst ${Math.max(...times).toFixed(2)} ms${ratio}${reached}`);
}
