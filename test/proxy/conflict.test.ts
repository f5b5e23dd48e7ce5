import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Call } from '../../proxy/call.ts';
import { completeConflict } from '../../proxy/conflict.ts';
import { createProxy } from '../../proxy/handler.ts';
import { matchRoute } from '../../proxy/route.ts';
import { proxyOptions, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const key = 'sk_test_0123456789';
const sent = { phone: '+1555', email: 'b@example.com' };

type Contacts = readonly Readonly<Record<string, string>>[];

/** Creates a contact where v2 says 409 without showing the existing one, and lists these contacts by what is searched for. */
async function conflict(lists: Readonly<Record<string, Contacts>>) {
  await using v2 = await startRecordingUpstream((req, res) => {
    const search = new URL(req.url ?? '', 'http://v2').searchParams.get('search');
    const found = search === null ? [] : (lists[search] ?? []);
    res.writeHead(req.method === 'GET' ? 200 : 409, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data: found }));
  });
  await using proxy = await startTestProxy(v2.url);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${proxy.url}/v1/contacts`, { method: 'POST', headers, body: JSON.stringify(sent) });
  const { data } = (await response.json()) as { data?: unknown };
  return { data, searches: v2.seen.flatMap(({ method, url }) => (method === 'GET' ? [new URL(url, v2.url).searchParams] : [])) };
}

const texts = (searches: readonly URLSearchParams[]): (string | null)[] => searches.map((each) => each.get('search'));

describe('the search for the existing contact', () => {
  const byPhone = { id: 'con_1', phone: '+1555', email: 'a@example.com' };
  const byEmail = { id: 'con_2', phone: '+15550100', email: 'b@example.com' };

  it('by phone number does not take a contact that only has the email', async () => {
    const { data, searches } = await conflict({ '+1555': [byEmail, byPhone] });
    expect(data).toEqual(byPhone);
    expect(texts(searches)).toEqual(['+1555']);
  });

  it('by email does not take a contact that only has the phone number', async () => {
    const { data, searches } = await conflict({ 'b@example.com': [byPhone, byEmail] });
    expect(data).toEqual(byEmail);
    expect(texts(searches)).toEqual(['+1555', 'b@example.com']);
  });

  it('goes on to the email where contacts only contain the phone number', async () => {
    const { data, searches } = await conflict({ '+1555': [byEmail], 'b@example.com': [byEmail] });
    expect(data).toEqual(byEmail);
    expect(texts(searches)).toEqual(['+1555', 'b@example.com']);
  });

  it('prefers what is written exactly as sent', async () => {
    const otherCase = { ...byEmail, id: 'con_3', email: 'B@example.com' };
    expect((await conflict({ 'b@example.com': [otherCase, byEmail] })).data).toEqual(byEmail);
    expect((await conflict({ 'b@example.com': [otherCase] })).data).toEqual(otherCase);
  });

  it('asks for the largest page, as many newer contacts may contain what it looks for', async () => {
    const { searches } = await conflict({});
    expect(searches.map((each) => each.get('limit'))).toEqual(['100', '100']);
  });

  it('spends no call of the quota once the client has gone', async () => {
    await using v2 = await startRecordingUpstream();
    const proxy = createProxy(proxyOptions(v2.url));
    const completed = Promise.withResolvers<void>();
    const route = matchRoute('POST', '/v1/contacts', true)?.route;
    const listener: RequestListener = (req, res) => {
      const call = new Call(req, res, proxy.context);
      res.destroy();
      const sending = { call, route: route!, resourceId: undefined, v1Key: key, v2Key: key, body: Buffer.from(JSON.stringify(sent)) };
      void once(res, 'close')
        .then(() => completeConflict({}, {}, { ...sending, mapping: undefined }, proxy.context))
        .then(() => completed.resolve(), completed.reject);
    };
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    await expect(fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/contacts`)).rejects.toThrow('fetch failed');
    await completed.promise;
    await proxy.close();
    expect(v2.seen).toEqual([]);
  });
});
