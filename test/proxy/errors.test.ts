import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const key = 'sk_test_0123456789';
const now = Date.parse('2026-11-20T10:59:30Z');
const contact = { id: 'con_1', phone: '+15550100', email: 'a@example.com' };

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly body?: unknown;
}
type Fields = Record<string, string>;

/** One v1 call against a v2 that answers with this; gives what the client got. */
async function callAgainst(
  v2Answer: { status: number; body?: string | Buffer; fields?: Fields },
  { path = '/v1/messages/1', method = 'GET', body }: Sent = {},
) {
  await using v2 = await startRecordingUpstream(
    (_req, res) => void res.writeHead(v2Answer.status, { 'Content-Type': 'application/json', ...v2Answer.fields }).end(v2Answer.body),
  );
  await using proxy = await startTestProxy(v2.url, { now: () => now });
  const response = await fetch(`${proxy.url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const [line] = await proxy.log.waitFor('deprecated_use');
  return { status: response.status, body: JSON.parse(text) as unknown, headers: response.headers, seen: v2.seen, log: proxy.log, line };
}

const post: Sent = { path: '/v1/campaigns', method: 'POST', body: { name: 'x' } };
const put: Sent = { path: '/v1/contacts/con_9', method: 'PUT', body: { phone: contact.phone } };
const create: Sent = { path: '/v1/contacts', method: 'POST', body: { phone: contact.phone, email: 'new@example.com' } };
const said = JSON.stringify({ error: { message: 'Said by v2', code: 'V2_CODE' } });

describe('translating an error by its status', () => {
  it.each<[number, Sent, string, number, object]>([
    [400, post, said, 400, { success: false, error: 'Said by v2' }],
    [415, post, said, 400, { success: false, error: 'Said by v2' }],
    [422, post, '', 400, { success: false, error: 'Bad request' }],
    [401, {}, said, 401, { success: false, error: 'Invalid API key' }],
    [401, {}, '{"error":{"message":"Token has expired"}}', 401, { success: false, error: 'API key expired' }],
    [401, {}, '{"error":{"code":"KEY_EXPIRED"}}', 401, { success: false, error: 'API key expired' }],
    [403, post, said, 403, { success: false, error: 'Said by v2', code: 'API_KEY_PERMISSION' }],
    [403, put, '', 403, { success: false, error: 'API key lacks write permission', code: 'API_KEY_PERMISSION' }],
    [403, {}, '', 403, { success: false, error: 'Forbidden' }],
    [404, {}, '', 404, { success: false, error: 'Not found' }],
    [405, {}, '', 404, { success: false, error: 'Not found' }],
    [410, {}, said, 404, { success: false, error: 'Said by v2' }],
    [409, post, said, 409, { success: false, error: 'Said by v2', code: 'V2_CODE' }],
    [402, post, '', 402, { success: false, error: 'Payment Required' }],
    [500, {}, '', 500, { success: false, error: 'Internal server error' }],
    [500, {}, '<h1>Oops</h1>', 500, { success: false, error: 'Internal server error' }],
    [502, {}, '', 502, { success: false, error: 'Bad Gateway' }],
    [503, {}, said, 503, { success: false, error: 'Said by v2', code: 'V2_CODE' }],
    [418, {}, '', 418, { success: false, error: "I'm a Teapot" }],
  ])('%i on %o with %s becomes %i', async (v2Status, sent, body, status, expected) => {
    const answer = await callAgainst({ status: v2Status, body }, sent);
    expect([answer.status, answer.body]).toEqual([status, expected]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.line).toMatchObject({ outcome: 'translated', status });
  });

  it('reads a compressed error', async () => {
    const answer = await callAgainst({ status: 400, body: gzipSync(said), fields: { 'Content-Encoding': 'gzip' } }, post);
    expect(answer.body).toEqual({ success: false, error: 'Said by v2' });
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  it('goes by the status where a compressed error is broken', async () => {
    const answer = await callAgainst({ status: 404, body: 'not gzip', fields: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.body]).toEqual([404, { success: false, error: 'Not found' }]);
  });

  it('goes by the status where an error has no end in sight', async () => {
    const answer = await callAgainst({ status: 404, body: 'x'.repeat(2_000_000) });
    expect([answer.status, answer.body]).toEqual([404, { success: false, error: 'Not found' }]);
  });

  it('never lets a message quote a key', async () => {
    const answer = await callAgainst({ status: 400, body: JSON.stringify({ error: `bad credential ${key}` }) }, post);
    expect(answer.body).toEqual({ success: false, error: 'Bad request' });
  });

  it("keeps v2's own fields but not those that describe its body or its authentication", async () => {
    const answer = await callAgainst({
      status: 404,
      fields: { 'X-Request-Id': 'r1', ETag: '"e"', 'WWW-Authenticate': 'Bearer', 'Content-Language': 'de' },
    });
    expect(answer.headers.get('x-request-id')).toBe('r1');
    for (const name of ['etag', 'www-authenticate', 'content-language']) expect(answer.headers.get(name)).toBeNull();
  });
});

describe('a limit of v2', () => {
  it("is v1's limit per minute, with the time that v2 gives", async () => {
    const answer = await callAgainst({ status: 429, fields: { 'Retry-After': '42' } });
    expect([answer.status, answer.body]).toEqual([429, { success: false, error: 'Rate limit exceeded', code: 'API_KEY_RATE_LIMITED' }]);
    expect(answer.headers.get('retry-after')).toBe('42');
  });

  it('lasts to the end of the hour where v2 gives no time', async () => {
    expect((await callAgainst({ status: 429 })).headers.get('retry-after')).toBe('30');
  });

  it("is v1's daily limit where v2 calls it daily", async () => {
    const answer = await callAgainst({
      status: 429,
      body: '{"error":{"code":"API_DAILY_LIMIT","message":"Used up","limit":500}}',
      fields: { 'Retry-After': '9' },
    });
    expect(answer.body).toEqual({
      success: false,
      error: 'Used up',
      code: 'API_DAILY_LIMIT',
      limit: 500,
      resetAt: '2026-11-21T00:00:00.000Z',
      upgradeUrl: '/settings/billing',
    });
    expect(answer.headers.get('retry-after')).toBe(String(13 * 3600 + 30));
  });
});

describe('a duplicate contact', () => {
  const big = '{"id":"con_1","phone":"+15550100","credit":12345678901234567890.10}';

  it.each([
    ['data', `{"success":false,"error":"x","existed":true,"data":${big}}`],
    ['error.details.contact', `{"error":{"message":"x","details":{"contact":${big}}}}`],
    ['existing in problem+json', `{"title":"Conflict","detail":"x","existing":${big}}`],
    ['the first error of a list', `{"errors":[{"message":"x","existing":${big}}]}`],
  ])('is taken from %s, with its numbers as they are', async (_place, body) => {
    const answer = await callAgainst({ status: 409, body }, create);
    expect([answer.status, answer.body]).toEqual([409, { success: false, error: 'x', data: JSON.parse(big), existed: true }]);
    expect(answer.seen).toHaveLength(1);
  });

  async function withList(answers: Record<string, string>, sent: Sent, conflict = 'A contact exists') {
    await using v2 = await startRecordingUpstream((req, res) => {
      if (req.method !== 'GET')
        return void res.writeHead(409, { 'Content-Type': conflict.startsWith('{') ? 'application/json' : 'text/plain' }).end(conflict);
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(answers[new URL(req.url ?? '', v2.url).searchParams.get('search') ?? ''] ?? '{"data":[]}');
    });
    await using proxy = await startTestProxy(v2.url);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${proxy.url}${sent.path}`, { method: sent.method ?? 'GET', headers, body: JSON.stringify(sent.body) });
    const body: unknown = await response.json();
    return { status: response.status, body, seen: v2.seen, warnings: proxy.log.of('existing_contact_missing') };
  }

  it('is read with one GET where v2 does not show it', async () => {
    const answer = await withList({ '+15550100': JSON.stringify({ data: [{ ...contact, phone: '+155501001' }, contact] }) }, create);
    expect([answer.status, answer.body]).toEqual([409, { success: false, error: 'A contact exists', data: contact, existed: true }]);
    const seen = answer.seen.map(({ method, url }) => `${method} ${url}`);
    expect(seen).toEqual(['POST /v2/contacts', 'GET /v2/contacts?search=%2B15550100&limit=100']);
  });

  it('is read by email only where its phone number finds nothing', async () => {
    const answer = await withList({ 'new@example.com': JSON.stringify([{ ...contact, email: 'New@example.com' }]) }, create);
    expect(answer.body).toMatchObject({ data: { email: 'New@example.com' }, existed: true });
    expect(answer.seen).toHaveLength(3);
  });

  it('is never the contact that is being updated', async () => {
    const answer = await withList({ '+15550100': JSON.stringify({ items: [{ ...contact, id: 'con_9' }, contact] }) }, put);
    expect(answer.body).toMatchObject({ data: contact, existed: true });
  });

  it('is left out with a warning that names the gap where it is nowhere to be found', async () => {
    const answer = await withList({}, create);
    expect([answer.status, answer.body]).toEqual([409, { success: false, error: 'A contact exists', existed: true }]);
    expect(answer.warnings).toMatchObject([{ endpoint: 'POST /v1/contacts', reason: 'not found by search' }]);
  });

  it.each([
    ['other details of the error', '{"error":{"message":"x","details":{"field":"phone"}}}'],
    ['details beside existed', '{"error":{"message":"x"},"existed":true,"details":{"field":"phone"}}'],
    ['an echo of the request', '{"error":{"message":"x","details":{"phone":"+15550100"}}}'],
  ])('is not mistaken for %s', async (_name, body) => {
    const answer = await withList({}, create, body);
    expect(answer.body).toEqual({ success: false, error: 'x', existed: true });
    expect(answer.warnings).toHaveLength(1);
  });
});
