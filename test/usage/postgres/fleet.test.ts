import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { openWriter } from '../../../src/usage/store/open.ts';
import { type RecordState, UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { useCluster } from '../../helpers/postgres.ts';
import { untidy } from '../../helpers/process.ts';
import { collect, everything } from '../record.ts';
import { callsIn, reading } from '../store/stores.ts';
import { useOf } from '../uses.ts';

const cluster = useCluster();
const script = fileURLToPath(new URL('../processes/batches.ts', import.meta.url));
const lanes = 3;
const killsOfLane = 1;
/** Cells of one client in a batch. */
const cells = 10;

interface Run {
  readonly name: string;
  /** Numbers of the last batch that was taken, and of the one that may have been. */
  readonly wrote: number;
  readonly tried: number;
}

async function run(folder: string, address: string, name: string, most: string, killAfter: number | undefined): Promise<Run> {
  const log = join(folder, name);
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [untidy, script, address, name, most], { stdio: ['ignore', file, 'inherit', 'ipc'] });
  closeSync(file);
  const exited = once(child, 'exit');
  await once(child, 'message');
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  await exited;
  const said = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const last = (word: string): number => Number(said.findLast((line) => line.startsWith(word))?.split(' ')[1] ?? 0);
  return { name, wrote: last('wrote'), tried: last('tries') };
}

/** Processes that are killed, one after the other, and one that is not. */
async function lane(folder: string, address: string, number: number): Promise<Run[]> {
  const runs: Run[] = [];
  for (let kill = 0; kill < killsOfLane; kill++)
    runs.push(await run(folder, address, `${number}-${kill}`, 'Infinity', 50 + Math.random() * 500));
  runs.push(await run(folder, address, `${number}-last`, '15', undefined));
  return runs;
}

describe('a fleet of proxies', () => {
  it('has exact totals, and never a deadlock, however its processes are killed and its server restarted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const address = await cluster.address();
    const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(folder, address, number)));
    await sleep(1_500);
    await cluster.stop();
    await cluster.start();
    const runs = (await running).flat();

    await reading(address, async (reader) => {
      const callers = new Map((await reader.callers()).map(({ id, name }) => [id, name]));
      const calls = new Map<string | null | undefined, number>();
      for (const { caller, counts } of await collect(reader.totals(everything)))
        calls.set(callers.get(caller), (calls.get(callers.get(caller)) ?? 0) + counts.calls);
      for (const { name, wrote, tried } of runs) {
        // The batch that a killed process was writing is there whole, or not at all.
        expect([wrote * cells, tried * cells]).toContain(calls.get(name));
        calls.set(undefined, (calls.get(undefined) ?? 0) + (calls.get(name) ?? 0));
      }
      expect(calls.get('all')).toBe(calls.get(undefined));
      expect(runs).toHaveLength(lanes * (killsOfLane + 1));
    });
    await cluster.by(address, async (client) => {
      const { rows } = await client.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()');
      expect(rows).toEqual([{ deadlocks: 0 }]);
    });
  });

  it('goes on recording where its server was away, and has lost nothing', async () => {
    const address = await cluster.address();
    const states: RecordState[] = [];
    let heard = (): void => undefined;
    const recorder = new UsageRecorder({
      writer: await openWriter(address),
      replica: 'fleet',
      keepDays: 400 * dayInMs,
      onState: (state) => {
        states.push(state);
        heard();
      },
    });
    const record = (): void => {
      for (let call = 0; call < 100; call++) recorder.add(useOf({ at: Date.now(), name: String(call % 10) }));
    };
    const told = async (): Promise<void> => new Promise((resolve) => (heard = resolve));
    record();
    await new Promise<void>((resolve) => recorder.onWritten(resolve));
    const failed = told();
    await cluster.stop();
    record();
    await failed;
    const worked = told();
    await cluster.start();
    record();
    await worked;
    await recorder.close();
    expect(states).toMatchObject([{ failing: { code: 'STORE_UNAVAILABLE' } }, { failing: undefined, lost: 0 }]);
    expect(await callsIn(address)).toBe(300);
  });

  it('brings the schema to its version once, where eight begin at once', async () => {
    const address = await cluster.address();
    const writers = await Promise.all(Array.from({ length: 8 }, () => openWriter(address)));
    for (const writer of writers) await writer.close();
    expect(new Set(writers.map(({ hashSecret }) => hashSecret)).size).toBe(1);
    await cluster.by(address, async (client) => {
      const { rows } = await client.query('SELECT name FROM migrate_v2.meta ORDER BY name');
      expect(rows).toEqual([{ name: 'hash_secret' }, { name: 'version' }]);
    });
  });
});
