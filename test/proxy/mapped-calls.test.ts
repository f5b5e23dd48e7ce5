import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MappingConfig } from '../../proxy/mappings.ts';
import { type SeenRequest, startRawUpstream, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const key = 'sk_test_0123456789';
const phone = '+15550100';
const message = { channel: 'SMS', to: phone, content: 'Hi' };
const json = { 'x-api-key': key, 'content-type': 'application/json' };

interface V2Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly fields?: Readonly<Record<string, string | string[]>>;
}

/** One call through a proxy with these mappings. */
async function call(
  mappings: MappingConfig,
  path: string,
  init: RequestInit,
  { status, body, fields }: V2Answer = { status: 200, body: '{}' },
) {
  await using v2 = await startRecordingUpstream((_req, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...fields }).end(body);
  });
  await using proxy = await startTestProxy(v2.url, { mappings });
  const response = await fetch(proxy.url + path, init);
  const text = await response.text();
  return { status: response.status, text, seen: v2.seen, headers: response.headers, log: proxy.log };
}

const post = (body: RequestInit['body'], headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body,
});
const field = ({ rawHeaders }: SeenRequest, name: string): string[] =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);

const invalidJson = { success: false, error: 'Invalid JSON' };

describe('a request that cannot be mapped', () => {
  const contact: MappingConfig = { createContact: { request: { body: '{"mobile": phone}' } } };

  it.each([
    ['is not JSON', '{"phone":'],
    ['is empty', ''],
    ['has a name that is reserved', '{"__proto__": {"phone": "1"}}'],
  ])('because its body %s is a 400 of v1 and never reaches v2', async (_name, body) => {
    const answer = await call(contact, '/v1/contacts', post(body));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, invalidJson]);
    expect(answer.seen).toEqual([]);
    expect(answer.log.of('deprecated_use')).toMatchObject([{ status: 400, outcome: 'local' }]);
    expect(answer.log.of('mapping_failed')).toEqual([]);
  });

  it('because its query has a name that is reserved is a 400 of v1 and never reaches v2', async () => {
    const mappings = { listContacts: { request: { query: '$' } } };
    const answer = await call(mappings, '/v1/contacts?__proto__=1', { headers: json });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, invalidJson]);
    expect(answer.seen).toEqual([]);
  });

  it.each<[string, MappingConfig, string, string]>([
    ['request.body', { createContact: { request: { body: '$number(phone)' } } }, '/v1/contacts', 'D3030 at character 8'],
    ['request.body', { createContact: { request: { body: 'nothing' } } }, '/v1/contacts', 'the expression gave nothing'],
    ['request.query', { createContact: { request: { query: '$number(q)' } } }, '/v1/contacts?q=private', 'D3030 at character 8'],
  ])('because the expression for %s does not fit is a failure of the proxy that names the place', async (place, mappings, path, said) => {
    const answer = await call(mappings, path, post('{"phone":"private"}'));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([500, { success: false, code: 'PROXY_INTERNAL' }]);
    expect(answer.seen).toEqual([]);
    const [line, ...others] = answer.log.of('mapping_failed');
    expect(line).toMatchObject({ level: 50, endpoint: 'POST /v1/contacts', place, code: 'MAPPING_FAILED' });
    expect(line?.['msg']).toContain(`mappings.createContact.${place}: ${said}`);
    expect(others).toEqual([]);
    expect(JSON.stringify(answer.log.lines)).not.toContain('private');
  });
});

