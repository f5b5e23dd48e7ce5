import { describe, expect, it } from 'vitest';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { type SeenRequest, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const key = 'sk_test_0123456789';
const send = { channel: 'SMS', to: '+15550100', content: 'Hi' };
const jsonCall = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

function fieldsOf({ rawHeaders }: SeenRequest, name: string): string[] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name ? [value] : []));
}

describe('a translated request', () => {
  it.each(endpointIds(v1Endpoints))('%s reaches its successor with the key as a Bearer credential', async (id) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const { method, path, body, successor } = v1Endpoints[id];
    const target = path.replace(':id', 'a%2Fb%C3%A9');
    const withBody =
      body === 'none' ? {} : { body: JSON.stringify(send), headers: { 'x-api-key': key, 'content-type': 'application/json' } };
    const response = await fetch(`${proxy.url}${target}?page=1&q=%20x`, { method, headers: { 'x-api-key': key }, ...withBody });
    expect(response.status).toBe(200);
    expect(v2.seen).toHaveLength(1);
    const [seen] = v2.seen;
    expect(seen?.method).toBe(method);
    expect(seen?.url).toBe(`${target.replace('/v1/', '/v2/')}?page=1&q=%20x`);
    expect(seen && fieldsOf(seen, 'authorization')).toEqual([`Bearer ${key}`]);
    expect(seen && fieldsOf(seen, 'x-api-key')).toEqual([]);
    expect(seen?.body).toBe(body === 'none' ? '' : JSON.stringify(send));
    expect(successor).toBe(id);
  });

  it('comes after the path of the v2 base', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(`${v2.url}/api/`);
    await fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key } });
    expect(v2.seen[0]?.url).toBe('/api/v2/messages');
  });

  it("carries neither the client's Authorization nor its cookies", async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    await fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key, authorization: 'Bearer dashboard', cookie: 'session=1' } });
    expect(v2.seen[0] && fieldsOf(v2.seen[0], 'authorization')).toEqual([`Bearer ${key}`]);
    expect(v2.seen[0] && fieldsOf(v2.seen[0], 'cookie')).toEqual([]);
  });

  it('names the proxy in Via and v2 in Host', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    await fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key, via: '1.0 other' } });
    expect(v2.seen[0] && fieldsOf(v2.seen[0], 'via')).toEqual(['1.0 other', '1.1 migrate-v2']);
    expect(v2.seen[0] && fieldsOf(v2.seen[0], 'host')).toEqual([new URL(v2.url).host]);
  });

  it('renames the query parameters that the configuration renames', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url, { queryRenames: { listContacts: { page: 'offset' } } });
    await fetch(`${proxy.url}/v1/contacts?page=2&limit=%31`, { headers: { 'x-api-key': key } });
    await fetch(`${proxy.url}/v1/messages?page=2`, { headers: { 'x-api-key': key } });
    expect(v2.seen.map(({ url }) => url)).toEqual(['/v2/contacts?offset=2&limit=%31', '/v2/messages?page=2']);
  });

  it('uses the v2 key that the key map gives, and refuses keys it does not list', async () => {
    await using v2 = await startRecordingUpstream();
    const keyMap = { lookup: (v1: string) => (v1 === key ? 'v2-key' : undefined), close: () => undefined };
    await using proxy = await startTestProxy(v2.url, { keyMap });
    await fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': key } });
    const refused = await fetch(`${proxy.url}/v1/messages`, { headers: { 'x-api-key': 'unlisted' } });
    expect(v2.seen.map((seen) => fieldsOf(seen, 'authorization'))).toEqual([['Bearer v2-key']]);
    expect([refused.status, await refused.json()]).toEqual([401, { success: false, error: 'Invalid API key' }]);
  });

  it('maps query, request body and response body by the configured expressions', async () => {
    await using v2 = await startRecordingUpstream(
      (_req, res) => void res.writeHead(202, { 'Content-Type': 'application/json' }).end('{"message":{"id":12345678901234567890}}'),
    );
    const mappings = {
      sendMessage: {
        request: { query: '$merge([$, {"dry": "1"}])', body: '{"type": channel, "recipient": to, "text": content}' },
        response: { body: '{"success": true, "messageId": message.id}' },
      },
    };
    await using proxy = await startTestProxy(v2.url, { mappings });
    const response = await fetch(`${proxy.url}/v1/messages/send?a=b`, jsonCall(send));
    expect(v2.seen[0]?.url).toBe('/v2/messages/send?a=b&dry=1');
    expect(v2.seen[0]?.body).toBe('{"type":"SMS","recipient":"+15550100","text":"Hi"}');
    expect([response.status, await response.text()]).toEqual([202, '{"success":true,"messageId":12345678901234567890}']);
  });
});

