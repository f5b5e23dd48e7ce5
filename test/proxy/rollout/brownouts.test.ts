import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/sandbox.ts';
import { startOnTheRoad, workspaces } from './road.ts';

const at = Date.parse('2026-12-01T10:00:00Z');
const minute = 60_000;

/** A road whose clock the test turns. */
async function startBrownout(given: object, start = at) {
  let now = start;
  const road = await startOnTheRoad(
    { rules: [{ stage: 'observe' }], brownouts: [{ name: 'first', at: '2026-12-01T10:00:00Z', for: '10m', ...given }] },
    { workspaces, adminToken: 'secret', now: () => now },
  );
  return {
    ...road,
    [Symbol.asyncDispose]: () => road[Symbol.asyncDispose](),
    turn: (to: number) => void (now = to),
    status: async (key = 'ak_acme_1') => (await call(road.proxy.url, 'GET /v1/contacts', { key })).status,
  };
}

describe('a brownout', () => {
  it('refuses in the shape of v1, says until when, and leads to the guide', async () => {
    await using road = await startBrownout({}, at + minute);
    const { status, headers, body } = await call(road.proxy.url, 'POST /v1/messages/send', { key: 'ak_acme_1', json: {} });
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '540',
      { success: false, error: expect.stringContaining('until 2026-12-01T10:10:00.000Z'), code: 'PROXY_BROWNOUT' },
    ]);
    expect([headers['deprecation'], headers['sunset'], headers['link']]).toEqual([
      '@1780272000',
      'Thu, 31 Dec 2026 00:00:00 GMT',
      expect.stringMatching(/rel="deprecation".*rel="successor-version"/),
    ]);
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([0, 0]);
    const [line] = await road.proxy.log.waitFor('deprecated_use');
    expect(line).toMatchObject({ outcome: 'refused', code: 'PROXY_BROWNOUT', workspace: 'Acme' });
    expect(road.proxy.log.of('brownout_began')).toMatchObject([{ brownout: 'first', until: '2026-12-01T10:10:00.000Z' }]);
  });

  it('refuses with 410 where that is asked for', async () => {
    await using road = await startBrownout({ status: 410 });
    expect(await road.status()).toBe(410);
  });

  it('is on from its first instant up to its last, and comes again', async () => {
    await using road = await startBrownout({ every: '1d', until: '2026-12-03T00:00:00Z' }, at - 1);
    const day = 24 * 60 * minute;
    const statuses = [];
    for (const time of [at - 1, at, at + 10 * minute - 1, at + 10 * minute, at + day, at + day + 10 * minute, at + 2 * day]) {
      road.turn(time);
      statuses.push(await road.status());
    }
    expect(statuses).toEqual([200, 503, 503, 200, 503, 200, 200]);
    expect([road.proxy.log.of('brownout_began').length, road.proxy.log.of('brownout_ended').length]).toEqual([2, 2]);
  });

  it('is the same one when the rules are read again while it is on', async () => {
    await using road = await startBrownout({});
    expect(await road.status()).toBe(503);
    const brownouts = [{ name: 'first', at: '2026-12-01T10:00:00Z', for: '10m' }];
    road.rules.change({ rules: [{ stage: 'observe' }], brownouts });
    expect(await road.status()).toBe(503);
    expect([road.proxy.log.of('brownout_began').length, road.proxy.log.of('brownout_ended').length]).toEqual([1, 0]);
  });

  it('leaves a workspace alone that is exempt', async () => {
    await using road = await startBrownout({ exempt: 'Acme' });
    expect([await road.status('ak_acme_1'), await road.status('ak_bolt_1'), await road.status('unknown')]).toEqual([200, 503, 503]);
  });

  it('meets whom it matches: keys of no workspace, and calls without a key', async () => {
    await using road = await startBrownout({ match: { unknown: true } });
    const withoutKey = await call(road.proxy.url, 'GET /v1/contacts');
    expect([await road.status('ak_acme_1'), await road.status('unknown'), withoutKey.status]).toEqual([200, 503, 503]);
  });

  it('is stopped by one command, and no other is', async () => {
    await using road = await startBrownout({ every: '1d', until: '2026-12-03T00:00:00Z' });
    expect(await road.status()).toBe(503);
    const headers = { Authorization: 'Bearer secret' };
    await fetch(`${road.proxy.adminUrl}/rollout/stop-brownout?name=first`, { method: 'POST', headers });
    expect(await road.status()).toBe(200);
    road.turn(at + 24 * 60 * minute);
    expect(await road.status()).toBe(200);
  });

  it('leaves calls to v2 alone', async () => {
    await using road = await startBrownout({});
    expect((await call(road.proxy.url, 'GET /v2/contacts', { key: 'ak_acme_1' })).status).toBe(200);
  });

  it('leaves nobody refused once the roll-out is stopped', async () => {
    await using road = await startBrownout({});
    await fetch(`${road.proxy.adminUrl}/rollout/stop`, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    expect(await road.status()).toBe(200);
  });
});

describe('a rule that refuses', () => {
  it('does so until its end, when the next rule holds', async () => {
    let now = at;
    await using road = await startOnTheRoad(
      { rules: [{ match: { client: 'curl' }, stage: 'refuse', until: '2026-12-01T10:05:00Z', status: 410 }, { stage: 'observe' }] },
      { now: () => now },
    );
    const status = async (agent: string) =>
      (await fetch(`${road.proxy.url}/v1/contacts`, { headers: { 'x-api-key': 'k', 'User-Agent': agent } })).status;
    expect([await status('curl/8.5.0'), await status('Wget/1.21')]).toEqual([410, 200]);
    now += 5 * minute;
    expect([await status('curl/8.5.0'), road.v1.seen.length]).toEqual([200, 2]);
  });
});
