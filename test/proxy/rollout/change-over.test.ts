import { describe, expect, it } from 'vitest';
import { startTestProxy } from '../../helpers/proxy.ts';
import { connectRaw } from '../../helpers/raw.ts';
import { call, startSandbox } from '../../helpers/sandbox.ts';
import { json, rulesOf, startOnTheRoad } from './road.ts';

const gone = json(410, { success: false, error: 'gone' });
const observe = { rules: [{ stage: 'observe' }] };
const message = { channel: 'SMS', to: '+491700000000', content: 'hello' };

describe('once v1 says that it is gone', () => {
  it('that very call goes to v2, a send too, with the whole of its body', async () => {
    await using road = await startOnTheRoad(observe, { v1: gone });
    const reply = await call(road.proxy.url, 'POST /v1/messages/send', { key: 'k', json: message });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    // Beside the call itself, v1 is asked once whether it is gone as a whole.
    expect(road.v1.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/messages/send', 'GET /v1/contacts?limit=1']);
    expect(road.v2.seen).toMatchObject([{ method: 'POST', url: '/v2/messages/send', body: JSON.stringify(message) }]);
    expect(road.proxy.log.of('rollout_changed_over')).toHaveLength(1);
    const [line] = await road.proxy.log.waitFor('deprecated_use');
    expect(line).toMatchObject({ outcome: 'translated' });
  });

  it('the calls after it go to v2 at once', async () => {
    await using road = await startOnTheRoad(observe, { v1: gone });
    for (let i = 0; i < 3; i++) await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect([road.v1.seen.length, road.v2.seen.length]).toEqual([2, 3]);
  });

  it('that is said of one resource alone moves nothing, and the client gets it', async () => {
    await using road = await startOnTheRoad(observe, {
      v1: (req, res) => json(req.url === '/v1/contacts/7' ? 410 : 200, { of: req.url })(req, res),
    });
    const replies = [
      await call(road.proxy.url, 'GET /v1/contacts/7', { key: 'k' }),
      await call(road.proxy.url, 'GET /v1/contacts/8', { key: 'k' }),
    ];
    expect(replies).toMatchObject([
      { status: 410, body: { of: '/v1/contacts/7' } },
      { status: 200, body: { of: '/v1/contacts/8' } },
    ]);
    expect(road.v2.seen).toEqual([]);
  });

  it('by mistake, whoever stops the roll-out has v1 asked again', async () => {
    let isOff = true;
    await using road = await startOnTheRoad(observe, { adminToken: 'secret', v1: (req, res) => json(isOff ? 410 : 200, {})(req, res) });
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    isOff = false;
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect(road.v2.seen).toHaveLength(2);
    await fetch(`${road.proxy.adminUrl}/rollout/stop`, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect(road.v2.seen).toHaveLength(2);
  });

  it('a body that v1 did not wait for goes to v2 whole', async () => {
    await using road = await startOnTheRoad(observe);
    road.v1.server.removeAllListeners('request').on('request', (_req, res) => void res.writeHead(410).end('{}'));
    const client = await connectRaw(road.proxy.port);
    const body = JSON.stringify(message);
    client.write(
      `POST /v1/messages/send HTTP/1.1\r\nHost: a\r\nx-api-key: k\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await road.proxy.log.waitFor('rollout_changed_over');
    client.write(body.slice(10));
    expect((await client.readAnswer('POST')).status).toBe(200);
    expect(road.v2.seen).toMatchObject([{ body }]);
  });

  it('a body longer than is kept gets the answer of v1, and goes nowhere twice', async () => {
    await using road = await startOnTheRoad(observe, { v1: gone, maxBody: 64 });
    const reply = await call(road.proxy.url, 'POST /v1/contacts', { key: 'k', json: { name: 'a'.repeat(100) } });
    expect([reply.status, road.v2.seen.length]).toEqual([410, 0]);
  });

  it('everything stays where the configuration says so', async () => {
    await using road = await startOnTheRoad({ ...observe, atSunset: 'stay' }, { v1: gone });
    const replies = [
      await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' }),
      await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' }),
    ];
    expect([replies.map(({ status }) => status), road.v2.seen.length]).toEqual([[410, 410], 0]);
  });
});

const afterTheSunset = Date.parse('2027-01-01T00:00:00Z');

describe('past the sunset', () => {
  it('a call that cannot reach v1 goes to v2: nobody else was sent it', async () => {
    await using road = await startOnTheRoad(observe, { v1Base: 'http://127.0.0.1:9', now: () => afterTheSunset });
    expect((await call(road.proxy.url, 'POST /v1/messages/send', { key: 'k', json: message })).status).toBe(200);
    expect(road.v2.seen).toHaveLength(1);
  });

  it('a v1 that refuses ten calls in a row, and a list besides, is gone, and those ten are answered by it', async () => {
    await using road = await startOnTheRoad(observe, { v1: json(403, {}), now: () => afterTheSunset });
    const status = async (): Promise<number> => (await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' })).status;
    for (let i = 0; i < 10; i++) expect(await status()).toBe(403);
    await road.proxy.log.waitFor('rollout_changed_over');
    expect([await status(), road.v2.seen.length]).toEqual([200, 1]);
  });

  it('a v1 that refuses keys which nobody knows is not gone', async () => {
    await using road = await startOnTheRoad(observe, { v1: json(401, {}), now: () => afterTheSunset });
    for (let i = 0; i < 20; i++) await call(road.proxy.url, 'GET /v1/contacts');
    expect([road.v2.seen.length, road.proxy.log.of('rollout_changed_over').length]).toEqual([0, 0]);
  });

  it('a v1 that answers one call in between is not gone', async () => {
    let calls = 0;
    await using road = await startOnTheRoad(observe, {
      v1: (req, res) => json(++calls % 5 === 0 ? 200 : 403, {})(req, res),
      now: () => afterTheSunset,
    });
    for (let i = 0; i < 20; i++) await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' });
    expect(road.v2.seen).toHaveLength(0);
  });
});

it('before the sunset, a v1 that is down is down', async () => {
  await using road = await startOnTheRoad(observe, { v1Base: 'http://127.0.0.1:9' });
  expect((await call(road.proxy.url, 'GET /v1/contacts', { key: 'k' })).status).toBe(502);
  expect(road.v2.seen).toHaveLength(0);
});

it('across midnight, under load, not one call fails and none is carried out twice', async () => {
  await using sandbox = await startSandbox({ clock: '2026-12-30T23:59:00Z' });
  await using proxy = await startTestProxy(sandbox.url, { v1Base: sandbox.url, rollout: rulesOf(observe), now: sandbox.clock.now });
  const key = sandbox.demo.readWriteKey;
  const sent: string[] = [];
  const failed: unknown[] = [];
  const over = new AbortController();
  const client = async (name: number): Promise<void> => {
    for (let i = 0; !over.signal.aborted || i < 5; i++) {
      const email = `c${name}-${i}@example.com`;
      const reply = await call(proxy.url, 'POST /v1/contacts', {
        key,
        json: { name: email, email, phone: `+49170${name}${String(i).padStart(6, '0')}` },
      });
      if (reply.status >= 200 && reply.status < 300) sent.push(email);
      // The limits of the demo workspace are no failure of the road.
      else if (reply.status !== 429) failed.push([reply.status, reply.text]);
    }
  };
  const clients = Array.from({ length: 8 }, (_, name) => client(name));
  await proxy.log.waitFor('deprecated_use', 40);
  sandbox.clock.set('2026-12-31T00:00:00Z');
  await proxy.log.waitFor('rollout_changed_over');
  over.abort();
  await Promise.all(clients);
  expect(failed).toEqual([]);
  expect(new Set(sent).size).toBe(sent.length);
  const outcomes = new Set(proxy.log.of('deprecated_use').map(({ outcome }) => outcome));
  expect([...outcomes].toSorted()).toEqual(['observed', 'translated']);
});
