import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { MemoryLedger } from '../../../src/budget/ledger.ts';
import { call } from '../../helpers/sandbox.ts';
import { MemoryRecord } from './record.ts';
import { json, startOnTheRoad, workspaces } from './road.ts';

const rich = [...workspaces.slice(0, 1).map((workspace) => ({ ...workspace, plan: 'Agency' as const })), ...workspaces.slice(1)];
const compare = (given: object = {}) => ({ rules: [{ stage: 'compare' }], compare: given });
type Options = Parameters<typeof startOnTheRoad>[1];

/** A road on which everything is compared, and its record. */
async function startComparing(options: Options = {}, given: object = {}) {
  const record = new MemoryRecord();
  const road = await startOnTheRoad(compare(given), { workspaces: rich, usage: record, ...options });
  return {
    ...road,
    record,
    get: (endpoint = 'GET /v1/contacts', key = 'ak_acme_1') => call(road.proxy.url, endpoint, { key }),
    post: (body: object, endpoint = 'POST /v1/messages/send') => call(road.proxy.url, endpoint, { key: 'ak_acme_1', json: body }),
    [Symbol.asyncDispose]: () => road[Symbol.asyncDispose](),
  };
}

describe('a read that is compared', () => {
  it('is answered by v1, and asked of v2 as its translation', async () => {
    await using road = await startComparing({ v1: json(200, { data: [{ id: 1 }] }), v2: json(200, { data: [{ id: 1 }] }) });
    const { status, body } = await road.get('GET /v1/contacts?page=2');
    await road.record.done(1);
    expect([status, body]).toEqual([200, { data: [{ id: 1 }] }]);
    expect(road.v1.seen.map(({ url }) => url)).toEqual(['/v1/contacts?page=2']);
    expect(road.v2.seen).toMatchObject([{ method: 'GET', url: '/v2/contacts?page=2' }]);
    expect(road.v2.seen[0]?.rawHeaders).toContain('Bearer ak_acme_1');
    expect(road.v2.seen[0]?.rawHeaders.join(' ')).not.toContain('x-api-key');
    expect(road.record.comparisons).toMatchObject([
      { endpoint: 'GET /v1/contacts', workspace: 'Acme', askedAgain: false, differences: [] },
    ]);
  });

  it('whose answers differ is told by path and shapes, once v1 was asked again', async () => {
    await using road = await startComparing({
      v1: json(200, { data: [{ id: 1, name: 'Ada', at: '2026-08-01T12:00:00Z' }] }),
      v2: json(200, { data: [{ id: '1', name: 'Ada', when: '2026-08-01T12:00:00Z' }] }),
    });
    await road.get();
    await road.record.done(1);
    expect(road.record.comparisons).toMatchObject([{ askedAgain: true }]);
    expect(road.record.found.toSorted()).toEqual([
      'added data[].when: absent / text of a time',
      'missing data[].at: text of a time / absent',
      'type data[].id: integer / text of a number',
    ]);
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([2, 1]);
  });

  it('asks v1 again for few of many calls: that counts towards what v1 allows the client', async () => {
    await using road = await startComparing({ v1: json(200, { a: 1 }), v2: json(200, { a: 2 }) }, { share: '100%' });
    for (let i = 1; i <= 60; i++) {
      await road.get();
      await road.record.done(i);
    }
    expect([road.v1.seen.length, road.record.comparisons.length, new Set(road.record.skipped.map(({ reason }) => reason))]).toEqual([
      60 + 16,
      16,
      new Set(['v1 spared']),
    ]);
  });

  it('counts what v1 does not answer the same twice as noise', async () => {
    let requests = 0;
    await using road = await startComparing({
      v1: (req, res) => json(200, { requestId: `v1-${++requests}` })(req, res),
      v2: json(200, { requestId: 'v2' }),
    });
    await road.get();
    await road.record.done(1);
    expect(road.record.found).toEqual(['value requestId: text / text', 'noise value requestId: text / text']);
  });

  it('sees nothing in what is declared equal', async () => {
    const equal = [
      { path: 'data[].at', as: 'instant' },
      { endpoint: 'GET /v1/contacts', path: 'data[].n', as: 'number' },
    ];
    await using road = await startComparing(
      {
        v1: json(200, { data: [{ at: '2026-08-01T12:00:00Z', n: 1 }] }),
        v2: json(200, { data: [{ at: '2026-08-01T14:00:00.000+02:00', n: '1.0' }] }),
      },
      { equal },
    );
    await road.get();
    await road.record.done(1);
    expect(road.record.found).toEqual([]);
  });

  it('is compared as the mapping makes it', async () => {
    await using road = await startComparing({
      mappings: { listContacts: { response: { body: '{"data": items}' } } },
      v1: json(200, { data: [1] }),
      v2: json(200, { items: [1] }),
    });
    await road.get();
    await road.record.done(1);
    expect(road.record.comparisons).toMatchObject([{ differences: [] }]);
  });

  it('is read in the coding that v1 used', async () => {
    await using road = await startComparing({
      v1: (_req, res) =>
        void res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(gzipSync('{"a": 1}')),
      v2: json(200, { a: 2 }),
    });
    await fetch(`${road.proxy.url}/v1/contacts`, { headers: { 'x-api-key': 'ak_acme_1', 'Accept-Encoding': 'gzip' } });
    await road.record.done(1);
    expect(road.record.found).toEqual(['value a: integer / integer']);
  });

  it('of which v2 refuses the key shows another status', async () => {
    const keyMap = { lookup: () => undefined, close: () => undefined };
    await using road = await startComparing({ keyMap });
    expect((await road.get()).status).toBe(200);
    await road.record.done(1);
    expect(road.record.found).toEqual(['status : 200 / 401']);
    expect(road.v2.seen).toEqual([]);
  });

  it('counts towards the limit of v2, and towards nothing else', async () => {
    await using road = await startComparing();
    await road.get();
    await road.record.done(1);
    expect(road.record.uses).toMatchObject([
      { outcome: 'compared', v2Calls: 0, workspace: 'Acme' },
      { outcome: 'passed', v2Calls: 1, workspace: 'Acme', endpoint: 'GET /v1/contacts' },
    ]);
    await road.proxy.log.waitFor('deprecated_use');
    expect(road.proxy.log.of('deprecated_use')).toHaveLength(1);
  });

  it.each(['If-None-Match', 'If-Modified-Since', 'Range'])('with %s is not compared: that is about what v1 gave before', async (name) => {
    await using road = await startComparing();
    await fetch(`${road.proxy.url}/v1/contacts`, { headers: { 'x-api-key': 'ak_acme_1', [name]: '"x"' } });
    await road.record.done(1);
    expect([road.record.skipped.map(({ reason }) => reason), road.v2.seen.length]).toEqual([['conditional'], 0]);
  });

  it('of a HEAD compares what it has', async () => {
    await using road = await startComparing({ v2: (_req, res) => void res.writeHead(404, { 'Content-Type': 'application/json' }).end() });
    await fetch(`${road.proxy.url}/v1/contacts`, { method: 'HEAD', headers: { 'x-api-key': 'ak_acme_1' } });
    await road.record.done(1);
    expect(road.record.found).toEqual(['status : 200 / 404']);
  });
});