describe('a request that is mapped and cannot be read is a 400 of v1 that says why, and never reaches v2', () => {
  const contact: MappingConfig = { createContact: { request: { body: '$' } } };
  const latin1 = Buffer.from('{"name":"Zo\u00eb"}', 'latin1');

  it.each<[string, Buffer, Record<string, string>, string]>([
    ['in ISO-8859-1 that is called nothing', latin1, {}, 'not in UTF-8'],
    ['in ISO-8859-1 that is called UTF-8', latin1, { 'content-type': 'application/json; charset=utf-8' }, 'not in UTF-8'],
    ['in a charset of nobody', latin1, { 'content-type': 'application/json; charset=klingon' }, 'charset'],
    ['in compress', latin1, { 'content-encoding': 'compress' }, 'Content-Encoding'],
    ['in gzip, which it is not', latin1, { 'content-encoding': 'gzip' }, 'Content-Encoding'],
  ])('%s', async (_what, body, headers, said) => {
    const answer = await call(contact, '/v1/contacts', post(body, headers));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { success: false, error: expect.stringContaining(said) }]);
    expect(answer.seen).toEqual([]);
  });

  it('but in the charset that it names it is read, and sent on in UTF-8', async () => {
    const answer = await call(contact, '/v1/contacts', post(latin1, { 'content-type': 'application/json; charset=iso-8859-1' }));
    expect(answer.seen.map((seen) => [seen.body, ...field(seen, 'content-type')])).toEqual([['{"name":"Zo\u00eb"}', 'application/json']]);
  });
});

describe('v2 is asked for no coding that cannot be read here', () => {
  const getContact = { response: { body: '$' } };

  it.each<[string, MappingConfig, string | undefined, string[]]>([
    ['where the client names one', {}, 'compress, gzip', ['gzip']],
    ['where the client names nothing and the answer must be read', { getContact }, undefined, ['identity']],
    ['where the client names what can be', { getContact }, 'br;q=0.5', ['br;q=0.5']],
  ])('%s', async (_what, mappings, asked, told) => {
    const v2 = await startRecordingUpstream();
    const proxy = await startTestProxy(v2.url, { mappings });
    // fetch would name some itself.
    const client = await connectRaw(proxy.port);
    const line = asked === undefined ? '' : `Accept-Encoding: ${asked}\r\n`;
    client.write(`GET /v1/contacts/c_1 HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n${line}\r\n`);
    expect((await client.readAnswer()).status).toBe(200);
    client.end();
    expect(v2.seen.map((seen) => field(seen, 'accept-encoding'))).toEqual([told]);
    await proxy.drain();
    await v2[Symbol.asyncDispose]();
  });
});

describe('a request that is mapped', () => {
  const send = { sendMessage: { request: { body: '{"recipient": to}' } } };

  it('is decoded first, and described anew', async () => {
    const answer = await call(send, '/v1/messages/send', post(gzipSync(JSON.stringify(message)), { 'content-encoding': 'gzip' }));
    const [seen] = answer.seen;
    expect(answer.status).toBe(200);
    expect(seen?.body).toBe(`{"recipient":"${phone}"}`);
    expect(seen && [field(seen, 'content-encoding'), field(seen, 'content-type')]).toEqual([[], ['application/json']]);
  });

  it('may begin with a byte order mark', async () => {
    const answer = await call(send, '/v1/messages/send', post(`\ufeff${JSON.stringify(message)}`));
    expect(answer.seen.map(({ body }) => body)).toEqual([`{"recipient":"${phone}"}`]);
  });

  it('gets a body where the expression gives one for an absent optional body', async () => {
    const mappings = { sendCampaign: { request: { body: '{"confirm": true}' } } };
    const answer = await call(mappings, '/v1/campaigns/c_1/send', { method: 'POST', headers: { 'x-api-key': key } });
    const [seen] = answer.seen;
    expect(seen?.body).toBe('{"confirm":true}');
    expect(seen && field(seen, 'content-type')).toEqual(['application/json']);
  });

  it('stays without a body where the expression gives none for an absent one', async () => {
    const mappings = { sendCampaign: { request: { body: 'audience' } } };
    const answer = await call(mappings, '/v1/campaigns/c_1/send', { method: 'POST', headers: { 'x-api-key': key } });
    const [seen] = answer.seen;
    expect(seen?.body).toBe('');
    expect(seen && field(seen, 'content-type')).toEqual([]);
  });

  it('keeps the bytes of its query, whatever their charset', async () => {
    const mappings = { listContacts: { request: { query: '{"q": search, "page": page}' } } };
    const answer = await call(mappings, '/v1/contacts?page=2&search=gr%FCn', { headers: json });
    expect([answer.status, answer.seen.map(({ url }) => url)]).toEqual([200, ['/v2/contacts?q=gr%FCn&page=2']]);
  });

  it('keeps its body where only its query is mapped', async () => {
    const mappings = { createCampaign: { request: { query: '{"dry": "1"}' } } };
    const body = '{"name":12345678901234567890}';
    const answer = await call(mappings, '/v1/campaigns', post(body));
    expect(answer.seen.map((seen) => `${seen.url} ${seen.body}`)).toEqual([`/v2/campaigns?dry=1 ${body}`]);
  });
});

