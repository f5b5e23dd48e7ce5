import { describe, expect, test as base } from 'vitest';
import { assume } from '../../src/contract/assumptions.ts';
import { type Plan, plans } from '../../src/contract/plans.ts';
import { Limits, planLimits } from '../../src/sandbox/service/limits.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { Key } from '../../src/sandbox/store/keys.ts';
import type { CustomLimits, Workspace } from '../../src/sandbox/store/workspace.ts';
import { type CallOptions, type Reply, sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };
const rateLimited = { success: false, error: 'Rate limit exceeded', code: 'API_KEY_RATE_LIMITED' };

/** The demo workspace, with numbers of its own. */
function limit({ store, demo }: Pick<TestSandbox, 'store' | 'demo'>, limits: CustomLimits, plan?: Plan): Workspace {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('The demo workspace exists');
  workspace.limits = limits;
  if (plan !== undefined) workspace.plan = plan;
  return workspace;
}

/** A further read & write key, with its value. */
function addKey(
  { store }: Pick<TestSandbox, 'store'>,
  workspace: Workspace,
  perMinute?: number,
): { readonly key: Key; readonly value: string } {
  return store.keys.create(workspace, { name: 'Another', access: 'read-write', perMinute });
}

async function statuses(times: number, call: () => Promise<Reply>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push((await call()).status);
  return all;
}

/** What one call more is answered with. */
const next = async ({ call }: TestSandbox, version: string, options?: CallOptions): Promise<number> =>
  (await call(`GET ${version}/messages`, options)).status;

describe('api.md §8: calls a minute, v1', () => {
  test('§7 past the limit of the plan: 429 API_KEY_RATE_LIMITED, and nothing else in the body', async ({ sandbox }) => {
    limit(sandbox, { perMinute: 2 });
    expect(await statuses(2, () => sandbox.call('GET /v1/messages'))).toEqual([200, 200]);
    const { status, body, headers } = await sandbox.call('GET /v1/messages');
    expect([status, body, headers['content-type']]).toEqual([429, rateLimited, 'application/json; charset=utf-8']);
  });
  test('the minute is that of the clock: calls go in again at its first millisecond', async ({ sandbox }) => {
    limit(sandbox, { perMinute: 1 });
    await sandbox.clock.set(Date.parse('2026-08-01T12:00:59.998Z'));
    expect(await next(sandbox, '/v1')).toBe(200);
    await sandbox.clock.advance(1);
    expect(await next(sandbox, '/v1')).toBe(429);
    await sandbox.clock.advance(1);
    expect(await next(sandbox, '/v1')).toBe(200);
  });
  test.for([
    ['2026-08-01T12:00:00.000Z', '60'],
    ['2026-08-01T12:00:20.500Z', '40'],
    ['2026-08-01T12:00:59.999Z', '1'],
  ] as const)('at %s Retry-After is %s: whole seconds, never too few', async ([now, seconds], { sandbox }) => {
    limit(sandbox, { perMinute: 0 });
    await sandbox.clock.set(Date.parse(now));
    expect((await sandbox.call('GET /v1/messages')).headers['retry-after']).toBe(seconds);
  });
  test('each key has its own minute', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perMinute: 1 }));
    expect([await next(sandbox, '/v1'), await next(sandbox, '/v1'), await next(sandbox, '/v1', { key })]).toEqual([200, 429, 200]);
  });
  test('§2 the limit of the key counts where it is lower than the plan’s', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perMinute: 3 }), 1);
    expect(await statuses(2, () => sandbox.call('GET /v1/messages', { key }))).toEqual([200, 429]);
    expect(await statuses(4, () => sandbox.call('GET /v1/messages'))).toEqual([200, 200, 200, 429]);
  });
  test('§2 the limit of the key does not raise the plan’s ceiling', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perMinute: 1 }), 5);
    expect(await statuses(2, () => sandbox.call('GET /v1/messages', { key }))).toEqual([200, 429]);
  });
  test('another limit of a key counts from the next call on', async ({ sandbox }) => {
    const { key, value } = addKey(sandbox, limit(sandbox, {}), 1);
    const call = () => next(sandbox, '/v1', { key: value });
    expect([await call(), await call()]).toEqual([200, 429]);
    sandbox.store.keys.update(key, { perMinute: 2 });
    expect([await call(), await call()]).toEqual([200, 429]);
    sandbox.store.keys.update(key, { perMinute: null });
    expect(await call()).toBe(200);
  });
  test('a minute that is used up does not keep v2 from answering, nor does the key’s own limit', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perMinute: 1 }), 1);
    await next(sandbox, '/v1', { key });
    expect(await next(sandbox, '/v1', { key })).toBe(429);
    expect(await statuses(3, () => sandbox.call('GET /v2/messages', { key }))).toEqual([200, 200, 200]);
  });
});

