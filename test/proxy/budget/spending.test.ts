/** The budget on the way of calls: what is refused here, what waits, and that all of what v2 is sent is counted. */
import { once } from 'node:events';
import { type RequestListener, request } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type KeyMap, openKeyMap } from '../../../proxy/keys/key-map.ts';
import { type Budget, usualBudget } from '../../../src/budget/policy.ts';
import type { Assumptions } from '../../../src/contract/assumptions.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { Workspace } from '../../../src/usage/workspaces.ts';
import { startRecordingUpstream, startTestProxy } from '../../helpers/proxy.ts';
import { connectRaw } from '../../helpers/raw.ts';

const acme: Workspace = { name: 'Acme', plan: 'Free', keys: ['ak_acme_'] };
const key = 'ak_acme_0123456789';
const at = Date.parse('2026-08-01T12:20:00Z');

interface Given {
  readonly budget?: Partial<Budget>;
  readonly workspaces?: readonly Workspace[];
  readonly answer?: RequestListener;
  readonly drainTimeout?: number;
  readonly keyMap?: KeyMap;
  readonly assume?: Partial<Assumptions>;
}

/** A proxy before a v2 that counts, and a clock that stands unless it is set. */
async function start({ budget = {}, workspaces = [acme], answer, drainTimeout = 1, assume = {}, keyMap }: Given = {}) {
  const v2 = await startRecordingUpstream(answer);
  const clock = { now: at };
  const proxy = await startTestProxy(v2.url, {
    budget: { ...usualBudget, ...budget },
    workspaces,
    now: () => clock.now,
    drainTimeout,
    assume,
    keyMap,
  });
  const call = async (method: string, path: string, headers: Record<string, string> = { 'x-api-key': key }, signal?: AbortSignal) => {
    const body = method === 'POST' ? '{"name":"A","phone":"+15550001","email":"a@example.com"}' : undefined;
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const answered = await fetch(proxy.url + path, {
      method,
      headers: { ...headers, ...type },
      ...(body && { body }),
      ...(signal && { signal }),
    });
    return { status: answered.status, headers: answered.headers, body: await answered.text() };
  };
  const times = async (count: number, ...of: Parameters<typeof call>) => {
    const statuses: number[] = [];
    for (let made = 0; made < count; made++) statuses.push((await call(...of)).status);
    return statuses;
  };
  const dispose = async (): Promise<void> => {
    await proxy.drain();
    await v2[Symbol.asyncDispose]();
  };
  return { v2, proxy, clock, call, times, [Symbol.asyncDispose]: dispose };
}

const count = (statuses: readonly number[], status: number): number => statuses.filter((each) => each === status).length;
const contacts = ['GET', '/v1/contacts'] as const;
const sending = ['POST', '/v1/campaigns'] as const;

