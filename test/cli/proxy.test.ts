import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listening, type Running } from '../helpers/process.ts';
import { paste, run, serve, useCommandLine } from './run.ts';
import { needs } from '../helpers/tools.ts';

const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
const withSandbox = (...args: readonly string[]): Running => serve(['proxy', '--sandbox', ...free, ...args]);

describe('with --sandbox, a process', () => {
  let running: Running;
  beforeAll(async () => {
    running = withSandbox();
    await running.line(/\/clock\/advance/, 'stderr');
  });
  afterAll(() => running[Symbol.asyncDispose]());

  test('says in its first line where it listens, as JSON', async () => {
    const { url, adminUrl } = await listening(running);
    expect(JSON.parse(running.stdout[0] ?? '')).toEqual({ level: 30, time: expect.any(Number), msg: 'listening', url, adminUrl });
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
  });

  test('prints the address of its sandbox and its keys, and no usage page where nothing is recorded', async () => {
    const [sandbox = ''] = /http:\S+(?=:$)/.exec(await running.line(/^The sandbox/, 'stderr')) ?? [];
    const key = (await running.line(/read only/, 'stderr')).replace(/.* /, '');
    expect((await fetch(`${sandbox}/v2/contacts`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
    expect(running.stderr.filter((line) => line.endsWith('/usage'))).toEqual([]);
  });

  test('writes the line of a call as JSON with a level and a time, as every other line', async () => {
    const { url } = await listening(running);
    await fetch(`${url}/v1/contacts`, { headers: { 'user-agent': 'say "hi"\\' } });
    const line = JSON.parse(await running.line(/deprecated_use/));
    expect(line).toMatchObject({ level: 30, endpoint: 'GET /v1/contacts', status: 401, client: expect.stringMatching(/^other-/) });
    expect(Math.abs(Date.now() - line.time)).toBeLessThan(60_000);
  });

  test('prints commands for pasting, and every one works', needs('curl'), async () => {
    expect(await paste(running)).toEqual([
      '/v1/messages/send 200',
      '/v1/contacts 200',
      '/v2/messages/send 200',
      '/v2/contacts 200',
      '/workspaces/demo/inbound 202',
      '/clock/advance 200',
    ]);
  });
});

describe('with --sandbox', () => {
  test('the line that says where it listens comes before the warning that v1 is past its sunset', async () => {
    await using running = withSandbox('--assume', 'sunsetAt=2026-07-01T00:00:00Z');
    await running.line(/sunset_passed/);
    expect(running.stdout.slice(0, 2)).toEqual([expect.stringContaining('"msg":"listening"'), expect.stringContaining('sunset_passed')]);
  });

  test('a translated call is one readable line in pretty format', needs('curl'), async () => {
    await using running = withSandbox('--log-format', 'pretty');
    await running.line(/\/v1\/contacts/, 'stderr');
    await paste(running);
    expect(await running.line(/send/)).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: POST \/v1\/messages\/send -> 200 translated in \d+\.\d ms \(key \S+…, curl\/\S+\)$/,
    );
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0 and nothing of the log is lost', async (signal) => {
    await using running = withSandbox();
    const { url } = await listening(running);
    const closed = once(running.child, 'close');
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/v1/contacts`).then((answer) => answer.text())));
    expect(await running.stop(signal)).toBe(0);
    await closed;
    expect(running.stdout.filter((line) => line.includes('deprecated_use'))).toHaveLength(50);
  });

  test('an address in use ends it although the sandbox already listens', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const taken = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { code, stderr } = await run(['proxy', '--sandbox', '--listen', taken, '--admin', '0']);
    other.close();
    expect(code).toBe(4);
    expect(stderr).toBe(`migrate-v2: --listen: ${taken} is in use by another process; choose another address, or port 0 for a free one\n`);
  });
});

describe('the admin listener', () => {
  const startedOn = async (admin: string, ...args: readonly string[]): Promise<readonly string[]> => {
    await using running = serve(['proxy', '--sandbox', '--listen', '127.0.0.1:0', '--store', 'none', '--admin', admin, ...args]);
    // What is printed for pasting comes last.
    await running.line(/\/v1\/contacts/, 'stderr');
    const closed = once(running.child, 'close');
    await running.stop('SIGTERM');
    await closed;
    return running.stdout.filter((line) => line.includes('admin_open'));
  };

  test('on an address that others reach, without a token, is warned of', async () => {
    const lines = await startedOn('0.0.0.0:0');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        event: 'admin_open',
        msg: expect.stringMatching(/^Whoever reaches http:\/\/0\.0\.0\.0:\d+ sees .*owners and contacts.*; set --admin-token/),
      },
    ]);
  });

  test.each([
    ['on an address that others reach, with a token', '0.0.0.0:0', ['--admin-token', 'a token of the test']],
    ['on this machine alone', '127.0.0.2:0', []],
  ])('%s is not', async (_name, admin, args) => {
    expect(await startedOn(admin, ...args)).toEqual([]);
  });
});

describe('trusted proxies', () => {
  const warningsOf = async (networks: string): Promise<readonly unknown[]> => {
    const args = ['--listen', '127.0.0.1:0', '--admin', '0', '--store', 'none', '--trusted-proxies', networks];
    await using running = serve(['proxy', '--sandbox', ...args]);
    await running.line(/\/v1\/contacts/, 'stderr');
    const closed = once(running.child, 'close');
    await running.stop('SIGTERM');
    await closed;
    return running.stdout.filter((line) => line.includes('trusted_proxies_wide')).map((line): unknown => JSON.parse(line));
  };

  test.each(['0.0.0.0/0', '10.0.0.0/8,::/0'])('that are everybody are warned of: %s', async (networks) => {
    expect(await warningsOf(networks)).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        event: 'trusted_proxies_wide',
        networks: [expect.stringMatching(/\/0$/)],
        msg: expect.stringMatching(/^--trusted-proxies .*any client can say/),
      },
    ]);
  });

  test('in private networks are not', async () => {
    expect(await warningsOf('10.0.0.0/8,fc00::/7,127.0.0.1,::1')).toEqual([]);
  });
});

describe('with --v2-base', () => {
  let folder: string;
  const calls: IncomingMessage[] = [];
  const v2 = createServer((req, res) => {
    calls.push(req);
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'proxy-'));
    await once(v2.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    v2.close();
    await rm(folder, { recursive: true });
  });

  test('base address, key map and tables of the configuration file reach the proxy', async () => {
    const address = v2.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const config = {
      v2Base: `http://127.0.0.1:${address.port}/base`,
      keyMap: 'keys.json',
      queryRenames: { listContacts: { limit: 'perPage' } },
    };
    await writeFile(join(folder, 'migrate-v2.config.json'), JSON.stringify(config));
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [{ v1: 'the-v1-key', v2: 'the-v2-key' }] }));
    await using running = serve(['proxy', ...free], { cwd: folder });
    const { url } = await listening(running);
    const answer = await fetch(`${url}/v1/contacts?limit=5`, { headers: { 'x-api-key': 'the-v1-key' } });
    expect(answer.status).toBe(200);
    expect(calls.at(-1)).toMatchObject({ url: '/base/v2/contacts?perPage=5', headers: { authorization: 'Bearer the-v2-key' } });
    expect(running.stderr).toEqual([]);
  });
});

describe('what is missing is named in one line, with exit code 4', () => {
  const run = useCommandLine();
  test.each([
    ['a key map', ['--key-map', 'nowhere.json'], /^migrate-v2: Key map .*nowhere\.json.*\n$/],
    ['authorities', ['--v2-ca', 'nowhere.pem'], /^migrate-v2: --v2-ca: cannot read .*nowhere\.pem.*\n$/],
    ['a certificate', ['--tls-cert', 'nowhere.pem', '--tls-key', 'nowhere.pem'], /^migrate-v2: .*nowhere\.pem.*\n$/],
  ])('%s', async (_name, args, line) => {
    const { code, stdout, stderr } = await run(['proxy', '--v2-base', 'http://127.0.0.1:9', ...free, ...args]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(line);
  });
});