describe('api.md §8: calls a day, v1', () => {
  test('§7 past the limit: API_DAILY_LIMIT with limit, resetAt, upgradeUrl, and Retry-After until 00:00 UTC', async ({ sandbox }) => {
    limit(sandbox, { perDay: 1 });
    await sandbox.clock.set(Date.parse('2026-08-01T22:30:00.001Z'));
    await next(sandbox, '/v1');
    const { status, text, headers } = await sandbox.call('GET /v1/messages');
    expect([status, headers['retry-after']]).toEqual([429, '5400']);
    expect(text).toBe(
      JSON.stringify({
        success: false,
        error: 'Daily API limit reached',
        code: 'API_DAILY_LIMIT',
        limit: 1,
        resetAt: '2026-08-02T00:00:00.000Z',
        upgradeUrl: '/settings/billing',
      }),
    );
  });
  test.for([
    ['2026-08-01T00:00:00.000Z', '86400', '2026-08-02T00:00:00.000Z'],
    ['2026-08-01T23:59:58.999Z', '2', '2026-08-02T00:00:00.000Z'],
    ['2026-08-01T23:59:59.999Z', '1', '2026-08-02T00:00:00.000Z'],
    ['2026-12-30T12:00:00.000Z', '43200', '2026-12-31T00:00:00.000Z'],
    ['2028-02-28T12:00:00.000Z', '43200', '2028-02-29T00:00:00.000Z'],
  ] as const)('at %s Retry-After is %s and resetAt %s', async ([now, seconds, resetAt]) => {
    const { store, demo, clock } = createSandbox({ clock: now });
    const { key } = addKey({ store }, limit({ store, demo }, { perDay: 0 }));
    expect(new Limits(clock, assume()).countV1(key)).toMatchObject({ retryAfter: Number(seconds), details: { resetAt } });
  });
  test('the workspace’s keys share the day', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perDay: 2 }));
    expect([await next(sandbox, '/v1'), await next(sandbox, '/v1', { key })]).toEqual([200, 200]);
    expect([await next(sandbox, '/v1'), await next(sandbox, '/v1', { key })]).toEqual([429, 429]);
  });
  test('another workspace has a day of its own', async ({ sandbox }) => {
    limit(sandbox, { perDay: 0 });
    const { value: key } = addKey(sandbox, sandbox.store.createWorkspace('Other', 'Free'));
    expect([await next(sandbox, '/v1'), await next(sandbox, '/v1', { key })]).toEqual([429, 200]);
  });
  test('it resets at 00:00 UTC, not a millisecond before', async ({ sandbox }) => {
    limit(sandbox, { perDay: 1 });
    await next(sandbox, '/v1');
    await sandbox.clock.set(Date.parse('2026-08-01T23:59:59.999Z'));
    expect(await next(sandbox, '/v1')).toBe(429);
    await sandbox.clock.advance(1);
    expect(await next(sandbox, '/v1')).toBe(200);
  });
  test('calls of v2 do not use it up, and it does not keep v2 from answering', async ({ sandbox }) => {
    limit(sandbox, { perDay: 1 });
    expect(await statuses(3, () => sandbox.call('GET /v2/messages'))).toEqual([200, 200, 200]);
    expect([await next(sandbox, '/v1'), await next(sandbox, '/v1'), await next(sandbox, '/v2')]).toEqual([200, 429, 200]);
  });
  test('with the minute used up too, the day is told: it lasts longer', async ({ sandbox }) => {
    limit(sandbox, { perDay: 1, perMinute: 1 });
    await next(sandbox, '/v1');
    expect((await sandbox.call('GET /v1/messages')).body).toMatchObject({ code: 'API_DAILY_LIMIT' });
  });
  test('calls past the minute’s limit do not use up the day', async ({ sandbox }) => {
    limit(sandbox, { perDay: 2, perMinute: 1 });
    expect(await statuses(5, () => sandbox.call('GET /v1/messages'))).toEqual([200, 429, 429, 429, 429]);
    await sandbox.clock.advance(60_000);
    expect(await next(sandbox, '/v1')).toBe(200);
  });

  describe('the open questions', () => {
    test.override({
      options: {
        assumptions: {
          dailyLimitStatus: 403,
          dailyLimitText: 'Enough',
          dailyLimitUpgradeUrl: '/plans',
          rateLimitedText: 'Slower',
          rateLimitRetryAfter: false,
        },
      },
    });
    test('status, text and upgradeUrl are as assumed; Retry-After is documented and stays', async ({ sandbox }) => {
      limit(sandbox, { perDay: 0 });
      const { status, body, headers } = await sandbox.call('GET /v1/messages');
      expect([status, headers['retry-after']]).toEqual([403, '43200']);
      expect(body).toMatchObject({ error: 'Enough', code: 'API_DAILY_LIMIT', upgradeUrl: '/plans' });
    });
    test('the minute’s and the hour’s 429 come without Retry-After where that is assumed', async ({ sandbox }) => {
      limit(sandbox, { perMinute: 0, perHour: 0 });
      for (const version of versions) {
        const { status, headers } = await sandbox.call(`GET ${version}/messages`);
        expect([status, headers['retry-after']]).toEqual([429, undefined]);
      }
      expect((await sandbox.call('GET /v1/messages')).body).toMatchObject({ error: 'Slower' });
    });
  });
});

