import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../../../proxy/handler.ts';
import { type Budget, usualBudget } from '../../../src/budget/policy.ts';
import { LogLines, type TestServer, proxyOptions, startRecordingUpstream, startUpstream } from '../../helpers/proxy.ts';
import { call } from '../../helpers/sandbox.ts';
import { rulesOf } from '../rollout/road.ts';

const key = 'sk_live_0123456789';
const json = { 'Content-Type': 'application/json' };
const reusing: Budget = { ...usualBudget, reuse: { getMessage: 60_000, listContacts: 60_000 } };

/** A v2 that answers reads when it is told to, and writes at once. */
async function startHeld() {
  const held: ServerResponse[] = [];
  const events = new EventEmitter();
  const v2 = await startRecordingUpstream((req, res) => {
    if (req.method !== 'GET') return void res.writeHead(200, json).end('{"success":true}');
    held.push(res);
    events.emit('held');
  });
  return Object.assign(v2, {
    /** Resolves with the answer to that read. */
    async read(at: number): Promise<ServerResponse> {
      while (held.length <= at) await once(events, 'held');
      return held[at] ?? Promise.reject(new Error('It was not asked'));
    },
  });
}

/** The proxy before a v2, in this process: what it has taken can be seen. */
async function startHandler(v2: TestServer, options: Parameters<typeof proxyOptions>[1] = {}) {
  const log = new LogLines();
  const proxy = createProxy(proxyOptions(v2.url, { logger: log.logger, budget: usualBudget, ...options }));
  const taken: string[] = [];
  const events = new EventEmitter();
  const server = await startUpstream((req, res) => {
    proxy.handler(req, res);
    taken.push(req.url ?? '');
    events.emit('taken');
  });
  return {
    log,
    url: server.url,
    metrics: () => proxy.context.recorder.metrics.registry.metrics(),
    /** Resolves once so many calls have come. */
    async taken(count: number): Promise<void> {
      while (taken.length < count) await once(events, 'taken');
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await proxy.close(0);
    },
  };
}

describe('a v1 client that asks what another one is asking', () => {
  it('is answered as v1 would, and costs no call of v2', async () => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2);
    const calls = [call(proxy.url, 'GET /v1/messages/msg_1', { key }), call(proxy.url, 'GET /v1/messages/msg_1', { key })];
    await proxy.taken(2);
    (await v2.read(0)).writeHead(404, json).end('{"error":{"message":"No such message"}}');
    const answers = await Promise.all(calls);
    expect(v2.seen).toHaveLength(1);
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([404, { success: false, error: 'No such message' }]);
      expect(headers['deprecation']).toBeDefined();
    }
    expect(answers.map(({ headers }) => headers['x-migrate-v2-reused'] ?? '').toSorted()).toEqual(['', 'in-flight']);
    const metrics = await proxy.metrics();
    expect(metrics).toContain('migrate_v2_spared_calls_total{endpoint="GET /v1/messages/:id",how="in-flight"} 1');
    expect(metrics).toContain('migrate_v2_upstream_requests_total 1');
    expect((await proxy.log.waitFor('deprecated_use', 2)).map(({ outcome }) => outcome)).toEqual(['translated', 'translated']);
  });

  it('gets none of another v1 key, though both stand for one v2 key', async () => {
    await using v2 = await startHeld();
    const keyMap = { lookup: () => 'v2-key', close: () => undefined };
    await using proxy = await startHandler(v2, { keyMap, budget: reusing });
    const calls = ['ak_one', 'ak_two'].map((own) => call(proxy.url, 'GET /v1/messages/msg_1', { key: own }));
    for (const at of [0, 1]) (await v2.read(at)).writeHead(200, json).end(`{"asked":${at}}`);
    await Promise.all(calls);
    const again = await Promise.all(['ak_one', 'ak_two'].map((own) => call(proxy.url, 'GET /v1/messages/msg_1', { key: own })));
    expect(again.map(({ body }) => body)).toEqual((await Promise.all(calls)).map(({ body }) => body));
    expect(new Set(again.map(({ text }) => text)).size).toBe(2);
    expect(v2.seen).toHaveLength(2);
  });

  it('gets its answer as the mapping of its own makes it', async () => {
    await using v2 = await startHeld();
    const mappings = { getMessage: { response: { body: '{ "data": $ }' } } };
    await using proxy = await startHandler(v2, { budget: reusing, mappings });
    const first = call(proxy.url, 'GET /v1/messages/msg_1', { key });
    (await v2.read(0)).writeHead(200, json).end('{"status":"SENT"}');
    const second = async () => call(proxy.url, 'GET /v1/messages/msg_1', { key });
    expect([(await first).body, (await second()).body, v2.seen.length]).toEqual([
      { data: { status: 'SENT' } },
      { data: { status: 'SENT' } },
      1,
    ]);
  });

  it('gets its answer though the other one leaves', async () => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2);
    const leaving = new AbortController();
    const first = fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key }, signal: leaving.signal }).catch(() => 'left');
    const res = await v2.read(0);
    const second = fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key, 'user-agent': 'other/1' } });
    await proxy.taken(2);
    leaving.abort();
    await proxy.log.waitFor('deprecated_use');
    res.writeHead(200, json).end('{"data":[]}');
    expect([await first, await (await second).text(), v2.seen.length]).toEqual(['left', '{"data":[]}', 1]);
  });
});

