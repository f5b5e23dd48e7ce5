import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Call } from '../../proxy/call.ts';
import { addressOfContact, completeConflict } from '../../proxy/conflict.ts';
import { createProxy } from '../../proxy/handler.ts';
import { matchRoute } from '../../proxy/route.ts';
import type { Translation } from '../../proxy/translation.ts';
import { proxyOptions, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const key = 'sk_test_0123456789';
const sent = { phone: '+1555', email: 'b@example.com' };

type Contacts = readonly Readonly<Record<string, string>>[];

/** Creates a contact where v2 says 409 without showing the existing one, and lists these contacts by what is searched for. */
async function conflict(lists: Readonly<Record<string, Contacts>>, body: string | Buffer<ArrayBuffer> = JSON.stringify(sent), fields = {}) {
  await using v2 = await startRecordingUpstream((req, res) => {
    const search = new URL(req.url ?? '', 'http://v2').searchParams.get('search');
    const found = search === null ? [] : (lists[search] ?? []);
    res.writeHead(req.method === 'GET' ? 200 : 409, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data: found }));
  });
  await using proxy = await startTestProxy(v2.url);
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...fields };
  const response = await fetch(`${proxy.url}/v1/contacts`, { method: 'POST', headers, body });
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

  const byZoe = { id: 'con_4', phone: '+1556', email: 'zo\u00eb@example.com' };
  const ofZoe = JSON.stringify({ email: byZoe.email, name: 'Zo\u00eb' });

  it.each<[string, Buffer<ArrayBuffer>, Record<string, string>]>([
    ['gzip', gzipSync(ofZoe), { 'content-encoding': 'gzip' }],
    ['brotli', brotliCompressSync(ofZoe), { 'content-encoding': 'br' }],
    ['ISO-8859-1', Buffer.from(ofZoe, 'latin1'), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['UTF-8 behind a byte order mark', Buffer.from(`\ufeff${ofZoe}`), {}],
  ])('reads what was sent in %s', async (_name, body, fields) => {
    const { data, searches } = await conflict({ [byZoe.email]: [byZoe] }, body, fields);
    expect([data, texts(searches)]).toEqual([byZoe, [byZoe.email]]);
  });

  it('goes by the phone number where another field is in no charset that is known', async () => {
    const { data } = await conflict({ '+1555': [byPhone] }, Buffer.from('{"phone":"+1555","name":"Zo\u00eb"}', 'latin1'));
    expect(data).toEqual(byPhone);
  });

  it('asks for the largest page, as many newer contacts may contain what it looks for', async () => {
    const { searches } = await conflict({});
    expect(searches.map((each) => each.get('limit'))).toEqual(['100', '100']);
  });

  it('spends no call of the quota once the client has gone', async () => {
    await using v2 = await startRecordingUpstream();
    const proxy = createProxy(proxyOptions(v2.url));
    const completed = Promise.withResolvers<void>();
    const match = matchRoute('POST', '/v1/contacts', true);
    const listener: RequestListener = (req, res) => {
      const call = new Call(req, res, proxy.context);
      res.destroy();
      const sentBody = Buffer.from(JSON.stringify(sent));
      const translation: Translation = {
        ...match!,
        query: '',
        v1Key: key,
        v2Key: key,
        purpose: proxy.context.budget.accounts.purposeOf(key, undefined, 'createContact'),
        mapping: undefined,
        fields: [],
        body: sentBody,
        sentBody,
      };
      void once(res, 'close')
        .then(() => completeConflict(call, translation, {}, { error: {}, fields: [] }))
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

describe('a contact that v2 names in the head of its 409', () => {
  const contact = { id: 'con_9', phone: '+1555', email: 'b@example.com' };

  /** Creates or updates a contact where v2 answers 409 with these fields, and has one contact. */
  async function named(fields: Record<string, string>, { path = '/v1/contacts', body = { data: contact } as unknown } = {}) {
    await using v2 = await startRecordingUpstream((req, res) => {
      const json = { 'Content-Type': 'application/json' };
      if (req.method !== 'GET') res.writeHead(409, { ...json, ...fields }).end('{"error":"exists"}');
      else if (/^\/v2\/contacts\/con(?:_|%5f)9(?:\?.*)?$/.test(req.url ?? '')) res.writeHead(200, json).end(JSON.stringify(body));
      else res.writeHead(200, json).end('{"data":[]}');
    });
    await using elsewhere = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    for (const [name, value] of Object.entries(fields)) {
      fields[name] = value.replaceAll('{v2}', v2.url).replaceAll('{elsewhere}', elsewhere.url).replaceAll('{port}', String(v2.port));
    }
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(proxy.url + path, {
      method: path === '/v1/contacts' ? 'POST' : 'PUT',
      headers,
      body: JSON.stringify(sent),
    });
    const answer = (await response.json()) as { data?: unknown; existed?: unknown };
    expect([response.status, answer.existed, elsewhere.seen]).toEqual([409, true, []]);
    return { data: answer.data, gets: v2.seen.flatMap((seen) => (seen.method === 'GET' ? [seen.url.replace(/\?search=.*/, '')] : [])) };
  }

  it.each<[string, Record<string, string>]>([
    ['a path in Location', { Location: '/v2/contacts/con_9' }],
    ['an address in Location', { Location: '{v2}/v2/contacts/con_9' }],
    ['a path in Content-Location', { 'Content-Location': '/v2/contacts/con_9' }],
    ['a fragment behind it', { Location: '/v2/contacts/con_9#x' }],
    ['a Location that leads elsewhere beside it', { Location: '{elsewhere}/v2/contacts/x', 'Content-Location': '/v2/contacts/con_9' }],
  ])('by %s is read with one GET, and nothing is searched for', async (_name, fields) => {
    expect(await named(fields)).toEqual({ data: contact, gets: ['/v2/contacts/con_9'] });
  });

  it.each(['/v2/contacts/con_9?expand=all', '/v2/contacts/con%5f9', '/v2/contacts/con%5f9?x=%2F'])(
    'by %s is read as v2 writes it',
    async (Location) => {
      expect(await named({ Location })).toEqual({ data: contact, gets: [Location] });
    },
  );

  it.each([
    ['in data', { data: contact }],
    ['in data.contact', { data: { contact } }],
    ['in contact', { contact }],
    ['alone', contact],
    ['with its phone number written otherwise', { data: { ...contact, phone: '+1 (555)', email: null } }],
    ['without what was sent', { data: { id: 'con_9' } }],
  ])('may stand %s', async (_name, body) => {
    expect((await named({ Location: '/v2/contacts/con_9' }, { body })).data).toMatchObject({ id: 'con_9' });
  });

  it.each([
    ['a failure', { success: false }],
    ['a failure with data', { success: false, data: contact }],
    ['an envelope without one', { success: true, count: 0 }],
    ['one that has neither', { data: { ...contact, phone: '+1556', email: 'c@example.com' } }],
    ['one without them', { data: { ...contact, phone: null, email: null } }],
    ['another that shows neither', { data: { id: 'con_10' } }],
  ])('is searched for where what is read is %s', async (_name, body) => {
    const { data, gets } = await named({ Location: '/v2/contacts/con_9' }, { body });
    expect([data, gets]).toEqual([undefined, ['/v2/contacts/con_9', '/v2/contacts', '/v2/contacts']]);
  });

  it.each([
    ['another host', '{elsewhere}/v2/contacts/con_9'],
    ['another host without a scheme', '//127.0.0.1:9/v2/contacts/con_9'],
    ['another host behind backslashes', '\\\\127.0.0.1:9\\v2\\contacts\\con_9'],
    ['another port', 'http://127.0.0.1:9/v2/contacts/con_9'],
    ['another scheme', 'https://127.0.0.1:{port}/v2/contacts/con_9'],
    ['a scheme that is no web', 'file:///v2/contacts/con_9'],
    ['another host behind a name', 'http://127.0.0.1:{port}@example.com/v2/contacts/con_9'],
    ['a user at v2', 'http://user:pass@127.0.0.1:{port}/v2/contacts/con_9'],
    ['the list', '/v2/contacts/'],
    ['another resource', '/v2/messages/con_9'],
    ['a resource below', '/v2/contacts/con_9/notes'],
    ['a way out of the contacts', '/v2/contacts/../webhooks'],
    ['an encoded way out', '/v2/contacts/%2e%2e/webhooks'],
    ['an encoded slash', '/v2/contacts/..%2fwebhooks'],
    ['a slash that is encoded twice', '/v2/contacts/con_9%252fnotes'],
    ['an encoding of nothing', '/v2/contacts/con_9%zz'],
    ['v1', '/v1/contacts/con_9'],
    ['what begins like the contacts', '/v2/contactsx/con_9'],
    ['no address', 'http://['],
    ['nothing', ''],
  ])('by %s is not followed, but searched for', async (_name, Location) => {
    expect(await named({ Location })).toEqual({ data: undefined, gets: ['/v2/contacts', '/v2/contacts'] });
  });

  it('that is the one being updated is none', async () => {
    const { gets } = await named({ 'Content-Location': '/v2/contacts/con%5f9' }, { path: '/v1/contacts/con_9' });
    expect(gets).toEqual(['/v2/contacts', '/v2/contacts']);
  });

  it('and is not there is searched for', async () => {
    expect((await named({ Location: '/v2/contacts/con_8' }, { body: [] })).gets).toEqual([
      '/v2/contacts/con_8',
      '/v2/contacts',
      '/v2/contacts',
    ]);
  });

  it.each([
    ['https://api.example.com', 'https://api.example.com/v2/contacts/c', '/v2/contacts/c'],
    ['https://api.example.com/', 'https://API.example.com:443/v2/contacts/c', '/v2/contacts/c'],
    ['https://api.example.com/base', '/base/v2/contacts/c', '/v2/contacts/c'],
    ['https://api.example.com/base/', '/v2/contacts/c', '/v2/contacts/c'],
    ['https://api.example.com/base', 'https://api.example.com/other/v2/contacts/c', undefined],
    ['https://api.example.com', undefined, undefined],
  ])('behind %s by %s is %s', (base, address, path) => {
    expect(addressOfContact(address, new URL(base))?.path).toBe(path);
  });
});