describe('api.md §8: calls an hour, v2', () => {
  test('the plan Free allows 100 calls; the next is refused until the hour ends', async ({ sandbox }) => {
    limit(sandbox, {}, 'Free');
    const answers = await Promise.all(Array.from({ length: 100 }, () => next(sandbox, '/v2')));
    expect(new Set(answers)).toEqual(new Set([200]));
    const { status, body, headers } = await sandbox.call('GET /v2/messages');
    expect([status, body, headers['retry-after']]).toEqual([429, { success: false, error: 'Hourly rate limit exceeded' }, '3600']);
    await sandbox.clock.set(Date.parse('2026-08-01T12:59:59.999Z'));
    expect((await sandbox.call('GET /v2/messages')).headers['retry-after']).toBe('1');
    await sandbox.clock.advance(1);
    expect(await next(sandbox, '/v2')).toBe(200);
  });
  test('the workspace’s keys share the hour', async ({ sandbox }) => {
    const { value: key } = addKey(sandbox, limit(sandbox, { perHour: 2 }));
    expect([await next(sandbox, '/v2'), await next(sandbox, '/v2', { key }), await next(sandbox, '/v2')]).toEqual([200, 200, 429]);
  });
  test('calls of v1 do not use it up, and it does not keep v1 from answering', async ({ sandbox }) => {
    limit(sandbox, { perHour: 1 });
    expect(await statuses(3, () => sandbox.call('GET /v1/messages'))).toEqual([200, 200, 200]);
    expect([await next(sandbox, '/v2'), await next(sandbox, '/v2'), await next(sandbox, '/v1')]).toEqual([200, 429, 200]);
  });
  test('a larger plan counts from the next call on, and keeps what was used', async ({ sandbox }) => {
    const workspace = limit(sandbox, { perHour: 1 });
    expect(await statuses(2, () => sandbox.call('GET /v2/messages'))).toEqual([200, 429]);
    workspace.limits = { perHour: 2 };
    expect(await statuses(2, () => sandbox.call('GET /v2/messages'))).toEqual([200, 429]);
  });
});

