import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Agent, request } from 'undici';
import { openReader } from '../../src/usage/store/open.ts';
import { startUpstream } from '../helpers/proxy.ts';

/** Each needs a process: 50 of them take a minute, and prove no more than 50 times as much. */
const kills = Number(process.env['KILLS'] ?? 3);
const processes = join(import.meta.dirname, 'processes');
/** What starts a proxy that records in a folder, for so many kills. */
const doors = [
  {
    door: 'the server of the command',
    store: 'usage.db',
    kills,
    start: (v2: string, cwd: string) => fork(join(processes, 'recording.ts'), ['usage.db', v2], { stdio: 'inherit', cwd }),
  },
  {
    door: 'a server of somebody else',
    store: 'migrate-v2.usage.db',
    kills: Math.ceil(kills / 4),
    start: (v2: string, cwd: string) => fork(join(processes, 'mounted.ts'), [v2], { stdio: ['inherit', 'ignore', 'inherit', 'ipc'], cwd }),
  },
];
const clients = 4;
/** Calls that were answered this long before the end must be in the record, in milliseconds, on a machine that holds nobody up. */
const mayBeLost = 250;
/** To be in the record takes so many turns of threads: each may be held up as long as this process is. */
const turns = 4;

interface Load {
  /** Times at which answers were complete. */
  readonly answered: number[];
  sent: number;
  readonly first: PromiseWithResolvers<number>;
}

/** Calls as fast as it is answered, until the proxy is gone. */
async function call(url: string, key: string, load: Load): Promise<void> {
  const dispatcher = new Agent({ connections: 1 });
  try {
    for (;;) {
      load.sent++;
      const { body } = await request(`${url}/v1/contacts`, { headers: { 'x-api-key': key }, dispatcher });
      await body.dump();
      load.answered.push(Date.now());
      load.first.resolve(Date.now());
    }
  } catch {
    // The proxy was killed, as it is meant to be.
  } finally {
    await dispatcher.destroy();
  }
}

test.each(doors)(
  'a proxy in $door that is killed under load leaves a whole record, loses what is younger than a quarter of a second, and counts nothing twice',
  { timeout: 300_000 },
  async ({ store, kills, start }) => {
    const folder = await mkdtemp(join(tmpdir(), 'migrate-v2-kill-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, store);
    await using v2 = await startUpstream((_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
    const all: { readonly load: Load; readonly sure: number }[] = [];
    for (let run = 0; run < kills; run++) {
      const child = start(v2.url, folder);
      const [url] = await once(child, 'message');
      const load: Load = { answered: [], sent: 0, first: Promise.withResolvers() };
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const calling = Array.from({ length: clients }, () => call(String(url), `ak_live_of_run_${run}`, load));
      const first = await load.first.promise;
      const sure = (): number => Date.now() - mayBeLost - (turns * delay.max) / 1e6;
      // Long enough for some of it to have to be there, and at another point of its rhythm each time.
      do await sleep(mayBeLost + 100 + ((run * 37) % 200));
      while (sure() <= first);
      all.push({ load, sure: sure() });
      child.kill('SIGKILL');
      await once(child, 'exit');
      await Promise.all(calling);
      delay.disable();
    }
    const db = new DatabaseSync(path);
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    db.close();
    const reader = await openReader(path);
    onTestFinished(() => reader.close());
    let total = 0;
    for await (const { counts } of reader.totals({ since: 0, until: Date.now() + 60_000 })) total += counts.calls;
    expect(total).toBeLessThanOrEqual(all.reduce((sum, { load }) => sum + load.sent, 0));
    const mustBeThere = all.reduce((sum, { load, sure }) => sum + load.answered.filter((at) => at < sure).length, 0);
    expect(mustBeThere).toBeGreaterThanOrEqual(kills);
    expect(total).toBeGreaterThanOrEqual(mustBeThere);
  },
);
