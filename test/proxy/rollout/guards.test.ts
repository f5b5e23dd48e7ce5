import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/sandbox.ts';
import { MemoryRecord } from './record.ts';
import { json, startOnTheRoad, workspaces } from './road.ts';

const guarded = (fallback: object = {}) => ({
  rules: [
    { name: 'acme', match: { workspace: 'Acme' }, stage: 'translate', fallback: { errors: '10%', over: '5m', atLeast: 20, ...fallback } },
    { stage: 'observe' },
  ],
});
const get = (url: string, key = 'ak_acme_1') => call(url, 'GET /v1/contacts', { key });
const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i++) await work();
};

describe('a guard', () => {
  it('takes its rule back, once, when too many calls fail, and each call went to one version alone', async () => {
    await using road = await startOnTheRoad(guarded(), { workspaces, v2: json(503, {}) });
    await times(25, () => get(road.proxy.url));
    expect([road.v2.seen.length, road.v1.seen.length]).toEqual([20, 5]);
    expect(road.proxy.log.of('rollout_tripped')).toMatchObject([{ rule: 'acme', to: 'observe', calls: 20, errors: 20, expected: 0 }]);
    expect(road.proxy.log.of('rollout_taken_back')).toHaveLength(1);
    const metrics = await (await fetch(`${road.proxy.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^migrate_v2_rollout_rules_taken_back 1$/m);
  });

  it('sees clients that left without an answer, and answers that broke off', async () => {
    let calls = 0;
    await using road = await startOnTheRoad(guarded(), {
      workspaces,
      v2: (_req, res) => {
        if (++calls % 2 === 0) res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{');
        setImmediate(() => res.destroy());
      },
    });
    await times(25, () => get(road.proxy.url).catch(() => undefined));
    expect(road.proxy.log.of('rollout_tripped')).toMatchObject([{ rule: 'acme', calls: 20, errors: 20 }]);
  });

  it('judges nothing before it has seen enough calls', async () => {
    await using road = await startOnTheRoad(guarded({ atLeast: 30 }), { workspaces, v2: json(503, {}) });
    await times(29, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(0);
  });

  it('leaves its rule where few calls fail', async () => {
    let calls = 0;
    await using road = await startOnTheRoad(guarded(), {
      workspaces,
      v2: (req, res) => json(++calls % 10 === 0 ? 500 : 200, {})(req, res),
    });
    await times(60, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(0);
  });

  it('does not take for a fault of v2 what v1 refused as often', async () => {
    await using road = await startOnTheRoad(guarded(), { workspaces, v1: json(404, {}), v2: json(404, {}) });
    road.rules.change({ rules: [{ stage: 'observe' }] });
    await times(25, () => get(road.proxy.url));
    road.rules.change(guarded());
    await times(40, () => get(road.proxy.url));
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([25, 40]);
  });

  it('lets no contact that is not there excuse a failure', async () => {
    const baseline = new Map([['Acme', { calls: 30, refused: 30, failed: 0 }]]);
    await using road = await startOnTheRoad(guarded(), { workspaces, baseline, v2: json(503, {}) });
    await times(25, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(5);
  });

  it('begins anew once its rule was released, whichever replica took it back', async () => {
    let status = 503;
    const record = new MemoryRecord();
    await using road = await startOnTheRoad(guarded(), {
      workspaces,
      usage: record,
      adminToken: 'secret',
      v2: (req, res) => json(status, {})(req, res),
    });
    await times(15, () => get(road.proxy.url));
    await record.note({ id: 'other', at: 0, replica: 'other', kind: 'tripped', rule: 'acme', detail: '' });
    await road.proxy.log.waitFor('rollout_taken_back');
    await get(road.proxy.url);
    await fetch(`${road.proxy.adminUrl}/rollout/release?name=acme`, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    status = 200;
    await times(20, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(1);
  });

  it('sees that v2 refuses what v1 took', async () => {
    const baseline = new Map([['Acme', { calls: 1_000, refused: 10, failed: 0 }]]);
    await using road = await startOnTheRoad(guarded(), { workspaces, baseline, v2: json(400, {}) });
    await times(25, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(5);
  });

  it('forgets what is longer ago than it looks', async () => {
    let now = Date.parse('2026-08-01T12:00:00Z');
    await using road = await startOnTheRoad(guarded(), { workspaces, now: () => now, v2: json(503, {}) });
    await times(19, () => get(road.proxy.url));
    now += 6 * 60_000;
    await times(19, () => get(road.proxy.url));
    expect(road.v1.seen).toHaveLength(0);
    await get(road.proxy.url);
    await get(road.proxy.url);
    expect(road.v1.seen).toHaveLength(1);
  });

  it('keeps its rule back, also when that is read anew, until somebody releases it', async () => {
    await using road = await startOnTheRoad(guarded(), { workspaces, adminToken: 'secret', v2: json(503, {}) });
    await times(21, () => get(road.proxy.url));
    road.rules.change(guarded());
    await get(road.proxy.url);
    expect(road.v1.seen).toHaveLength(2);
    const release = (name: string): Promise<Response> =>
      fetch(`${road.proxy.adminUrl}/rollout/release?name=${name}`, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    expect([(await release('nobody')).status, (await release('acme')).status]).toEqual([404, 200]);
    await get(road.proxy.url);
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([2, 21]);
  });

  it('takes back its own rule alone', async () => {
    const rules = [...guarded().rules.slice(0, 1), { name: 'bolt', match: { workspace: 'Bolt' }, stage: 'translate', fallback: {} }];
    await using road = await startOnTheRoad(
      { rules },
      { workspaces, v2: (req, res) => json(req.headers.authorization === 'Bearer ak_acme_1' ? 503 : 200, {})(req, res) },
    );
    await times(25, async () => {
      await get(road.proxy.url);
      await get(road.proxy.url, 'ak_bolt_1');
    });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([5, 45]);
  });
});