describe('an answer', () => {
  const mappings = { getContact: { response: { body: '{"contact": data}' } } };
  const get = (answer: V2Answer, init: RequestInit = { headers: json }): ReturnType<typeof call> =>
    call(mappings, '/v1/contacts/c_1', init, answer);

  it('that is not JSON, whatever it says, is relayed as it is with an error in the log', async () => {
    const answer = await get({ status: 200, body: '{"data":' });
    expect([answer.status, answer.text]).toEqual([200, '{"data":']);
    expect(answer.log.of('mapping_failed')).toMatchObject([{ place: 'response.body', code: 'MAPPING_INPUT' }]);
  });

  it("that the expression cannot turn into v1's is relayed as it is, with an error in the log that quotes nothing", async () => {
    const failing = { getContact: { response: { body: '$number(data.phone)' } } };
    const body = '{"data":{"phone":"private"}}';
    const answer = await call(failing, '/v1/contacts/c_1', { headers: json }, { status: 200, body });
    expect([answer.status, answer.text]).toEqual([200, body]);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.log.of('mapping_failed')).toMatchObject([
      { level: 50, endpoint: 'GET /v1/contacts/:id', place: 'response.body', code: 'MAPPING_FAILED' },
    ]);
    expect(answer.log.of('deprecated_use')).toMatchObject([{ status: 200, outcome: 'translated' }]);
    expect(JSON.stringify(answer.log.lines)).not.toContain('private');
  });

  it.each<[string, V2Answer, RequestInit]>([
    ['204', { status: 204 }, { headers: json }],
    ['304', { status: 304 }, { headers: { ...json, 'if-none-match': '"a"' } }],
    ['with Content-Length: 0', { status: 200, fields: { 'Content-Length': '0' } }, { headers: json }],
    ['of no chunks', { status: 200, body: '', fields: { 'Transfer-Encoding': 'chunked' } }, { headers: json }],
    ['to HEAD', { status: 200, fields: { 'Content-Length': '9' } }, { headers: json, method: 'HEAD' }],
  ])('%s is not mapped', async (_name, v2Answer, init) => {
    const answer = await get(v2Answer, init);
    expect([answer.status, answer.text]).toEqual([v2Answer.status, '']);
    expect(answer.log.of('mapping_failed')).toEqual([]);
  });

  it('that says that something failed is not mapped', async () => {
    const answer = await get({ status: 404, body: '{"data":1}' });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { success: false, error: 'Not found' }]);
  });

  it('longer than the bound is a failure and not cut', async () => {
    const answer = await get({ status: 200, body: JSON.stringify({ data: 'x'.repeat(1024 * 1024) }) });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { code: 'PROXY_UPSTREAM_TOO_LARGE' }]);
  });
});