describe('what v1 itself would refuse', () => {
  it.each<[string, string, RequestInit, number, string]>([
    ['no key', '/v1/messages', {}, 401, 'Missing API key'],
    ['an empty key', '/v1/messages', { headers: { 'x-api-key': '' } }, 401, 'Missing API key'],
    ['a Bearer alone', '/v1/messages', { headers: { authorization: `Bearer ${key}` } }, 401, 'Missing API key'],
    ['a key with a space', '/v1/messages', { headers: { 'x-api-key': 'a b' } }, 401, 'Invalid API key'],
    ['a path that is no endpoint', '/v1/nothing', { headers: { 'x-api-key': key } }, 404, 'Not found'],
    ['a method that is not listed', '/v1/contacts/1', { method: 'DELETE', headers: { 'x-api-key': key } }, 404, 'Not found'],
    [
      'no Content-Type',
      '/v1/messages/send',
      { method: 'POST', headers: { 'x-api-key': key }, body: Buffer.from('{}') },
      400,
      'Content-Type must be application/json',
    ],
    ['another Content-Type', '/v1/contacts', jsonCall({}, { 'content-type': 'text/plain' }), 400, 'Content-Type must be application/json'],
    ['invalid JSON', '/v1/messages/send', { ...jsonCall(send), body: '{"channel":' }, 400, 'Invalid JSON'],
    ['no channel', '/v1/messages/send', jsonCall({ ...send, channel: undefined }), 400, 'Missing required field: channel'],
    ['no recipient', '/v1/messages/send', jsonCall({ ...send, to: '' }), 400, 'Missing required field: to'],
    ['no content', '/v1/messages/send', jsonCall({ ...send, content: null }), 400, 'Missing required field: content'],
    [
      'a channel outside the enum',
      '/v1/messages/send',
      jsonCall({ ...send, channel: 'sms' }),
      400,
      'channel must be one of WHATSAPP, SMS, EMAIL',
    ],
  ])('%s is answered without spending v2 quota', async (_name, path, init, status, error) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const response = await fetch(`${proxy.url}${path}`, init);
    expect([response.status, await response.json()]).toEqual([status, { success: false, error }]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(v2.seen).toEqual([]);
    const [line] = await proxy.log.waitFor('deprecated_use');
    expect(line).toMatchObject({ outcome: 'local', status });
  });

  it.each([
    ['a byte order mark', '\ufeff{"channel":"SMS","to":"1","content":"x"}', {}],
    ['a number as the recipient', '{"channel":"SMS","to":15550100,"content":"x"}', {}],
    ['another charset', 'not checked here', { 'content-type': 'application/json; charset=utf-16' }],
    ['a compressed body', 'not checked here', { 'content-encoding': 'gzip' }],
  ])('leaves %s to v2 to judge', async (_name, body, headers: Record<string, string>) => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const response = await fetch(`${proxy.url}/v1/messages/send`, { ...jsonCall(send, headers), body });
    expect(response.status).toBe(200);
    expect(v2.seen[0]?.body).toBe(body);
  });

  it('is a body beyond the bound, with 413 in the shape of v1', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url, { maxBody: 1000 });
    const response = await fetch(`${proxy.url}/v1/messages/send`, jsonCall({ ...send, content: 'x'.repeat(1000) }));
    expect([response.status, await response.json()]).toMatchObject([413, { success: false, code: 'PROXY_BODY_TOO_LARGE' }]);
    expect(v2.seen).toEqual([]);
  });
});
