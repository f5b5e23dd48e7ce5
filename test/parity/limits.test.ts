/** v2 limits by the hour, and says so in a shape that is not shown: v1 clients must find the 429 that they know. */
import { describe, expect, it } from 'vitest';
import type { Timers } from '../../proxy/budget/waiting.ts';
import { errorDialects } from '../../src/sandbox/api/dialects.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { CustomLimits } from '../../src/sandbox/store/workspace.ts';
import { startTestProxy } from '../helpers/proxy.ts';
import { call, type CallOptions, type Reply, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';
import { visible } from './worlds.ts';

const message = { json: { channel: 'SMS', to: '+15550100', content: 'Hello' } };
/** Half past: 30 minutes are left of v2's hour, and 12 hours less 30 minutes of v1's day. */
const clock = '2026-08-01T12:30:00.500Z';

/** What waits for the turn of the hour by a clock that stands waits in vain: its time is over at once, and not in four seconds each. */
function timeless(): Timers {
  let passed = 0;
  return {
    now: () => passed,
    set(run, delay) {
      const next = setImmediate(() => {
        passed += delay;
        run();
      });
      return () => clearImmediate(next);
    },
  };
}

interface World extends AsyncDisposable {
  readonly v2: TestSandbox;
  /** A v1 call through the proxy, with the demo workspace's read & write key where none is given. */
  readonly proxied: (endpoint: string, options?: CallOptions) => Promise<Reply>;
}

async function startWorld(limits: CustomLimits, options: SandboxOptions = {}): Promise<World> {
  const v2 = await startSandbox({ clock, ...options });
  setLimits(v2, limits);
  const proxy = await startTestProxy(v2.url, { now: v2.clock.now, timers: timeless() });
  return {
    v2,
    proxied: (endpoint, { key = v2.demo.readWriteKey, ...rest } = {}) => call(proxy.url, endpoint, { key, ...rest }),
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, v2]) await each[Symbol.asyncDispose]();
    },
  };
}

function setLimits({ store, demo }: TestSandbox, limits: CustomLimits): void {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace !== undefined) workspace.limits = limits;
}

describe.each(errorDialects)('v2 past its hourly limit, with errors as %s', (dialect) => {
  it.each([
    ['GET /v1/contacts', {}],
    ['GET /v1/messages/msg_1', {}],
    ['POST /v1/messages/send', message],
    ['PUT /v1/contacts/con_1', { json: { name: 'A' } }],
    ['POST /v1/campaigns/cmp_1/send', {}],
  ] as const)('%s is answered as v1 answers past its limit per minute', async (endpoint, options) => {
    const hourlyLimitText = 'Rate limit exceeded';
    await using world = await startWorld({ perHour: 0 }, { dialect, assumptions: { hourlyLimitText } });
    await using v1 = await startSandbox({ clock });
    setLimits(v1, { perMinute: 0 });
    const [direct, proxied] = [await v1.call(endpoint, options), await world.proxied(endpoint, options)];
    expect(visible(proxied)).toEqual(visible(direct));
    expect(direct).toMatchObject({ status: 429, body: { code: 'API_KEY_RATE_LIMITED' }, headers: { 'retry-after': '60' } });
    // v1's minute would be over in 60 s, v2's hour is not.
    expect(proxied.headers['retry-after']).toBe('1800');
  });

  it('says when to come back where v2 does not: at the end of the hour', async () => {
    await using world = await startWorld({ perHour: 0 }, { dialect, assumptions: { rateLimitRetryAfter: false } });
    expect((await world.v2.call('GET /v2/contacts')).headers['retry-after']).toBeUndefined();
    expect(await world.proxied('GET /v1/contacts')).toMatchObject({
      status: 429,
      body: { success: false, error: 'Hourly rate limit exceeded', code: 'API_KEY_RATE_LIMITED' },
      headers: { 'retry-after': '1800' },
    });
  });

  it('lets calls in again to whoever waits as long as it says, and not to whoever waits less', async () => {
    await using world = await startWorld({ perHour: 1 }, { dialect });
    const statusOf = async (): Promise<number> => (await world.proxied('GET /v1/contacts')).status;
    expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
    const seconds = Number((await world.proxied('GET /v1/contacts')).headers['retry-after']);
    await world.v2.clock.advance((seconds - 1) * 1_000);
    expect(await statusOf()).toBe(429);
    await world.v2.clock.advance(1_000);
    expect(await statusOf()).toBe(200);
  });
});

describe('v2’s hourly limit', () => {
  it('is answered to HEAD without content', async () => {
    await using world = await startWorld({ perHour: 0 });
    expect(await world.proxied('HEAD /v1/contacts')).toMatchObject({ status: 429, text: '', headers: { 'retry-after': '1800' } });
  });

  it.each<[string, CallOptions?]>([
    ['GET /v1/contacts', { key: null }],
    ['GET /v1/contacts', { key: null, headers: ['Authorization', 'Bearer x'] }],
    ['GET /v1/nothing'],
    ['DELETE /v1/contacts/con_1'],
    ['POST /v1/contacts', { raw: '{}' }],
    ['POST /v1/messages/send', { json: { channel: 'FAX' } }],
  ])('is not used up by what the proxy answers itself: %s %o', async (endpoint, options) => {
    await using world = await startWorld({ perHour: 1 });
    expect((await world.proxied(endpoint, options)).status).toBeOneOf([400, 401, 404]);
    expect((await world.proxied('GET /v1/contacts')).status).toBe(200);
  });

  it('is used up by one for each call that the proxy passes on', async () => {
    await using world = await startWorld({ perHour: 3 });
    const all: number[] = [];
    for (const endpoint of ['GET /v1/contacts', 'GET /v1/contacts/con_none', 'HEAD /v1/messages', 'GET /v1/messages']) {
      all.push((await world.proxied(endpoint)).status);
    }
    expect(all).toEqual([200, 404, 200, 429]);
  });

  it('is kept to however many calls come at once', async () => {
    await using world = await startWorld({ perHour: 50 });
    const replies = await Promise.all(Array.from({ length: 200 }, () => world.proxied('POST /v1/messages/send', message)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(150);
    setLimits(world.v2, {});
    expect((await world.v2.call('GET /v2/messages')).body).toMatchObject({ total: 50 });
  });
});