describe('a read is not compared', () => {
  test.each<[string, Options, object, string]>([
    ['that is no JSON', { v1: (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello') }, {}, 'no JSON'],
    ['that is in a coding nobody knows', { v1: json(200, {}, { 'Content-Encoding': 'x' }) }, {}, 'unreadable'],
    ['that is longer than is kept', { v1: json(200, { a: 'x'.repeat(2 ** 20) }) }, {}, 'too long'],
    ['that v2 answers with more than is kept', { v2: json(200, { a: 'x'.repeat(2 ** 20) }) }, {}, 'too long'],
    [
      'that v2 answers with more values than are compared',
      {
        v1: json(200, []),
        v2: json(
          200,
          Array.from({ length: 100_001 }, () => 0),
        ),
      },
      {},
      'too long',
    ],
    ['where v2 is down', { v2Base: 'http://127.0.0.1:9' }, {}, 'v2 failed'],
    ['where v2 breaks off', { v2: (_req, res) => res.destroy() }, {}, 'v2 failed'],
    ['where v2 says that its limit is reached', { v2: json(429, {}, { 'Retry-After': '60' }) }, {}, 'limit reached'],
    ['that v1 refuses for its own limit', { v1: json(429, {}) }, {}, 'limit reached'],
    ['that has no share of the limit left', {}, { share: '0%' }, 'share used up'],
  ])('%s', async (_what, options, given, reason) => {
    await using road = await startComparing(options, given);
    await road.get();
    await road.record.done(1);
    expect([road.record.skipped.map((each) => each.reason), road.record.comparisons]).toEqual([[reason], []]);
    await road.proxy.log.waitFor('deprecated_use');
    expect(road.proxy.log.of('deprecated_use')).toMatchObject([{ outcome: 'compared' }]);
  });

  test('beyond the share of the plan in an hour: 5 of 100 without a plan', async () => {
    let now = Date.parse('2026-08-01T12:20:00Z');
    await using road = await startComparing({ now: () => now });
    const ask = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        await road.get('GET /v1/contacts', 'ak_bolt_1');
        await road.record.done(road.record.uses.filter(({ outcome }) => outcome === 'compared').length);
      }
    };
    await ask(7);
    expect([road.v2.seen.length, road.record.skipped.map(({ reason }) => reason)]).toEqual([5, ['share used up', 'share used up']]);
    now += 3_600_000;
    await ask(1);
    expect(road.v2.seen).toHaveLength(6);
  });

  test('for a while after v2 gave no answer', async () => {
    let now = Date.parse('2026-08-01T12:00:00Z');
    await using road = await startComparing({ now: () => now, v2: (_req, res) => res.destroy() });
    for (let i = 1; i <= 3; i++) {
      await road.get();
      await road.record.done(i);
    }
    const before = road.v2.seen.length;
    now += 5_000;
    await road.get();
    await road.record.done(4);
    expect([before, road.v2.seen.length]).toEqual([2, 4]);
    expect(road.record.skipped.map(({ reason }) => reason)).toEqual(Array(4).fill('v2 failed'));
  });

  test('beyond the part that other proxies of the same ledger have used', async () => {
    const now = (): number => Date.parse('2026-08-01T12:20:00Z');
    const ledger = new MemoryLedger(now);
    await using other = await startComparing({ ledger, now });
    await using road = await startComparing({ ledger, now });
    for (let i = 1; i <= 3; i++) {
      for (const each of [other, road]) {
        await each.get('GET /v1/contacts', 'ak_bolt_1');
        await each.record.done(i);
      }
    }
    // 5 % of 100 for both.
    expect([road.v2.seen.length + other.v2.seen.length, road.record.skipped.length]).toEqual([5, 1]);
  });

  test('while as many are being compared as may be, and no client waits for it', async () => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await using road = await startComparing(
      {
        v2: (req, res) => {
          asked.resolve();
          void release.promise.then(() => json(200, { success: true })(req, res));
        },
      },
      { concurrency: 1 },
    );
    await road.get();
    await asked.promise;
    expect([(await road.get()).status, (await road.get()).status]).toEqual([200, 200]);
    await road.record.done(2);
    expect(road.record.skipped.map(({ reason }) => reason)).toEqual(['busy', 'busy']);
    release.resolve();
    await road.record.done(3);
    expect(road.record.comparisons).toHaveLength(1);
  });

  test('that was not drawn', async () => {
    await using road = await startComparing({}, { sample: '0%' });
    await road.get();
    await road.proxy.log.waitFor('deprecated_use');
    expect([road.v2.seen.length, road.record.skipped.length]).toEqual([0, 0]);
  });

  test('where its path is no endpoint', async () => {
    await using road = await startComparing();
    await road.get('GET /v1/nowhere');
    await road.proxy.log.waitFor('deprecated_use');
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([1, 0]);
  });
});

