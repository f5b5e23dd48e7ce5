/**
 * The road of a fleet from v1 to v2, on real parts: v1 observed, compared, one difference found and mapped, workspaces moved one after another, a
 * guard that trips, a brownout that finds an unknown caller, the change-over at midnight, SAFE. `npm run tour:rollout`; everything stays in `tour`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../src/contract/times.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { TourClock } from './clock.ts';
import { startTourProxy } from './proxy.ts';
import { run } from './run.ts';

const folder = 'tour';
const config = `${folder}/migrate-v2.config.yaml`;

// The sunset of the tour is 16 days ago, so that the record ends today and two weeks without a call lie between.
const sunset = Math.floor(Date.now() / dayInMs) * dayInMs - 16 * dayInMs;
const start = sunset - 12 * hourInMs;
const iso = (at: number): string => new Date(at).toISOString();
const sunsetAt = iso(sunset);
const assumptions = { sunsetAt, deprecatedSince: iso(sunset - 200 * dayInMs) };
const brownoutAt = sunset - 5 * hourInMs;
/** What makes v1's bodies of those of a v2 without an envelope: the file that people are shown. */
const bare = 'examples/mappings/bare.yaml';

let steps = 0;
function tell(title: string, ...lines: readonly string[]): void {
  console.log([`\n${++steps}. ${title}`, ...lines.map((line) => `   ${line}`)].join('\n'));
}

