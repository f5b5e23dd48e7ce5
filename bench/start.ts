/**
 * What a start costs, beside that of Node alone. See README.md.
 *
 *   node bench/start.ts [--rounds N]
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { v1Base } from './codemods/calls.ts';
import { bin, buildIfStale } from './build.ts';
import { start, stopAll, work } from './processes.ts';
import { cpuSeconds } from './procfs.ts';
import { markdown, median } from './report.ts';
import { tell } from './results.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
/** So many make one reading: the clock of the operating system has steps of 10 ms. */
const startsARound = 10;

const folder = join(work, 'start');
const ports = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const peer = 'node -e 0';
const commands: Readonly<Record<string, readonly string[]>> = {
  [peer]: ['-e', '0'],
  '--help': [bin, '--help'],
  'proxy, until it listens': [bin, 'proxy', '--v2-base', 'http://127.0.0.1:9', ...ports, '--store', join(folder, 'usage.db')],
  'one file': [bin, join(folder, 'client.js'), '--v1-base', v1Base, '--dry-run'],
};

interface Cost {
  /** Milliseconds of CPU, from the start to the end. */
  readonly cpu: number;
  /** Milliseconds on the clock, to the end, or until it says that it listens. */
  readonly wall: number;
}

/** Starts a program; one that listens is ended then. */
async function untilStarted(args: readonly string[]): Promise<number> {
  const begun = performance.now();
  let started: number | undefined;
  const child = start('contestant', process.execPath, args, ['ignore', 'pipe', 'ignore']);
  child.stdout?.on('data', (data: Buffer) => {
    if (!data.includes('"msg":"listening"')) return;
    started = performance.now();
    child.kill();
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code}`);
  return (started ?? performance.now()) - begun;
}

async function reading(args: readonly string[]): Promise<Cost> {
  const before = cpuSeconds([process.pid]);
  const walls: number[] = [];
  for (let made = 0; made < startsARound; made += 1) walls.push(await untilStarted(args));
  return { cpu: ((cpuSeconds([process.pid]) - before) / startsARound) * 1_000, wall: median(walls) };
}

/** Round by round, so that whatever else the machine does meets all alike. */
async function main(): Promise<void> {
  buildIfStale();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'client.js'), `fetch('${v1Base}/v1/messages', { headers: { 'x-api-key': key } });\n`);
  // What was compiled is kept from here on.
  for (const args of Object.values(commands)) await untilStarted(args);
  const costs = new Map<string, Cost[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const [name, args] of Object.entries(commands)) costs.get(name)?.push(await reading(args));
  }
  const node = costs.get(peer) ?? [];
  const found = [...costs].map(([name, own]) => {
    const ratio = median(own.map(({ cpu }, round) => cpu / (node[round]?.cpu ?? Number.NaN)));
    return { name, ratio, cpu: median(own.map(({ cpu }) => cpu)), wall: median(own.map(({ wall }) => wall)) };
  });
  console.log(`Starts, median of ${rounds} rounds of ${startsARound}\n`);
  const rows = found.map(({ name, ratio, cpu, wall }) => [name, wall.toFixed(0), cpu.toFixed(0), ratio.toFixed(1)]);
  console.log(markdown(['', 'ms on the clock', 'ms of CPU', `CPU ÷ ${peer}`], rows));
  tell(found.flatMap(({ name, ratio }) => (name === peer ? [] : { name: `start: CPU of ${name} ÷ ${peer}`, ratio })));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopAll();
}