describe('a write that is compared', () => {
  const message = { channel: 'SMS', to: '+491700000000', content: 'hello' };

  it('goes to v1 alone', async () => {
    await using road = await startComparing();
    await road.post(message);
    await road.record.done(1);
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([1, 0]);
    expect(road.record.comparisons).toMatchObject([{ endpoint: 'POST /v1/messages/send', differences: [], askedAgain: false }]);
  });

  it('has its translation held against the document of v2', async () => {
    await using road = await startComparing({ mappings: { sendMessage: { request: { body: '{"channel": channel, "content": 7}' } } } });
    await road.post(message);
    await road.record.done(1);
    expect(road.record.found.toSorted()).toEqual(['request content: integer / text', 'request to: absent / text']);
    expect(road.v2.seen).toEqual([]);
  });

  it('that the translation would refuse shows another status', async () => {
    await using road = await startComparing();
    await road.post({ channel: 'PIGEON', to: '1', content: 'x' });
    await road.record.done(1);
    expect(road.record.found).toEqual(['status : 200 / 400']);
  });

  it('that is nested too deeply to be held against it is not compared', async () => {
    await using road = await startComparing();
    await road.post({ ...message, more: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) });
    await road.record.done(1);
    expect([road.record.skipped.map(({ reason }) => reason), road.record.comparisons]).toEqual([['too long'], []]);
  });

  it('that v1 refuses says nothing of v2', async () => {
    await using road = await startComparing({ v1: json(403, {}) });
    await road.post({});
    await road.record.done(1);
    expect(road.record.found).toEqual([]);
  });
});

test('of what clients and versions say, no value reaches the record of a comparison or the log', async () => {
  const values = ['Ada Lovelace', '+491700000000', 'ada@example.com', 'sk-secret-0123456789'];
  const [name, phone, email, secret] = values;
  await using road = await startComparing({
    v1: json(200, { data: { [phone ?? '']: { name, email }, [secret ?? '']: 1 } }),
    v2: json(200, { data: { [email ?? '']: [name], [`${secret}x`]: secret } }),
  });
  await road.get();
  await road.record.done(1);
  expect(road.record.found.length).toBeGreaterThan(0);
  const told = JSON.stringify([road.record.comparisons, road.proxy.log.lines]);
  for (const value of values) expect(told).not.toContain(value);
});

test('v2 that never answers keeps no client waiting, and the end of the proxy neither', async () => {
  const asked = Promise.withResolvers<void>();
  await using road = await startComparing({ v2: () => asked.resolve() });
  expect((await road.get()).status).toBe(200);
  await asked.promise;
  await road.proxy.drain();
  expect(road.record.skipped).toMatchObject([{ reason: 'v2 failed' }]);
});
