import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/usage/model.ts';
import { openReader } from '../../../src/usage/store/open.ts';
import { untidy } from '../../helpers/process.ts';
import { collect, everything, storePath } from '../record.ts';

const script = fileURLToPath(new URL('../processes/record.ts', import.meta.url));
/** Each needs a process: 50 of them take half a minute, and prove no more than twice as much. */
const kills = Number(process.env['KILLS'] ?? 8);
/** Stores that processes are killed over at the same time. */
const lanes = 2;

/** What a killed process had said: numbers of calls, and when it had recorded those before. */
type Said = readonly (readonly [calls: number, at: number])[];

async function recordAndBeKilled(path: string, name: string, after: number): Promise<Said> {
  const log = `${path}.${name}.log`;
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [untidy, script, path, name], { stdio: ['ignore', file, 'inherit', 'ipc'] });
  closeSync(file);
  await once(child, 'message');
  setTimeout(() => child.kill('SIGKILL'), after);
  await once(child, 'exit');
  return readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').map(Number))
    .map(([calls = 0, at = 0]) => [calls, at]);
}

async function recorded(path: string): Promise<{ calls: ReadonlyMap<string | null, number>; sessions: readonly Session[] }> {
  const reader = await openReader(path);
  try {
    const names = new Map((await reader.callers()).map(({ id, name }) => [id, name]));
    const calls = new Map<string | null, number>();
    for (const { caller, counts } of await collect(reader.totals(everything))) {
      const name = names.get(caller) ?? null;
      calls.set(name, (calls.get(name) ?? 0) + counts.calls);
    }
    return { calls, sessions: await reader.sessions(everything) };
  } finally {
    await reader.close();
  }
}

/** What had been recorded before this time: what is said is done when the next is said. */
const doneBefore = (said: Said, time: number): number => said[said.findLastIndex(([, at]) => at < time) - 1]?.[0] ?? 0;

/** The longest time for which the machine held the process up: otherwise it says something every few milliseconds. */
const heldUp = (said: Said): number => Math.max(0, ...said.slice(1).map(([, at], i) => at - (said[i]?.[1] ?? at)));

describe('the record of a killed process', () => {
  it('is whole, counts nothing twice, claims no time that it misses, and misses no more than a quarter of a second', async () => {
    const results = await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const path = storePath();
        const runs = new Map<string, Said>();
        for (let kill = lane; kill < kills; kill += lanes)
          runs.set(String(kill), await recordAndBeKilled(path, String(kill), (500 / kills) * kill));
        const db = new DatabaseSync(path);
        const integrity = db.prepare('PRAGMA integrity_check').all();
        db.close();
        return { runs, integrity, ...(await recorded(path)) };
      }),
    );
    let late = 0;
    for (const { runs, integrity, calls, sessions } of results) {
      expect(integrity).toEqual([{ integrity_check: 'ok' }]);
      for (const [name, said] of runs) {
        const inStore = calls.get(name) ?? 0;
        const [[, begin], [most, end]] = [said[0] ?? [0, 0], said.at(-1) ?? [0, 0]];
        expect(inStore).toBeLessThanOrEqual(most);
        const session = sessions.findLast(({ since }) => since <= begin);
        expect(inStore).toBeGreaterThanOrEqual(doneBefore(said, session?.seen ?? 0));
        // To be in the store takes some turns of two threads.
        if (inStore < doneBefore(said, end - 250 - 4 * heldUp(said))) late++;
      }
    }
    // The thread that writes may be held up for longer than the one that says so.
    expect(late).toBeLessThanOrEqual(kills / 10);
  });
});