describe('an answer that is used again', () => {
  const get = (url: string): ReturnType<typeof call> => call(url, 'GET /v1/messages/msg_1', { key });

  /** Has an answer kept. */
  async function keep(url: string, v2: Awaited<ReturnType<typeof startHeld>>): Promise<void> {
    const first = get(url);
    (await v2.read(0)).writeHead(200, json).end('{"status":"SENT"}');
    await first;
  }

  it('is one of v1, says how old it is, and costs no call of v2', async () => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2, { budget: reusing });
    await keep(proxy.url, v2);
    const { status, body, headers } = await get(proxy.url);
    expect([status, body, headers['x-migrate-v2-reused'], headers['age']]).toEqual([200, { status: 'SENT' }, 'stored', '0']);
    expect(headers['deprecation']).toBeDefined();
    expect(v2.seen).toHaveLength(1);
  });

  it.each([
    ['other proxies write that are not heard', { budget: reusing, replicas: ['a', 'b'] }],
    ['the budget is switched off', { budget: { ...reusing, enabled: false } }],
    [
      'its workspace has another setting',
      { budget: { ...reusing, workspaces: { Acme: { reuse: {} } } }, workspaces: [{ name: 'Acme', keys: ['sk_live_'], owner: undefined }] },
    ],
  ])('is none where %s', async (_why, options) => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2, options);
    await keep(proxy.url, v2);
    const second = get(proxy.url);
    (await v2.read(1)).writeHead(200, json).end('{"status":"DELIVERED"}');
    expect((await second).body).toEqual({ status: 'DELIVERED' });
  });

  it.each([
    ['through v1', 'POST /v1/messages/send', {}],
    ['through /v2, which is passed through', 'POST /v2/messages/send', {}],
    ['by v1 itself', 'POST /v1/messages/send', { rollout: rulesOf({ rules: [{ match: { methods: ['POST'] }, stage: 'observe' }] }) }],
  ])('is none any more after a write %s', async (_way, endpoint, options) => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2, { budget: reusing, v1Base: v2.url, ...options });
    await keep(proxy.url, v2);
    expect((await call(proxy.url, endpoint, { key, json: { channel: 'SMS', to: '+1', content: 'a' } })).status).toBe(200);
    const second = get(proxy.url);
    (await v2.read(1)).writeHead(200, json).end('{"status":"DELIVERED"}');
    expect((await second).body).toEqual({ status: 'DELIVERED' });
  });

  it('is none for a call to v2 itself', async () => {
    await using v2 = await startHeld();
    await using proxy = await startHandler(v2, { budget: reusing });
    await keep(proxy.url, v2);
    const passed = call(proxy.url, 'GET /v2/messages/msg_1', { key });
    (await v2.read(1)).end('{}');
    expect((await passed).headers['x-migrate-v2-reused']).toBeUndefined();
  });
});
