/** Moves the example as its README says, with its own tests before and after, against one sandbox that keeps a record of the calls. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { openDocument, pattern } from '../docs/document.ts';
import { bin, projectRoot } from '../helpers/build.ts';
import { start, untidy } from '../helpers/process.ts';
import { type TestSandbox, startSandbox } from '../helpers/sandbox.ts';
import { needs } from '../helpers/tools.ts';

const readme = openDocument('examples/legacy-client/README.md');
const { command, output } = readme.documented('migrate-v2');
const root = mkdtempSync(join(tmpdir(), 'migrate-v2-legacy-'));
const folder = join(root, 'legacy-client');
const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');

let sandbox: TestSandbox;
/** The calls that the sandbox has answered since the last look, as `v1 GET`. */
const calls: string[] = [];
const record = (answer: unknown): void => {
  const { api, method } = answer as { readonly api: string; readonly method: string };
  calls.push(`${api} ${method}`);
};
const versionsCalled = (): string[] => [...new Set(calls.splice(0).map((call) => call.slice(0, 2)))];

interface Ended {
  readonly code: unknown;
  readonly output: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const env = { NO_COLOR: '1', MESSAGING_API_URL: sandbox.url, MESSAGING_API_KEY: sandbox.demo.readWriteKey };
  await using running = start(process.execPath, [untidy, ...args], { cwd: folder, env });
  const [code]: unknown[] = await once(running.child, 'close');
  return { code, output: [...running.stdout, ...running.stderr].join('\n') };
}

/** In one process: one for each of its four files would load the same. */
const ownTests = (): Promise<Ended> => run(vitest, 'run', '--no-isolate', '--maxWorkers=1');
/** The README's command, with this project's sources as the installed package. */
const migrate = (): Promise<Ended> => run(bin, ...command.split(' ').slice(2));
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const commit = (): void => {
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--allow-empty', '--message', 'As it is');
};

/** Every file, by its path. */
function tree(): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^(\.git|node_modules)\//.test(path));
  return Object.fromEntries(files.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

describe('examples/legacy-client', needs('bash', 'curl', 'git'), () => {
  let before: { readonly tests: Ended; readonly versions: string[] };
  let moved: { readonly run: Ended; readonly files: Record<string, string> };
  let after: { readonly tests: Ended; readonly versions: string[] };

  beforeAll(async () => {
    sandbox = await startSandbox();
    subscribe('migrate-v2:sandbox:answer', record);
    // Beside it and not in it, so that its folder holds nothing but what people would commit.
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
    cpSync(join(projectRoot, 'examples/legacy-client'), folder, { recursive: true });
    git('init', '--quiet');
    commit();
    before = { tests: await ownTests(), versions: versionsCalled() };
    moved = { run: await migrate(), files: tree() };
    after = { tests: await ownTests(), versions: versionsCalled() };
    commit();
  });

  afterAll(async () => {
    unsubscribe('migrate-v2:sandbox:answer', record);
    await sandbox.close();
    rmSync(root, { recursive: true });
  });

  it('passes its tests against v1 and calls nothing else', () => {
    expect(before.tests.output).toMatch(/Tests +13 passed \(13\)/);
    expect(before.versions).toEqual(['v1']);
  });

  it('is moved by the command of its README, which leaves one decision to a person', () => {
    expect(moved.run.output).toMatch(pattern(output));
    expect(moved.run.code).toBe(exitCodes.remaining.code);
  });

  it('passes its tests against v2 afterwards, and calls v1 no more', () => {
    expect(after.tests.output).toMatch(/Tests +13 passed \(13\)/);
    expect(after.versions).toEqual(['v2']);
  });

  it('speaks of v1 nowhere any more', () => {
    for (const [path, text] of Object.entries(moved.files)) expect(text, path).not.toMatch(/\/v1\b|x-api-key/i);
  });

  it('is not changed by a second run', async () => {
    const again = await migrate();
    expect(again.output).toContain('Nothing to change.');
    expect(tree()).toEqual(moved.files);
  });

  it('waits for the next hour once a person has done what is left', async () => {
    sandbox.reset();
    sandbox.dashboard.changeWorkspace('demo', { limits: { perHour: 1 } });
    const { data } = (await sandbox.call('POST /v2/messages/send', { json: { channel: 'SMS', to: '+15550100', content: 'Hi' } })).body as {
      readonly data: { readonly messageId: string };
    };
    const script = `
      import { waitForDelivery } from './src/poller.ts';
      console.log('waited', await waitForDelivery('${data.messageId}', 1, async (ms) => console.log(ms)));`;
    const asMoved = await run('--input-type=module', '--eval', script);
    expect(asMoved.code).not.toBe(0);
    expect(asMoved.output).toContain('429');

    const [diff = ''] = readme.fenced('diff');
    writeFileSync(join(root, 'poller.diff'), diff);
    git('apply', join(root, 'poller.diff'));
    expect((await run('--input-type=module', '--eval', script)).output).toMatch(/^3600000\n/);
    // Its own tests pass with that, too, as the test of MIGRATION.md shows, which ends with them.
  });

  it('has no other command in its README', () => {
    expect(readme.unasked()).toEqual([]);
  });
});