describe('the numbers of the plans', () => {
  const published = { Free: 100, Pro: 1_000, Agency: 10_000 } as const;
  test.for(Object.entries(published))('§8 %s: %i v2 calls an hour, whatever is assumed', ([plan, perHour]) => {
    const assumptions = assume({ v2RequestsPerHourStarter: 1, v2RequestsPerHourGrowth: 1, v2RequestsPerHourEnterprise: 1 });
    expect(planLimits(plan as keyof typeof published, assumptions).perHour).toBe(perHour);
  });
  test.for(['Starter', 'Growth', 'Enterprise'] as const)('%s: the assumed number of v2 calls an hour', (plan) => {
    expect(planLimits(plan, assume({ [`v2RequestsPerHour${plan}`]: 7 })).perHour).toBe(7);
  });
  test.for(plans)('%s: the assumed numbers of v1 calls a minute and a day', (plan) => {
    const assumptions = assume({ [`v1RequestsPerMinute${plan}`]: 5, [`v1RequestsPerDay${plan}`]: 6 });
    expect(planLimits(plan, assumptions)).toMatchObject({ perMinute: 5, perDay: 6 });
  });
  test('§8 webhook endpoints: 2, 10, 30, 100, any number; Enterprise as assumed', () => {
    const endpoints = plans.map((plan) => planLimits(plan, assume()).webhookEndpoints);
    expect(endpoints).toEqual([2, 10, 30, 100, Infinity, Infinity]);
    expect(planLimits('Enterprise', assume({ webhookEndpointsEnterprise: 500 })).webhookEndpoints).toBe(500);
  });
  test('a workspace’s own numbers come before those of its plan, one by one', async ({ sandbox }) => {
    limit(sandbox, { perDay: 1 }, 'Free');
    expect(await statuses(2, () => sandbox.call('GET /v1/messages'))).toEqual([200, 429]);
    expect(await next(sandbox, '/v2')).toBe(200);
  });
});

