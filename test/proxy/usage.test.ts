import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { ignoredCalls } from '../../src/usage/ignored.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { openReader, openWriter } from '../../src/usage/store/open.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { startRecordingUpstream, startTestProxy, startUpstream } from '../helpers/proxy.ts';

const key = 'ak_live_0123456789abcdef';
const now = Date.parse('2026-10-01T12:00:30Z');
const everything = { since: 0, until: now + dayInMs };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-v2-usage-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Makes calls through a proxy that records, and gives what its store then holds. */
async function recorded(v2Base: string, calls: (url: string) => Promise<unknown>, options: Partial<ProxyServerOptions> = {}) {
  const path = join(folder, 'usage.db');
  const usage = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 400 * dayInMs, now: () => now });
  const proxy = await startTestProxy(v2Base, { usage, now: () => now, ...options });
  await calls(proxy.url);
  await proxy.drain();
  await usage.close();
  const reader = await openReader(path);
  const callers = await reader.callers();
  const totals = await all(reader.totals(everything));
  const sources = await all(reader.sources());
  await reader.close();
  return { callers, totals, sources };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<void> => {
  await (await fetch(url, { headers: { 'x-api-key': key, 'user-agent': 'curl/8.5.0', ...headers } })).text();
};

describe('the record of a v1 call', () => {
  test('holds who called, what, how it ended and what it cost', async () => {
    await using v2 = await startRecordingUpstream();
    const { callers, totals, sources } = await recorded(v2.url, async (url) => {
      await get(`${url}/v1/contacts/c_1`);
      await get(`${url}/v1/contacts/c_1`);
      await get(`${url}/v1/contacts/c_2`);
    });
    expect(callers).toEqual([
      {
        id: expect.any(Number),
        keyHash: expect.stringMatching(/^[0-9a-f]{16}$/),
        keyPrefix: 'ak_live_',
        longestPause: null,
        workspace: null,
        client: 'curl/8.5.0',
        name: null,
      },
    ]);
    expect(totals).toEqual([
      {
        caller: callers[0]?.id,
        kind: { endpoint: 'GET /v1/contacts/:id', method: 'GET', status: 200, outcome: 'translated' },
        counts: { calls: 3, v2Calls: 3, repeats: 1, duration: expect.any(Number), longest: expect.any(Number), first: now, last: now },
      },
    ]);
    expect(sources).toMatchObject([{ network: '127.0.0.0/24' }]);
  });

  test.each([
    ['its connection, whatever the client says', [], '127.0.0.0/24'],
    ['the client that a trusted proxy names', ['127.0.0.1'], '198.51.100.0/24'],
  ])('holds the network of %s', async (_name, trustedProxies, network) => {
    await using v2 = await startRecordingUpstream();
    const call = (url: string): Promise<void> => get(`${url}/v1/contacts`, { 'x-forwarded-for': '6.6.6.6, 198.51.100.7' });
    expect((await recorded(v2.url, call, { trustedProxies })).sources).toMatchObject([{ network }]);
  });

  test('counts two calls of v2 where the existing contact of a 409 had to be searched', async () => {
    await using v2 = await startUpstream((req, res) => {
      req.resume();
      const body = JSON.stringify(req.method === 'POST' ? { error: 'exists' } : { data: [{ id: 'c_1', phone: '+15550100' }] });
      res.writeHead(req.method === 'POST' ? 409 : 200, { 'Content-Type': 'application/json' }).end(body);
    });
    const { totals } = await recorded(v2.url, (url) =>
      fetch(`${url}/v1/contacts`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ phone: '+15550100' }),
      }).then((answer) => answer.text()),
    );
    expect(totals).toMatchObject([{ kind: { status: 409 }, counts: { calls: 1, v2Calls: 2 } }]);
  });

  test('counts no call of v2 where the answer is local', async () => {
    await using v2 = await startRecordingUpstream();
    const { totals, callers } = await recorded(v2.url, (url) => fetch(`${url}/v1/contacts`).then((answer) => answer.text()));
    expect(totals).toMatchObject([{ kind: { status: 401, outcome: 'local' }, counts: { calls: 1, v2Calls: 0 } }]);
    expect(callers).toMatchObject([{ keyHash: null, keyPrefix: null }]);
  });

  test('has the workspace that the configuration gives the whole key', async () => {
    await using v2 = await startRecordingUpstream();
    const workspaces = [
      { name: 'Acme', keys: [key.slice(0, 12)] },
      { name: 'Others', keys: ['ak_live_'] },
    ];
    const { callers } = await recorded(v2.url, (url) => get(`${url}/v1/contacts`), { workspaces });
    expect(callers).toMatchObject([{ workspace: 'Acme' }]);
  });

  test('names the clients that the configuration ignores, so that they are', async () => {
    await using v2 = await startRecordingUpstream();
    const ignore = [
      { reason: 'our own check', client: 'uptime-check' },
      { reason: 'an old one', client: 'Old-Check/1.2' },
      { reason: 'found in the report', client: 'other-01234567' },
      { reason: 'says nothing of itself', client: 'none', endpoint: 'GET /v1/messages' },
    ];
    const agents = ['uptime-check/2.1 (+https://example.com)', 'old-check/1.2', 'uptime-checker/1', 'other-01234567', 'none'];
    const { callers } = await recorded(
      v2.url,
      async (url) => {
        for (const agent of agents) await get(`${url}/v1/contacts`, { 'user-agent': agent });
      },
      { ignore },
    );
    const ruleOf = ignoredCalls(ignore);
    expect(callers.map((caller) => [caller.client, ruleOf(caller, [], { statuses: new Set([200]), accepted: true })])).toEqual([
      ['uptime-check/2.1', expect.objectContaining({ all: ignore[0] })],
      ['Old-Check/1.2', expect.objectContaining({ all: ignore[1] })],
      ['uptime-checker/1', { all: undefined, endpoints: new Map() }],
      ...agents.slice(3).map(() => [expect.stringMatching(/^other-(?!01234567)[0-9a-f]{8}$/), { all: undefined, endpoints: new Map() }]),
    ]);
  });

  test('tells clients apart by the configured header, and hashes what is no plain text', async () => {
    await using v2 = await startRecordingUpstream();
    const { callers } = await recorded(
      v2.url,
      async (url) => {
        await get(`${url}/v1/contacts`, { 'X-Client': 'billing' });
        await get(`${url}/v1/contacts`, { 'X-Client': 'x'.repeat(1_000) });
        await get(`${url}/v1/contacts`);
      },
      { clientHeader: 'x-client' },
    );
    expect(new Set(callers.map(({ name }) => name))).toEqual(new Set(['billing', null, expect.stringMatching(/^other-[0-9a-f]{8}$/)]));
  });
});
