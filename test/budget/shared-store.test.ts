/** Replicas that share an hour through real stores: processes that are killed, and a database that goes away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { LedgerAnswers, LedgerBatch } from '../../src/budget/ledger-store.ts';
import { LeasingLedger } from '../../proxy/budget/leasing.ts';
import { isDenied } from '../../src/budget/account.ts';
import { type Fleet, statusOf } from '../../src/budget/fleet.ts';
import type { Shared } from '../../src/budget/leases.ts';
import { PostgresLedger } from '../../src/usage/store/postgres/ledger.ts';
import { openWriter } from '../../src/usage/store/open.ts';
import { useDatabases } from '../helpers/postgres.ts';
import { untidy } from '../helpers/process.ts';
import { wayTo } from '../helpers/way.ts';
import { storePath } from '../usage/record.ts';

const databases = useDatabases();
const script = fileURLToPath(new URL('./processes/spend.ts', import.meta.url));

/** Processes that send as fast as they can, and what they have sent together. */
function processes(address: string, limit: number) {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-fleet-'));
  const logs: string[] = [];
  const running = new Set<ChildProcess>();
  const phase = Date.now() - 600_000;
  onTestFinished(async () => {
    await Promise.all([...running].map(kill));
    rmSync(folder, { recursive: true });
  });
  const start = async (): Promise<ChildProcess> => {
    const log = join(folder, String(logs.length));
    logs.push(log);
    const file = openSync(log, 'w');
    const child = spawn(process.execPath, [untidy, script, address, String(limit), String(phase)], {
      stdio: ['ignore', file, 'inherit', 'ipc'],
    });
    closeSync(file);
    running.add(child);
    await once(child, 'message');
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    running.delete(child);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const sent = (): number => logs.reduce((sum, log) => sum + readFileSync(log, 'utf8').split('\n').length - 1, 0);
  const atLeast = (calls: number) => vi.waitFor(() => expect(sent()).toBeGreaterThanOrEqual(calls), { timeout: 60_000, interval: 50 });
  return { start, kill, sent, atLeast };
}

/** What is kept for those that were killed shortly before the database seemed to be away, as to a machine that is busy: they may have lived on their share. */
const keptForLost = (address: string): Promise<number> =>
  databases.by(address, async (client) => {
    const { rows } = await client.query('SELECT fleet.state AS fleet, ledger.state AS ledger FROM migrate_v2.fleet, migrate_v2.ledger');
    const [fleet, { held }]: [Fleet, Shared] = [JSON.parse(rows[0].fleet), JSON.parse(rows[0].ledger)];
    return Object.entries(held).reduce((sum, [id, { share }]) => sum + (statusOf(fleet, id, fleet.latest) === 'lost' ? share.calls : 0), 0);
  });
const nothing = async (): Promise<number> => 0;

it.each([
  { what: 'five processes over PostgreSQL', count: 5, kills: 2, limit: 1_000, address: () => databases.address(), kept: keptForLost },
  { what: 'three processes over one file', count: 3, kills: 1, limit: 1_000, address: async () => storePath(), kept: nothing },
])('$what send nearly all of an hour and no call more, though some are killed', async ({ count, kills, limit, address, kept }) => {
  const store = await address();
  await (await openWriter(store)).close();
  const fleet = processes(store, limit);
  const children = await Promise.all(Array.from({ length: count }, () => fleet.start()));
  for (const child of children.slice(0, kills)) {
    await fleet.atLeast(Math.min(limit / 2, fleet.sent() + limit / 20));
    await fleet.kill(child);
    await fleet.start();
  }
  await vi.waitFor(async () => expect(fleet.sent() + (await kept(store))).toBeGreaterThanOrEqual(limit * 0.97), {
    timeout: 60_000,
    interval: 50,
  });
  // Whoever was killed in the middle of an answer has lost it; the others go on asking, and get no more than there is.
  await vi.waitFor(async () => {
    const before = fleet.sent();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fleet.sent()).toBe(before);
  }, 10_000);
  expect(fleet.sent()).toBeLessThanOrEqual(limit);
});