/** However many calls come at once; half of them with a body, which is read after the call was counted. */
async function flood({ call }: TestSandbox, version: string, keys: readonly string[]): Promise<Record<number, number>> {
  const calls = Array.from({ length: 200 }, (_, i) => {
    const key = keys[i % keys.length] ?? '';
    return i % 2 === 0 ? call(`GET ${version}/messages`, { key }) : call(`POST ${version}/messages/send`, { key, json: message });
  });
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('200 calls at once on a limit of 50', () => {
  const expected = { 200: 50, 429: 150 };
  test('a key’s minute', async ({ sandbox }) => {
    limit(sandbox, { perMinute: 50 });
    expect(await flood(sandbox, '/v1', [sandbox.demo.readWriteKey])).toEqual(expected);
  });
  test.for([
    ['/v1', 'day', { perDay: 50 }],
    ['/v2', 'hour', { perHour: 50 }],
  ] as const)('%s: a workspace’s %s, over five keys', async ([version, _window, limits], { sandbox }) => {
    const workspace = limit(sandbox, limits);
    const keys = Array.from({ length: 5 }, () => addKey(sandbox, workspace).value);
    expect(await flood(sandbox, version, keys)).toEqual(expected);
  });
});

describe.each(versions)('what counts as a call, %s', (version) => {
  const contact = { json: { phone: '+491' } };
  const one: CustomLimits = { perDay: 1, perHour: 1 };
  type Row = readonly [name: string, status: number, call: string, options?: CallOptions | ((demo: TestSandbox['demo']) => CallOptions)];
  const send = async ({ call, demo }: TestSandbox, [, , endpoint, options]: Row): Promise<number> =>
    (await call(endpoint, typeof options === 'function' ? options(demo) : options)).status;

  const counted: readonly Row[] = [
    ['a success', 200, `GET ${version}/contacts`],
    ['HEAD', 200, `HEAD ${version}/contacts`],
    ['a body that is no JSON', 400, `POST ${version}/contacts`, { raw: '{', headers: ['Content-Type', 'application/json'] }],
    ['a body without Content-Type', 400, `POST ${version}/contacts`, { raw: '{}' }],
    ['a key without the permission', 403, `POST ${version}/contacts`, ({ readOnlyKey }) => ({ ...contact, key: readOnlyKey })],
    ['a record that is not there', 404, `GET ${version}/contacts/con_none`],
    ['an unaccepted field', 500, `POST ${version}/contacts`, { json: { phone: '1', nickname: 'x' } }],
  ];
  test.for(counted)('%s (%i) counts', async (row, { sandbox }) => {
    limit(sandbox, one);
    expect([await send(sandbox, row), await next(sandbox, version)]).toEqual([row[1], 429]);
  });

  const free: readonly Row[] = [
    ['no key', 401, `GET ${version}/contacts`, { key: null }],
    ['an unknown key', 401, `GET ${version}/contacts`, { key: 'ak_nobody' }],
    ['an expired key', 401, `GET ${version}/contacts`, ({ expiredKey }) => ({ key: expiredKey })],
    ['a deleted key', 401, `GET ${version}/contacts`, ({ deletedKey }) => ({ key: deletedKey })],
    ['a path that is not listed', 404, `GET ${version}/nothing`],
    ['a method that is not listed', 404, `PUT ${version}/messages`],
  ];
  test.for(free)('%s (%i) does not count', async (row, { sandbox }) => {
    limit(sandbox, one);
    expect([await send(sandbox, row), await next(sandbox, version)]).toEqual([row[1], 200]);
  });

  test('calls that a limit refuses do not count', async ({ sandbox }) => {
    const workspace = limit(sandbox, one);
    expect(await statuses(4, () => sandbox.call(`GET ${version}/messages`))).toEqual([200, 429, 429, 429]);
    workspace.limits = { perDay: 2, perHour: 2 };
    expect(await next(sandbox, version)).toBe(200);
  });
  test('a refused call changes nothing', async ({ sandbox }) => {
    const workspace = limit(sandbox, { perDay: 0, perHour: 0 });
    expect((await sandbox.call(`POST ${version}/contacts`, contact)).status).toBe(429);
    workspace.limits = {};
    expect((await sandbox.call(`GET ${version}/contacts`)).body).toMatchObject({ total: 0 });
  });
  test('the limit comes before access and body: a full window is told whatever else is wrong', async ({ sandbox }) => {
    limit(sandbox, { perDay: 0, perHour: 0 });
    const { status } = await sandbox.call(`POST ${version}/contacts`, { key: sandbox.demo.readOnlyKey, raw: '{' });
    expect(status).toBe(429);
  });
  test('past a limit HEAD is answered like GET, without the content', async ({ sandbox }) => {
    limit(sandbox, { perDay: 0, perHour: 0 });
    const get = await sandbox.call(`GET ${version}/messages`);
    const head = await sandbox.call(`HEAD ${version}/messages`);
    expect([head.status, head.text, head.headers['retry-after'], head.headers['content-length']]).toEqual([
      429,
      '',
      get.headers['retry-after'],
      String(get.text.length),
    ]);
  });
});

describe('the state of the limits', () => {
  const { store, demo, clock } = createSandbox({ clock: '2026-08-01T12:00:30Z' });
  const workspace = limit({ store, demo }, { perMinute: 2, perDay: 3, perHour: 1 });
  const { key } = addKey({ store }, workspace);

  test('limits made from it count on, after a trip through JSON', () => {
    const before = new Limits(clock, assume());
    expect([before.countV1(key), before.countV2(key)]).toEqual([undefined, undefined]);
    const after = new Limits(clock, assume(), JSON.parse(JSON.stringify(before.state())));
    expect(after.countV1(key)).toBeUndefined();
    expect([after.countV1(key)?.refused, after.countV2(key)?.refused]).toEqual(['rateLimited', 'hourlyLimit']);
    expect([after.used('minute', key.id), after.used('day', workspace.id), after.used('hour', workspace.id)]).toEqual([2, 2, 1]);
  });
  test('later calls do not change a state that was given out', () => {
    const limits = new Limits(clock, assume());
    limits.countV1(key);
    const state = limits.state();
    const copy = structuredClone(state);
    limits.countV1(key);
    new Limits(clock, assume(), state).countV1(key);
    expect(state).toEqual(copy);
  });
  test('to ask what is used leaves no trace in it', () => {
    const limits = new Limits(clock, assume());
    expect([limits.used('day', 'ws_nobody'), limits.state()]).toEqual([0, {}]);
  });
  test('a window that is over counts as unused', () => {
    let now = 0;
    const limits = new Limits({ now: () => now }, assume());
    limits.countV1(key);
    now = 60_000;
    expect([limits.used('minute', key.id), limits.used('day', workspace.id)]).toEqual([0, 1]);
  });
  test('an answer speaks of the window that was full, even where the clock runs into the next one meanwhile', () => {
    const midnight = Date.parse('2026-08-02T00:00:00Z');
    let now = midnight - 1;
    const limits = new Limits({ now: () => now++ }, assume());
    workspace.limits = { perDay: 0 };
    expect(limits.countV1(key)).toMatchObject({ retryAfter: 1, details: { resetAt: '2026-08-02T00:00:00.000Z' } });
  });
});