describe('the hour of a workspace whose plan is known', () => {
  test('is kept for writes by half: reads get the 429 of v1 before, with the time until which that is so', async () => {
    await using road = await start();
    expect(count(await road.times(60, ...contacts), 200)).toBe(50);
    const refused = await road.call(...contacts);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'API_KEY_RATE_LIMITED']);
    // Minute 50 begins to give out what was kept: 30 minutes and some seconds from now.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_800);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThan(1_830);
    expect(refused.headers.get('deprecation')).not.toBeNull();
    expect(count(await road.times(50, ...sending), 200)).toBe(50);
    expect(road.v2.seen).toHaveLength(100);
  });

  test('that is used up costs nothing more: the proxy answers itself until it begins anew', async () => {
    await using road = await start();
    await road.times(100, ...sending);
    const refused = await road.call(...sending);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(40 * 60)]);
    expect(road.v2.seen).toHaveLength(100);
    expect(road.proxy.log.lines.findLast(({ status }) => status === 429)).toMatchObject({ code: 'PROXY_HOUR_USED_UP', outcome: 'local' });
    road.clock.now = at + 45 * 60_000;
    expect((await road.call(...sending)).status).toBe(200);
  });

  test('is shared by its keys, and by calls to v2 that pass', async () => {
    await using road = await start({ budget: { reserve: 0 } });
    await road.times(40, ...contacts);
    await road.times(40, 'GET', '/v2/contacts', { authorization: 'Bearer ak_acme_another' });
    await road.times(20, ...contacts, { 'x-api-key': 'ak_acme_third' });
    const passed = await road.call('GET', '/v2/contacts', { authorization: `Bearer ${key}` });
    expect([passed.status, JSON.parse(passed.body).code, passed.headers.get('retry-after')]).toEqual([429, 'PROXY_HOUR_USED_UP', '2400']);
    expect([(await road.call(...contacts)).status, road.v2.seen.length]).toEqual([429, 100]);
  });

  test('is that of a client which has moved in part, by the key map: before it has shown its v1 key, too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'budget-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'keys.json');
    await writeFile(file, JSON.stringify({ keys: [{ v1: key, v2: 'sk_new_0123456789' }] }));
    const keyMap = await openKeyMap(file, { logger: pino({ enabled: false }) });
    await using road = await start({ budget: { limit: 10 }, keyMap });
    for (const separator of [' ', '\t'])
      await road.times(4, 'GET', '/v2/contacts', { authorization: `Bearer${separator}sk_new_0123456789` });
    expect(road.proxy.hours()).toMatchObject([{ workspace: 'Acme', used: 5 }]);
    expect(count(await road.times(6, ...sending), 200)).toBe(5);
  });

  test('counts the look-ups of a contact that exists already', async () => {
    const answer: RequestListener = (req, res) => {
      const status = req.method === 'POST' ? 409 : 200;
      res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"success":false,"error":"exists"}');
    };
    await using road = await start({ budget: { reserve: 0, limit: 10 }, answer });
    await road.times(4, 'POST', '/v1/contacts');
    expect(road.v2.seen.length).toBe(10);
    expect((await road.call('POST', '/v1/contacts')).status).toBe(429);
  });

  test('counts WebSockets to v2', async () => {
    await using road = await start({ budget: { reserve: 0, limit: 1 } });
    await road.call(...contacts);
    const client = await connectRaw(road.proxy.port);
    client.write(
      `GET /v2/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    expect((await client.readAnswer()).status).toBe(429);
  });

  test('may be given otherwise than the plan says, and with other weights', async () => {
    await using road = await start({ budget: { limit: 20, reserve: 0.5, weights: { getContact: 1, createCampaign: 0 } } });
    expect(count(await road.times(20, ...contacts), 200)).toBe(10);
    expect(count(await road.times(5, ...sending), 200)).toBe(0);
    expect(count(await road.times(20, 'GET', '/v1/contacts/c_1'), 200)).toBe(10);
  });

  test.each([
    ['sliding', [0, 10]],
    ['bucket', [2, 8]],
    ['fixed', [10, 0]],
  ])('is the last sixty minutes, or a bucket, where that is assumed: %s', async (v2HourWindow, sent) => {
    await using road = await start({ budget: { limit: 10, reserve: 0 }, assume: { v2HourWindow } });
    road.clock.now = Date.parse('2026-08-01T12:50:00Z');
    await road.times(10, ...contacts);
    const between = (minutes: number): Promise<number[]> => {
      road.clock.now += minutes * 60_000;
      return road.times(12, ...contacts);
    };
    expect([count(await between(15), 200), count(await between(50), 200)]).toEqual(sent);
  });

  test('is counted and no more where the budget is off', async () => {
    await using road = await start({ budget: { enabled: false } });
    expect(count(await road.times(120, ...contacts), 200)).toBe(120);
    expect(await metricsOf(road.proxy.adminUrl)).toContain('migrate_v2_budget_left{workspace="Acme"} 0');
  });
});

describe('a call that costs v2 nothing costs the hour nothing', () => {
  test('as it was never sent: v2 was down', async () => {
    await using road = await start({ budget: { limit: 3, reserve: 0 } });
    await road.v2[Symbol.asyncDispose]();
    expect(await road.times(5, ...sending)).toEqual([502, 502, 502, 502, 502]);
    expect(road.proxy.hours()).toMatchObject([{ used: 0, sends: 0 }]);
  });

  test('as its key is none: whoever makes up keys of a workspace does not use its hour up', async () => {
    const answer: RequestListener = (req, res) => {
      const status = req.headers.authorization === `Bearer ${key}` ? 200 : 401;
      res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"success":true}');
    };
    await using road = await start({ budget: { limit: 3, reserve: 0 }, answer });
    for (let made = 0; made < 5; made++) expect((await road.call(...sending, { 'x-api-key': `ak_acme_${made}` })).status).toBe(401);
    expect(await road.times(4, ...sending)).toEqual([200, 200, 200, 429]);
  });
});

test('a key of no workspace is refused nothing: what its plan allows nobody knows', async () => {
  await using road = await start({ workspaces: [] });
  expect(count(await road.times(120, ...contacts), 200)).toBe(120);
});

const metricsOf = async (adminUrl: string): Promise<string> => (await fetch(`${adminUrl}/metrics`)).text();

test('metrics and log tell of it, once an hour for most of it and once for all of it', async () => {
  await using road = await start({ budget: { limit: 10, reserve: 0 } });
  await road.times(15, ...contacts);
  expect(road.proxy.log.of('budget_used').map(({ percent, workspace, limit }) => [percent, workspace, limit])).toEqual([
    [80, 'Acme', 10],
    [100, 'Acme', 10],
  ]);
  const metrics = await metricsOf(road.proxy.adminUrl);
  expect(metrics).toContain('migrate_v2_budget_refused_total{workspace="Acme",why="used up"} 5');
  expect(metrics).toContain('migrate_v2_budget_limit{workspace="Acme"} 10');
});

test('a client that asks first whether its body is wanted is not told to send it where the call is refused', async () => {
  await using road = await start({ budget: { limit: 1, reserve: 0 } });
  await road.call(...contacts);
  const client = await connectRaw(road.proxy.port);
  client.write(
    `POST /v1/campaigns HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect((await client.readAnswer()).status).toBe(429);
});

describe("v2's own word", () => {
  const limited =
    (...fields: string[][]): RequestListener =>
    (_req, res) => {
      const own = fields.length > 1 ? fields.shift() : fields[0];
      const status = own?.includes('Retry-After') === true ? 429 : 200;
      res.writeHead(status, ['Content-Type', 'application/json', ...(own ?? [])]).end('{"success":true}');
    };

  test('that it refuses is heeded: until then it is not asked, by nobody of the workspace', async () => {
    await using road = await start({ answer: limited(['Retry-After', '90'], []) });
    expect((await road.call(...contacts)).status).toBe(429);
    road.clock.now += 30_000;
    const refused = await road.call(...sending, { 'x-api-key': 'ak_acme_another' });
    expect([refused.status, refused.headers.get('retry-after'), road.v2.seen.length]).toEqual([429, '60', 1]);
    road.clock.now += 61_000;
    expect((await road.call(...sending)).status).toBe(200);
  });

  test('about a limit makes it known where nobody has said it', async () => {
    const said = ['RateLimit-Policy', '"hour";q=10;w=3600', 'RateLimit', '"hour";r=9;t=2400'];
    await using road = await start({ workspaces: [], answer: limited(said) });
    expect(count(await road.times(12, ...contacts), 200)).toBe(5);
    expect(count(await road.times(12, ...sending), 200)).toBe(5);
  });

  test('about more than the configuration says is the most changes nothing, and about less it stops reads alone', async () => {
    const said = (q: number): string[] => ['RateLimit-Policy', `"hour";q=${q};w=3600`, 'RateLimit', `"hour";r=${q};t=2400`];
    await using most = await start({ budget: { limit: 10, reserve: 0 }, answer: limited(said(1_000)) });
    expect(count(await most.times(15, ...sending), 200)).toBe(10);
    await using less = await start({ budget: { reserve: 0 }, answer: limited(said(2)) });
    expect(count(await less.times(5, ...contacts), 200)).toBe(2);
    expect(count(await less.times(5, ...sending), 200)).toBe(5);
  });

  test('about a day that is about to end is not taken for the hour', async () => {
    const day = ['X-RateLimit-Limit', '5000', 'X-RateLimit-Remaining', '4000', 'X-RateLimit-Reset', '2400'];
    await using road = await start({ budget: { reserve: 0 }, answer: limited(day) });
    expect(count(await road.times(105, ...contacts), 200)).toBe(100);
  });

  test('that it refuses for longer than an hour is heeded for an hour', async () => {
    await using road = await start({ answer: limited(['Retry-After', '7200'], []) });
    expect(await road.times(3, ...sending)).toEqual([429, 429, 429]);
    expect(road.v2.seen).toHaveLength(1);
    expect(await metricsOf(road.proxy.adminUrl)).toContain('migrate_v2_budget_refused_by_v2_total{workspace="Acme"} 1');
  });

  test('about a larger plan is heeded in the middle of the hour', async () => {
    const larger = ['RateLimit-Policy', '"hour";q=1000;w=3600', 'RateLimit', '"hour";r=940;t=2400'];
    await using road = await start({ budget: { reserve: 0 }, answer: limited(...Array.from({ length: 60 }, () => []), larger) });
    expect(count(await road.times(150, ...contacts), 200)).toBe(150);
  });
});

describe('a write that may wait', () => {
  const pace = { sends: 20_000, waiting: 3 };
  const nearTheEnd = Date.parse('2026-08-01T12:59:59.500Z');
  /** A proxy whose hour is used up and about to end, and a client whose sends arrive one by one. */
  async function startWaiting() {
    const road = await start({ budget: { limit: 2, reserve: 0, pace }, drainTimeout: 5_000 });
    road.clock.now = nearTheEnd - 10_000;
    await road.times(2, ...sending);
    road.clock.now = nearTheEnd;
    return road;
  }
  const waiting = async (adminUrl: string, expected: number): Promise<void> => {
    await expect.poll(() => metricsOf(adminUrl), { timeout: 10_000 }).toContain(`migrate_v2_budget_waiting ${expected}\n`);
  };

  test('is sent once there is a place, in the order in which its key asked', async () => {
    await using road = await startWaiting();
    const first = road.call('POST', '/v1/campaigns?n=1');
    await waiting(road.proxy.adminUrl, 1);
    const second = road.call('POST', '/v1/campaigns?n=2');
    await waiting(road.proxy.adminUrl, 2);
    expect(road.v2.seen).toHaveLength(2);
    road.clock.now = nearTheEnd + 10_000;
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(road.v2.seen.slice(2).map(({ url }) => url)).toEqual(['/v2/campaigns?n=1', '/v2/campaigns?n=2']);
    expect(await metricsOf(road.proxy.adminUrl)).toContain('migrate_v2_budget_waited_total 2');
  });

  test('was never sent where its client has left', async () => {
    await using road = await startWaiting();
    const leaves = new AbortController();
    const left = road.call(...sending, { 'x-api-key': key }, leaves.signal).catch(() => 'left');
    await waiting(road.proxy.adminUrl, 1);
    leaves.abort();
    expect(await left).toBe('left');
    await waiting(road.proxy.adminUrl, 0);
    road.clock.now = nearTheEnd + 10_000;
    expect((await road.call('POST', '/v1/campaigns?later')).status).toBe(200);
    expect(road.v2.seen.map(({ url }) => url)).toEqual(['/v2/campaigns', '/v2/campaigns', '/v2/campaigns?later']);
  });

  test('is answered with 503 and not sent where the proxy ends', async () => {
    await using road = await startWaiting();
    const waits = road.call(...sending);
    await waiting(road.proxy.adminUrl, 1);
    const drained = road.proxy.drain();
    const { status, body } = await waits;
    expect([status, JSON.parse(body).code]).toEqual([503, 'PROXY_DRAINING']);
    await drained;
    expect(road.v2.seen).toHaveLength(2);
  });

  test('is refused at once where as many wait as may, and told when there may be a place', async () => {
    await using road = await startWaiting();
    road.clock.now = nearTheEnd - 6_000;
    const waits = [1, 2, 3].map(() => road.call(...sending));
    await waiting(road.proxy.adminUrl, 3);
    const full = await road.call(...sending);
    // Once the hour is over, six seconds and a half from now.
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '7']);
    await road.proxy.drain();
    expect((await Promise.all(waits)).map(({ status }) => status)).toEqual([503, 503, 503]);
  });

  test.each([
    ['12:58:59Z', '61'],
    // The hour is over in its time, and not surely so before two seconds more.
    ['12:59:41Z', '19'],
  ])(
    'is refused at once where no place comes in its time, at %s',
    async (time, retryAfter) => {
      await using road = await startWaiting();
      road.clock.now = Date.parse(`2026-08-01T${time}`);
      const refused = await road.call(...sending);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, retryAfter]);
      expect(await metricsOf(road.proxy.adminUrl)).toContain('migrate_v2_budget_waiting 0\n');
      // One that waited in vain would do so for twenty seconds.
    },
    15_000,
  );
});

test('a call that is sent once more takes another place', async () => {
  let broken = 0;
  const answer: RequestListener = (req, res) => {
    if (req.url === '/v2/contacts/broken' && broken++ === 0) return void req.socket.destroy();
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true}');
  };
  await using road = await start({ budget: { limit: 3, reserve: 0 }, answer });
  expect(await road.times(1, 'GET', '/v1/contacts/broken')).toEqual([200]);
  expect([await road.times(2, ...contacts), broken]).toEqual([[200, 429], 2]);
});

test('before the sandbox, v2 itself never has to say no', async () => {
  const sandbox = createSandbox();
  const { url } = await sandbox.listen();
  await using proxy = await startTestProxy(url, {
    workspaces: [{ name: 'Demo', plan: 'Pro', keys: [sandbox.demo.readWriteKey] }],
    now: () => sandbox.clock.now(),
    budget: { ...usualBudget, limit: 40 },
  });
  const req = request(`${proxy.url}/v1/contacts`, { headers: { 'x-api-key': sandbox.demo.readWriteKey } }).end();
  const [res] = await once(req, 'response');
  res.resume();
  expect(res.statusCode).toBe(200);
  await sandbox.close();
});