/** An empty folder, in place of that of an earlier tour and of nothing else. */
function makeFolder(): void {
  if (existsSync(folder) && !existsSync(config)) throw new Error(`The folder ${folder} is there and of no earlier tour: move it away.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

interface Configuration {
  readonly workspaces: readonly object[];
  readonly rules: readonly object[];
  readonly mappings?: object | undefined;
}

/** Writes the configuration. Its last line shows a proxy that reads it again that this is all of it. */
function configure({ workspaces, rules, mappings = {} }: Configuration): void {
  const brownouts = [{ name: 'rehearsal', match: { unknown: true }, at: iso(brownoutAt), for: '10m', status: 503 }];
  const content = {
    store: 'usage.db',
    rarestJob: '7d',
    assumptions,
    workspaces,
    mappings,
    rollout: { rules, brownouts },
  };
  writeFileSync(config, `${stringify(content)}...\n`);
}

/** Every call that a tour's client makes in an hour: reads, as everybody makes most. */
const reads = ['contacts', 'contacts?page=2', 'messages', 'contacts', 'messages?limit=5', 'contacts?limit=1'];

const userAgents: Readonly<Record<string, string>> = { Acme: 'axios/1.7.0', Bolt: 'python-requests/2.32.3', Citrus: 'okhttp/4.12.0' };

const stage = (name: string, stage: string, match = {}): object => ({ name, match, stage });
const guarded = (workspace: string): object => ({
  name: workspace.toLowerCase(),
  match: { workspace },
  stage: 'translate',
  fallback: { errors: '5%', over: '5m', atLeast: 5 },
});

async function goTheWholeRoad(): Promise<void> {
  makeFolder();
  await using sandbox = createSandbox({ clock: start, envelope: 'bare', assumptions });
  const { url: service } = await sandbox.listen();
  const keyOf = (name: string): string => {
    const { id } = sandbox.dashboard.createWorkspace({ name, plan: 'Agency' });
    return sandbox.dashboard.createKey(id, { name, access: 'read-write' }).value;
  };
  const keys = new Map(['Acme', 'Bolt', 'Citrus', 'Dora'].map((name) => [name, keyOf(name)]));
  const known = (...names: readonly string[]): readonly object[] =>
    names.map((name) => ({ name, plan: 'Agency', owner: `${name}'s people`, keys: [keys.get(name)?.slice(0, 12)] }));
  const three = known('Acme', 'Bolt', 'Citrus');
  const rest = stage('rest', 'observe');

  configure({ workspaces: three, rules: [rest] });
  const clock = new TourClock(start);
  let proxy = await startTourProxy(config, service, clock);
  const changeRules = async (workspaces: readonly object[], rules: readonly object[], mappings?: object): Promise<void> => {
    configure({ workspaces, rules, mappings });
    await proxy.logged('rollout_loaded');
  };
  const passTo = async (time: number): Promise<void> => {
    await proxy.waitUntil(time);
    sandbox.clock.set(iso(time));
  };
  /** Each of these clients makes its calls. @returns how they were answered, in words */
  const call = async (...names: readonly string[]): Promise<string> => {
    const statuses = new Map<number, number>();
    for (const name of names) {
      for (const path of reads) {
        const headers = { 'x-api-key': keys.get(name) ?? '', 'User-Agent': userAgents[name] ?? 'curl/8.5.0' };
        const { status } = await fetch(`${proxy.url}/v1/${path}`, { headers });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    return [...statuses].map(([status, count]) => `${count} calls of ${[...new Set(names)].join(', ')} answered with ${status}`).join(', ');
  };
  const report = (): Promise<void> =>
    run(`npx migrate-v2 report --config ${config} --since ${iso(start)} --until ${iso(clock.now())}`, exitCodes.done.code);
  const everybody = ['Acme', 'Bolt', 'Citrus'] as const;

  try {
    tell(
      'Observe: the proxy stands in front of v1 and changes nothing',
      `It is twelve hours before the sunset of ${sunsetAt}`,
      await call(...everybody),
    );

    await passTo(sunset - 11 * hourInMs);
    await changeRules(three, [stage('rest', 'compare')]);
    tell('Compare: v1 goes on answering, and v2 is asked beside it', await call(...everybody));
    await proxy.compared(everybody.length * reads.length);
    await passTo(sunset - 10 * hourInMs);
    await report();

    const { proxy: example }: { readonly proxy: { readonly mappings: object } } = parse(readFileSync(bare, 'utf8'));
    configure({ workspaces: three, rules: [stage('rest', 'compare')], mappings: example.mappings });
    await proxy.close();
    proxy = await startTourProxy(config, service, clock);
    const many = Array.from({ length: 17 }, () => everybody).flat();
    tell(`v2 writes its answers without an envelope. A mapping (${bare}) makes v1's of them`, await call(...many));
    await proxy.compared(many.length * reads.length);
    await passTo(sunset - 9 * hourInMs);
    await report();

    tell('Translate: the workspaces move one after another, each with a guard');
    const moved: object[] = [];
    for (const [index, name] of everybody.entries()) {
      moved.push(guarded(name));
      await changeRules(three, [...moved, rest], example.mappings);
      await passTo(sunset - (8 - index / 2) * hourInMs);
      console.log(`   ${await call(...everybody)}`);
    }

    await passTo(sunset - 6 * hourInMs);
    sandbox.faults.add({ route: '/v2/*', fault: { kind: 'error', status: 503 } });
    tell('v2 has a bad quarter of an hour: the guard of Bolt takes its rule back, and v1 answers', await call('Bolt'));
    await proxy.logged('rollout_tripped');
    sandbox.faults.clear();
    console.log(`   ${await call('Bolt')}`);
    await run(`npx migrate-v2 rollout --config ${config}`, exitCodes.done.code);
    await run(`npx migrate-v2 rollout release bolt --config ${config}`, exitCodes.done.code);
    await passTo(sunset - 5.5 * hourInMs);
    await proxy.logged('rollout_released');
    console.log(`\n   ${await call('Bolt')}`);

    await passTo(brownoutAt + minuteInMs);
    tell('Brown out: for ten minutes, whoever has no workspace is refused', await call('Dora'), await call('Acme'));
    await passTo(brownoutAt + 15 * minuteInMs);
    console.log(`   Afterwards: ${await call('Dora')}`);
    await report();

    configure({ workspaces: [...three, ...known('Dora')], rules: [...moved, rest], mappings: example.mappings });
    await proxy.close();
    proxy = await startTourProxy(config, service, clock);
    await passTo(sunset - minuteInMs);
    tell('Dora gets a name, and is still on v1 when midnight comes', await call('Dora'));
    await passTo(sunset + minuteInMs);
    tell('The change-over: v1 is switched off, and no client sees it', await call(...everybody, 'Dora'));
    await proxy.logged('rollout_changed_over');

    await passTo(sunset + hourInMs);
    tell('Then the clients themselves move to v2, and nobody calls v1 any more. The clock is turned to today');
    await proxy.waitUntil(Date.now());
    // Once more: a proxy whose clock stands still gives no sign of life.
    await proxy.waitUntil(Date.now());
    await run(`npx migrate-v2 report --config ${config} --since ${iso(start)} --check`, exitCodes.done.code);
  } finally {
    await proxy.close();
  }
}

const started = performance.now();
try {
  await goTheWholeRoad();
  console.log(`\nThat was the whole road, in ${Math.round((performance.now() - started) / 1_000)} s.`);
} catch (error) {
  console.error(`\nThe tour ends here. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCodes.failed.code;
}
