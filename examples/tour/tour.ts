/**
 * The whole road, on real parts: a service, the proxy in front of it, an integration that speaks v1, the report, the codemods, the report again.
 * `npm run tour`; everything stays in the folder `tour`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';
import { TourClock } from './clock.ts';
import { startTourProxy } from './proxy.ts';
import { run } from './run.ts';

const folder = 'tour';
const config = `${folder}/migrate-v2.config.yaml`;
const client = `${folder}/legacy-client`;
const html = `${folder}/report.html`;

// It is safe to stop after two weeks without a call. They end today, so that the record can be looked at afterwards, too.
const dayOfTheCalls = Math.floor(Date.now() / dayInMs) * dayInMs - 15 * dayInMs;
const date = (at: number): string => new Date(at).toISOString().slice(0, 10);
const firstDay = date(dayOfTheCalls);
const nextDay = date(dayOfTheCalls + dayInMs);

let steps = 0;
function tell(title: string, ...lines: readonly string[]): void {
  console.log([`\n${++steps}. ${title}`, ...lines.map((line) => `   ${line}`)].join('\n'));
}

/** A copy of the integration, under git as the codemods want it. */
function copyClient(): void {
  cpSync('examples/legacy-client', client, { recursive: true, dereference: true });
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: client, stdio: ['ignore', 'ignore', 'inherit'] });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=Tour', '-c', 'user.email=tour@example.com', 'commit', '--quiet', '--message', 'As it was on v1');
}

const configuration = (key: string): string => `store: usage.db
# The integration is used every day: a verdict has to cover nothing that runs less than once a week.
rarestJob: 7d
workspaces:
  - name: Bistro
    keys: [${key.slice(0, 8)}]
    plan: Free
    owner: Ann
`;

/** An empty folder, in place of that of an earlier tour and of nothing else. */
function makeFolder(): void {
  if (existsSync(folder) && !existsSync(config)) throw new Error(`The folder ${folder} is there and of no earlier tour: move it away.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

async function goTheWholeRoad(): Promise<void> {
  makeFolder();
  await using sandbox = createSandbox();
  const { url: service } = await sandbox.listen();
  const key = sandbox.demo.readWriteKey;
  writeFileSync(config, configuration(key));
  copyClient();
  const proxy = await startTourProxy(config, service, new TourClock(dayOfTheCalls));
  const ownTests = `MESSAGING_API_URL=${proxy.url} MESSAGING_API_KEY=${key} npx vitest run --root ${client}`;
  const report = `npx migrate-v2 report --config ${config} --since ${firstDay}`;
  try {
    tell(
      'A service, and the proxy in front of it',
      `A sandbox is the service:  ${service}`,
      `The proxy records and translates what comes for v1:  ${proxy.url}`,
      `Its clock shows ${firstDay}, 15 days ago, and is turned as the tour goes on. Your own: npx migrate-v2 proxy --sandbox`,
    );

    await proxy.waitUntil(dayOfTheCalls + 9 * hourInMs);
    tell('At nine in the morning, an integration that speaks v1 is tested through the proxy');
    await run(ownTests, exitCodes.done.code);

    await proxy.waitUntil(dayOfTheCalls + dayInMs);
    tell('The next day: who still uses v1, and may it be switched off?');
    await run(`${report} --until ${nextDay} --check`, exitCodes.findings.code);

    // A call of v1 from here on would be too recent for the last report.
    await proxy.waitUntil(Date.now() - 13 * dayInMs);
    tell('The codemods move the integration, and leave one decision to a person', `What they did: git -C ${client} diff`);
    await run(`npx migrate-v2 ${client} --v1-base https://api.example.com`, exitCodes.remaining.code);

    tell('Its tests once more, through the same proxy: they pass, now on v2, which is handed through');
    await run(ownTests, exitCodes.done.code);

    await proxy.waitUntil(Date.now());
    tell('The clock is turned to today. The proxy went on recording, and nobody called v1');
    await run(`${report} --check`, exitCodes.done.code);

    // A proxy whose clock stands still gives no sign of life, and a report may take a busy machine longer than one is waited for.
    await proxy.waitUntil(Date.now());
    tell('The same as a page, to hand on');
    await run(`${report} --format html --out ${html}`, exitCodes.done.code);
  } finally {
    await proxy.close();
  }
}

const started = performance.now();
try {
  await goTheWholeRoad();
  console.log(`\nThat was the whole road, in ${Math.round((performance.now() - started) / 1_000)} s. Open ${html} in a browser.`);
} catch (error) {
  console.error(`\nThe tour ends here. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCodes.failed.code;
}
