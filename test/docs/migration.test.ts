/** Follows MIGRATION.md with the example, command by command, and compares what it says one will see. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { bin, projectRoot } from '../helpers/build.ts';
import { cleanEnvironment, listening, start, untidy } from '../helpers/process.ts';
import { type Documented, pattern } from './document.ts';
import { guide } from './migration.ts';
import { needs } from '../helpers/tools.ts';

const root = mkdtempSync(join(tmpdir(), 'migrate-v2-guide-'));
const folder = join(root, 'legacy-client');
const quoted = (...parts: readonly string[]): string => parts.map((part) => `'${part}'`).join(' ');
/** The packages that the commands name, as they are here. Its tests run in one process: each of their files would start another. */
const packages = {
  'npx migrate-v2': quoted(process.execPath, untidy, bin),
  'npx vitest run': quoted(
    process.execPath,
    untidy,
    join(projectRoot, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--no-isolate',
    '--maxWorkers=1',
  ),
};
const documented = (part: string, values: Readonly<Record<string, string>> = {}): Documented => {
  const { command, output } = guide.documented(part, values);
  return { command: Object.entries(packages).reduce((so, [name, path]) => so.replaceAll(name, path), command), output };
};

/** Runs a command of the guide in the example's folder, and compares what it prints and how it ends. */
async function runs({ command, output }: Documented, code: number = exitCodes.done.code): Promise<void> {
  const env = cleanEnvironment({ NO_COLOR: '1' });
  const ended = await new Promise<{ readonly code: unknown; readonly seen: string }>((resolve) => {
    // As a terminal shows it: both streams, in their order.
    execFile('bash', ['-c', `(${command}) 2>&1`], { cwd: folder, env }, (error, seen) => resolve({ code: error?.code ?? 0, seen }));
  });
  expect(ended.seen.trim(), command).toMatch(pattern(output));
  expect(ended.code, command).toBe(code);
}

/** Starts a command of the guide that serves, on free ports. */
async function serve({ command, output }: Documented, env: Record<string, string> = {}) {
  const running = start('bash', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { MIGRATE_V2_LISTEN: '127.0.0.1:0', MIGRATE_V2_ADMIN: '127.0.0.1:0', ...env },
  });
  const { url, adminUrl } = await listening(running);
  const here = { 'http://127.0.0.1:9000': url, 'http://127.0.0.1:9001': adminUrl };
  const there = { 'http://127.0.0.1:8080': url, 'http://127.0.0.1:8081': adminUrl };
  const line = Object.entries({ ...here, ...there }).reduce((so, [from, to]) => so.replaceAll(from, to), output);
  expect(running.stdout[0]).toMatch(pattern(line));
  return { running, url, adminUrl, here, there };
}

const commit = (): void => {
  for (const args of [
    ['add', '--all'],
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'As it is'],
  ])
    execFileSync('git', args, { cwd: folder });
};

describe('MIGRATION.md', needs('bash', 'curl', 'git'), () => {
  beforeAll(() => {
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
    cpSync(join(projectRoot, 'examples/legacy-client'), folder, { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    commit();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('takes the example across, from the rehearsal to the day itself', async () => {
    // As in the guide the clock runs, and v1 is not yet switched off, whatever the day of this test.
    const sandbox = await serve(documented('migrate-v2 sandbox'), { MIGRATE_V2_CLOCK: '2026-11-20T12:00:00Z' });
    await using _sandbox = sandbox.running;
    await fetch(`${sandbox.adminUrl}/clock/resume`, { method: 'POST' });
    const tests = documented('npx vitest', sandbox.here);
    await runs(tests);

    // Without --v1-base nothing is written, and the exit code asks for it.
    await runs(documented('npx migrate-v2 .'), exitCodes.usage.code);
    await runs(documented('--diff'), exitCodes.remaining.code);
    await runs(documented('--explain'));
    await runs({ ...documented('--check'), output: '…' }, exitCodes.findings.code);
    await runs(documented('npx migrate-v2 . --v1-base https://api.example.com'), exitCodes.remaining.code);
    commit();
    await runs(documented('grep'));
    await runs({ ...documented('--check'), output: '…' }, exitCodes.findings.code);
    await runs(documented('git apply'));
    await runs(documented('--check'));

    await runs(documented('/clock/set', sandbox.here));
    expect((await fetch(`${sandbox.url}/v1/contacts`)).status).toBe(410);
    // Moved, and with what a person has done: legacy-client.test.ts runs them in between, too.
    await runs(tests);
  });

  it('rolls out by the proxy', async () => {
    const sandbox = await serve(documented('migrate-v2 sandbox'), { MIGRATE_V2_CLOCK: '2026-11-20T12:00:00Z' });
    await using _sandbox = sandbox.running;
    const start = documented('migrate-v2 proxy', { ...sandbox.here, ' --listen 127.0.0.1:8080': '' });
    const proxy = await serve(start, { MIGRATE_V2_STORE: '' });
    await using _proxy = proxy.running;
    // A client that has not been moved.
    await fetch(`${proxy.url}/v1/contacts`, { headers: { 'x-api-key': 'ak_78486f263949a38c3125c173' } });
    await runs(documented('/v2/contacts', proxy.there));
    const page = guide.text.match(/`(http:\S+\/usage)` in a browser/)?.[1] ?? '';
    // A call is in the record a moment after it is answered.
    await expect.poll(async () => (await fetch(page.replace('http://127.0.0.1:8081', proxy.adminUrl))).text()).toContain('ak_78486');
    const { command, output } = documented('migrate-v2 report');
    await runs({ command: `MIGRATE_V2_STORE= ${command}`, output });
    expect(await proxy.running.stop()).toBe(0);
  });

  it('has no other commands', () => {
    expect(guide.unasked()).toEqual([]);
  });
});
