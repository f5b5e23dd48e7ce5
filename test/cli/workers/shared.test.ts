/** What is one for all workers, as it is with one process: the hour of v2, the road, what may be used again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startUpstream } from '../../helpers/proxy.ts';
import { connectRaw, type RawConnection } from '../../helpers/raw.ts';
import { serveWorkers } from './serving.ts';

const ok = { 'Content-Type': 'application/json' };
const head = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ak_acme_0123456789\r\nContent-Type: application/json\r\n`;
const get = (path = '/v1/contacts'): string => `${head('GET', path)}\r\n`;
const post = (body: object): string => {
  const text = JSON.stringify(body);
  return `${head('POST', '/v1/contacts')}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const workspaces = [{ name: 'Acme', plan: 'Free', keys: ['ak_acme_'] }];

function folderWith(config: object): string {
  const made = mkdtempSync(join(tmpdir(), 'migrate-v2-workers-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  writeFileSync(join(made, 'migrate-v2.config.json'), JSON.stringify(config));
  return made;
}

/** A connection to each worker: they are dealt in turn. */
async function eachOf(port: number): Promise<[RawConnection, RawConnection]> {
  const clients = [await connectRaw(port), await connectRaw(port)] as const;
  onTestFinished(() => clients.forEach(({ socket }) => socket.destroy()));
  return [...clients];
}

const hourNow = (): number => Math.floor(Date.now() / 3_600_000);

async function ask(client: RawConnection, request: string): Promise<{ status: number; body: string }> {
  client.write(request);
  const { status, body } = await client.readAnswer();
  return { status, body: body.toString() };
}

test.each([{ store: 'usage.db' }, { store: 'none' }])(
  'workers with --store $store send v2 what an hour allows, and not one call more, also where one is killed',
  async ({ store }) => {
    const cwd = folderWith({ workspaces, budget: { reserve: 0, coalesce: false } });
    let seen = 0;
    await using v2 = await startUpstream((_req, res) => {
      seen++;
      res.writeHead(200, ok).end('{}');
    });
    await using proxy = await serveWorkers(['--v2-base', v2.url, '--store', store], cwd);
    const clients = await eachOf(proxy.port);
    const statuses: number[] = [];
    const hour = hourNow();
    for (let calls = 0; calls < 30; calls++) for (const client of clients) statuses.push((await ask(client, get())).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const [pid = 0] = proxy.pids();
    process.kill(pid, 'SIGKILL');
    await proxy.running.line(/"worker_started"/);
    // More than are left, also where a busy machine takes the ten seconds after which the share of the killed one is given to others.
    for (let calls = 0; calls < 60; calls++) {
      const [client] = await eachOf(proxy.port);
      statuses.push((await ask(client, get())).status);
    }
    expect(seen).toBe(statuses.filter((status) => status === 200).length);
    // v2's hour is the clock's: where it turns meanwhile, there are two of them.
    const hours = hourNow() - hour + 1;
    expect(seen).toBeLessThanOrEqual(100 * hours);
    // Of what is left, the share of the one that was killed is kept for ten seconds.
    expect(seen).toBeGreaterThan(60);
    expect(hours > 1 || statuses.includes(429)).toBe(true);
  },
);

test('an answer that may be used again is dropped in all workers when one of them writes', async () => {
  const cwd = folderWith({ workspaces, budget: { reuse: { listContacts: '10m' } } });
  let version = 0;
  await using v2 = await startUpstream((req, res) => {
    if (req.method === 'POST') version++;
    req.resume().on('end', () => void res.writeHead(200, ok).end(JSON.stringify({ version })));
  });
  await using proxy = await serveWorkers(['--v2-base', v2.url], cwd);
  const [one, other] = await eachOf(proxy.port);
  const isReused = async (): Promise<boolean> => {
    const before = await ask(other, get());
    one.write(get());
    const answer = await one.readAnswer();
    return before.status === 200 && answer.values('x-migrate-v2-reused').length > 0;
  };
  await expect.poll(isReused).toBe(true);
  expect(await ask(other, get())).toMatchObject({ body: '{"version":0}' });
  await ask(one, post({ name: 'A', phone: '+491700000001' }));
  await expect.poll(() => ask(other, get())).toMatchObject({ body: '{"version":1}' });
});

const rollout = (rules: readonly object[]) => ({ workspaces, rollout: { rules } });

test('a guard counts the calls of all workers, and all of them heed it', async () => {
  const cwd = folderWith(rollout([{ name: 'acme', stage: 'translate', fallback: { errors: '5%', over: '5m', atLeast: 20 } }]));
  await using v1 = await startUpstream((_req, res) => void res.writeHead(200, ok).end('"v1"'));
  let failed = 0;
  await using v2 = await startUpstream((_req, res) => {
    failed++;
    res.writeHead(500, ok).end('{}');
  });
  await using proxy = await serveWorkers(['--v1-base', v1.url, '--v2-base', v2.url, '--hash-secret', 'test'], cwd);
  const clients = await eachOf(proxy.port);
  for (let calls = 0; calls < 10; calls++) for (const client of clients) await ask(client, get());
  expect(failed).toBeLessThanOrEqual(20);
  await proxy.running.line(/"rollout_tripped"/);
  for (const client of clients) await expect.poll(async () => (await ask(client, get())).body).toBe('"v1"');
  expect(proxy.running.stdout.filter((line) => line.includes('"rollout_tripped"'))).toHaveLength(1);
});

test('stopping the roll-out holds in all workers once the admin listener has answered', async () => {
  const cwd = folderWith(rollout([{ name: 'all', stage: 'translate' }]));
  await using v1 = await startUpstream((_req, res) => void res.writeHead(200, ok).end('"v1"'));
  await using v2 = await startUpstream((_req, res) => void res.writeHead(200, ok).end('"v2"'));
  const args = ['--v1-base', v1.url, '--v2-base', v2.url, '--hash-secret', 'test', '--admin-token', 'a-token-of-the-test'];
  await using proxy = await serveWorkers(args, cwd);
  const clients = await eachOf(proxy.port);
  const bodies = async (): Promise<string[]> => [(await ask(clients[0], get())).body, (await ask(clients[1], get())).body];
  expect(await bodies()).toEqual(['"v2"', '"v2"']);
  const headers = { Authorization: 'Bearer a-token-of-the-test' };
  expect((await fetch(`${proxy.adminUrl}/rollout/stop`, { method: 'POST', headers })).status).toBe(200);
  expect(await bodies()).toEqual(['"v1"', '"v1"']);
  const live: unknown = await (await fetch(`${proxy.adminUrl}/rollout.json`, { headers })).json();
  expect(JSON.stringify(live)).toContain('stopped');
});