describe('an answer to be mapped', () => {
  const mappings = { getContact: { response: { body: '{"contact": data}' } }, sendMessage: { response: { body: '{"messageId": id}' } } };
  const latin1 = Buffer.from('{"data":"Zo\u00eb"}', 'latin1');
  const get = (answer: V2Answer): ReturnType<typeof call> => call(mappings, '/v1/contacts/c_1', { headers: json }, answer);
  const send = (answer: V2Answer): ReturnType<typeof call> => call(mappings, '/v1/messages/send', post(JSON.stringify(message)), answer);

  it('may begin with a byte order mark', async () => {
    expect(JSON.parse((await get({ status: 200, body: '\ufeff{"data":1}' })).text)).toEqual({ contact: 1 });
  });

  it('is read in the charset that it names', async () => {
    const answer = await get({ status: 200, body: latin1, fields: { 'Content-Type': 'application/json; charset=iso-8859-1' } });
    expect(JSON.parse(answer.text)).toEqual({ contact: 'Zo\u00eb' });
  });

  it.each([
    ['raw deflate', deflateRawSync('{"id":"m_1"}'), 'deflate'],
    ['gzip twice', gzipSync(gzipSync('{"id":"m_1"}')), 'gzip, gzip'],
    ['gzip twice, in two fields', gzipSync(gzipSync('{"id":"m_1"}')), ['gzip', 'gzip']],
  ])('is read in %s', async (_what, body, coding) => {
    const answer = await send({ status: 200, body, fields: { 'Content-Encoding': coding } });
    expect([answer.status, answer.text]).toEqual([200, '{"messageId":"m_1"}']);
  });

  it('in another charset than it names passes as it came, byte for byte, with an error in the log', async () => {
    const v2Answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${latin1.length}\r\n\r\n`;
    await using v2 = await startRawUpstream((socket) =>
      socket.once('data', () => void socket.write(Buffer.concat([Buffer.from(v2Answer), latin1]))),
    );
    await using proxy = await startTestProxy(v2.url, { mappings });
    const response = await fetch(`${proxy.url}/v1/contacts/c_1`, { headers: json });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(latin1);
    expect(proxy.log.of('mapping_failed')).toMatchObject([{ level: 50, place: 'response.body', code: 'MAPPING_INPUT' }]);
  });

  const unreadable: [string, V2Answer, string][] = [
    ['in compress', { status: 201, body: 'x', fields: { 'Content-Encoding': 'compress' } }, 'PROXY_UPSTREAM_INVALID'],
    ['in gzip, which it is not', { status: 201, body: '{}', fields: { 'Content-Encoding': 'gzip' } }, 'PROXY_UPSTREAM_INVALID'],
    ['longer than is read', { status: 201, body: JSON.stringify({ id: 'x'.repeat(1024 * 1024) }) }, 'PROXY_UPSTREAM_TOO_LARGE'],
    ['in text', { status: 201, body: 'queued', fields: { 'Content-Type': 'text/plain' } }, 'PROXY_UPSTREAM_INVALID'],
    ['that breaks off', { status: 201, body: '{"id"', fields: { 'Content-Length': '99' } }, 'PROXY_UPSTREAM_INVALID'],
  ];

  it.each(unreadable)('of a send that v2 carried out, %s, is told as the success that it is', async (_what, v2Answer, code) => {
    const answer = await brokenOff(v2Answer, 'POST', '/v1/messages/send', JSON.stringify(message));
    expect([answer.status, answer.text, answer.encoding]).toEqual([201, '{"success":true}', null]);
    expect(answer.log.of('answer_unread')).toMatchObject([{ level: 50, endpoint: 'POST /v1/messages/send', code }]);
    await answer.log.waitFor('deprecated_use');
    expect(answer.log.of('deprecated_use')).toMatchObject([{ status: 201, outcome: 'translated' }]);
  });

  it('of a send that v2 carried out is mapped, too, where it is JSON under another name', async () => {
    const answer = await send({ status: 201, body: '{"id":"m_1"}', fields: { 'Content-Type': 'text/json' } });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      201,
      '{"messageId":"m_1"}',
      'application/json; charset=utf-8',
    ]);
  });

  it.each(unreadable)('of a read, %s, is a failure', async (_what, v2Answer, code) => {
    const answer = await brokenOff(v2Answer, 'GET', '/v1/contacts/c_1');
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { success: false, code }]);
  });

  /** A call to a v2 that closes the connection behind its answer, whether that is whole or not. */
  async function brokenOff({ status, body, fields }: V2Answer, method: string, path: string, sent?: string) {
    await using v2 = await startRecordingUpstream((_req, res) => {
      res.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...fields });
      res.write(body ?? '', () => setImmediate(() => (fields?.['Content-Length'] === undefined ? res.end() : res.socket?.destroy())));
    });
    await using proxy = await startTestProxy(v2.url, { mappings });
    const response = await fetch(proxy.url + path, { method, headers: json, body: sent ?? null });
    const text = await response.text();
    expect(v2.seen.filter((seen) => seen.method === 'POST')).toHaveLength(method === 'POST' ? 1 : 0);
    return { status: response.status, text, encoding: response.headers.get('content-encoding'), log: proxy.log };
  }
});
