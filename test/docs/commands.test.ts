/** Runs what README.md tells people to run, in a fresh copy of the project, and compares what it says they will see. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyMap } from '../../proxy/keys/key-map.ts';
import { compileMappings } from '../../proxy/mappings.ts';
import { loadSettings } from '../../src/config/load.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { listenSandbox } from '../../src/sandbox/server.ts';
import { projectRoot } from '../helpers/build.ts';
import { type Running, cleanEnvironment, start } from '../helpers/process.ts';
import { LogLines } from '../helpers/proxy.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const fenced = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text);
const [startCommand, sendCommand, testCommand, proxyCommand, listCommand, metricsCommand, sandboxCommand, ...others] = fenced(
  'console',
).map((text) => {
  const [, command = '', output = ''] = /^\$ (.*)\n([^]*)$/.exec(text) ?? [];
  return { command, output };
});

/** What the document says, as a pattern: `…` stands for anything. */
function pattern(expected: string): RegExp {
  const escaped = expected
    .trim()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\n/g, '\\r?\\n'));
  return new RegExp(`^${escaped.join('[^]*?')}$`);
}

const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-readme-'));
// Not the synchronous kind: some of what the commands call is served by this very process.
const run = async (command: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', command], { cwd: folder, env: cleanEnvironment() })).stdout.trim();
const freePorts = { MIGRATE_V2_LISTEN: '127.0.0.1:0', MIGRATE_V2_ADMIN: '127.0.0.1:0' };
const placeholder = 'https://api.example.com';

/** Starts a command of the document that goes on running; gives the addresses in its line that says where it listens. */
async function serve(
  command: string,
  env: Record<string, string> = {},
): Promise<{ running: Running; line: string; url: string; adminUrl: string }> {
  const running = start('bash', ['-c', `exec ${command}`.replace('exec npm ci && ', 'npm ci && exec ')], { cwd: folder, env });
  const line = await running.line(/listening/);
  const [url = '', adminUrl = ''] = line.match(/http:\/\/[\d.]+:\d+/g) ?? [];
  return { running, line, url, adminUrl };
}

describe('what README.md tells people to run', () => {
  beforeAll(() => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    for (const file of files.split('\0').filter(Boolean)) cpSync(join(projectRoot, file), join(folder, file), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is all run here', () => {
    expect(others).toEqual([]);
    expect(sandboxCommand?.command).toBe('npx migrate-v2 sandbox');
  });

  it('installs and runs the main job with one command, and a pasted call comes back right', async () => {
    const { running, url } = await serve(startCommand?.command ?? '', { ...freePorts, MIGRATE_V2_LOG_FORMAT: 'pretty' });
    await using _stopped = running;
    expect(await running.line(/curl -X POST/, 'stderr')).toContain(`curl -X POST ${url}/v1/messages/send`);
    expect(await run((sendCommand?.command ?? '').replace('http://127.0.0.1:8080', url))).toMatch(pattern(sendCommand?.output ?? ''));
    expect(await running.line(/messages\/send ->/)).toMatch(pattern(fenced('text')[0] ?? ''));
  }, 120_000);

  it('names the test command that .ci/run runs', () => {
    expect(testCommand?.command).toBe('npm ci && npm test');
    const ci = readFileSync(join(projectRoot, '.ci/run'), 'utf8');
    expect(ci).toMatch(/^npm ci/m);
    expect(ci).toMatch(/^npm test/m);
  });

  it('puts the proxy in front of a real v2 in three steps', async () => {
    const free = { host: '127.0.0.1', port: 0 };
    const v2 = await listenSandbox(createSandbox(), { listen: free, admin: free });
    const command = (proxyCommand?.command ?? '').replace(placeholder, v2.url).replace('127.0.0.1:8080', '127.0.0.1:0');
    const { running, line, url, adminUrl } = await serve(command, { MIGRATE_V2_ADMIN: '127.0.0.1:0' });
    await using _stopped = running;
    const here = (text = ''): string =>
      text.replaceAll('http://127.0.0.1:8080', url).replaceAll('http://127.0.0.1:8081', adminUrl).replaceAll(placeholder, v2.url);
    expect(line).toMatch(pattern(here(proxyCommand?.output)));
    expect(await run(here(listCommand?.command))).toMatch(pattern(here(listCommand?.output)));
    expect(await run(here(metricsCommand?.command))).toMatch(pattern(here(metricsCommand?.output)));
    await running.stop();
    await v2.close();
  });

  it('serves the sandbox', async () => {
    const { running, line, url, adminUrl } = await serve(sandboxCommand?.command ?? '', freePorts);
    await using _stopped = running;
    const expected = sandboxCommand?.output.replace('http://127.0.0.1:9000', url).replace('http://127.0.0.1:9001', adminUrl);
    expect(line).toMatch(pattern(expected ?? ''));
    expect(await running.line(/ak_/, 'stderr')).toContain('ak_');
  });

  it('serves as a library', async () => {
    const free = { host: '127.0.0.1', port: 0 };
    const v2 = await listenSandbox(createSandbox(), { listen: free, admin: free });
    const script = (fenced('ts')[0] ?? '')
      .replace(placeholder, v2.url)
      .replace(/listen\(8080, '127.0.0.1'\)/, "listen(0, '127.0.0.1', function () { console.log(this.address().port); })");
    writeFileSync(join(folder, 'example.mjs'), script);
    await using running = start(process.execPath, ['example.mjs'], { cwd: folder });
    const port = await running.line(/^\d+$/);
    expect((await fetch(`http://127.0.0.1:${port}/v1/messages`)).status).toBe(401);
    await running.stop();
    await v2.close();
  });

  it('shows a key map and a configuration that the proxy takes', async () => {
    const [keys = '', config = ''] = fenced('yaml');
    writeFileSync(join(folder, 'keys.yaml'), keys);
    process.env['ACME_V2_KEY'] = 'v2-key';
    const map = await openKeyMap(join(folder, 'keys.yaml'), { logger: new LogLines().logger });
    map.close();
    writeFileSync(join(folder, 'documented.yaml'), config);
    const settings = await loadSettings('proxy', { flags: { config: 'documented.yaml', 'v2-base': placeholder }, env: {}, cwd: folder });
    expect(compileMappings(settings.mappings).of('sendMessage')).toBeDefined();
    expect(settings.queryRenames).toEqual({ listContacts: { page: 'pageNumber' } });
  });
});