it('a fleet whose database goes away for five minutes goes on with what each has, and sends no call too many', async () => {
  const address = await databases.address();
  await (await openWriter(address)).close();
  const way = await wayTo(address);
  const [limit, began] = [1_000, Date.UTC(2026, 10, 22, 9, 10)];
  let passed = 0;
  const now = (): number => began + passed;
  const account = { id: 'Acme', terms: { limit, reserve: 0.5, window: { kind: 'fixed', phase: 0 } } } as const;
  const events: string[] = [];
  const lives = Array.from({ length: 8 }, (_, number) => {
    const life = { alive: true, heard: 0 };
    const log = (fields: object): void => void events.push('event' in fields ? String(fields.event) : '');
    const store = new PostgresLedger(way.address, now);
    onTestFinished(() => store.close());
    const exchange = async (batch: LedgerBatch): Promise<LedgerAnswers> => {
      const answers = await store.exchange(batch);
      life.heard = passed;
      return answers;
    };
    const ledger = new LeasingLedger({
      store: { exchange },
      replica: String(number),
      replicas: 8,
      logger: { info: log, warn: log },
      now,
      clock: () => passed,
      // Timers are real and short, the time that they stand for is set.
      later: (work, after) => void setTimeout(() => life.alive && work(), after / 25),
    });
    onTestFinished(() => void (life.alive = false));
    return { life, ledger, store };
  });
  let sent = 0;
  const take = async (times: number, which = lives): Promise<number> => {
    const before = sent;
    for (let call = 0; call < times; call++) {
      const { life, ledger } = which[call % which.length] ?? {};
      if (life?.alive === true && ledger !== undefined && !isDenied(await ledger.take(account, call % 2))) sent++;
    }
    return sent - before;
  };
  /** Whether all are heard of: time that is set must not run ahead of what a busy machine does, as who is slow here would be taken for killed there. */
  const areHeard = (which: typeof lives, within: number): boolean => which.every(({ life }) => life.heard > passed - within);
  // Who begins first has a larger share, and gives it up for the last ones as it says that it is there: for that, time must pass.
  const first = Promise.all(lives.map(({ ledger }) => ledger.take(account, 1)));
  const passing = setInterval(() => areHeard(lives, 600) && (passed += 100), 5);
  onTestFinished(() => clearInterval(passing));
  sent += (await first).filter((granted) => !isDenied(granted)).length;
  expect(sent + (await take(80))).toBe(88);
  clearInterval(passing);
  way.cut();
  const failing = Promise.all(lives.map(({ ledger }) => ledger.take(account, 1)));
  const everyoneSays = (event: string, count: number) =>
    vi.waitFor(
      () => {
        passed += 100;
        expect(events.filter((each) => each === event)).toHaveLength(count);
      },
      { timeout: 20_000, interval: 20 },
    );
  await everyoneSays('budget_store_away', 8);
  sent += (await failing).filter((granted) => !isDenied(granted)).length;
  const without = await take(1_200);
  expect(without).toBeGreaterThan(150);
  // One of them does not come back, nor does what it was saying: what it had may have been sent.
  Object.assign(lives[7]?.life ?? {}, { alive: false });
  await lives[7]?.store.close();
  passed += 300_000;
  way.restore();
  await everyoneSays('budget_store_works', 7);
  const rest = lives.slice(0, 7);
  for (let round = 0; round < 40; round++) {
    passed += 500;
    await vi.waitFor(() => expect(areHeard(rest, 1_500)).toBe(true), 10_000);
    await Promise.race([take(40, rest), new Promise((resolve) => setTimeout(resolve, 500))]);
  }
  expect(sent).toBeGreaterThan(limit * 0.8);
  expect(sent).toBeLessThanOrEqual(limit);
});
