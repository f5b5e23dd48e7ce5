import { describe, expect, test as base } from 'vitest';
import { sunsetAt } from '../../src/contract/dates.ts';
import { endpointIds, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { listening } from '../helpers/process.ts';
import { call, type CallOptions, type Reply, sandboxFixtures } from '../helpers/sandbox.ts';
import { serve } from '../cli/run.ts';

const test = base.extend(sandboxFixtures);

const sunset = Date.parse(sunsetAt);
const gone = { status: 410, body: { success: false, error: 'API v1 was switched off; use v2' } };

describe('api.md §9: from the sunset on', () => {
  test.override({ options: { clock: sunsetAt } });

  test.for(endpointIds(v1Endpoints).map((id) => `${v1Endpoints[id].method} ${v1Endpoints[id].path}`))(
    '%s answers 410 with v1’s error, and nothing else in the body',
    async (endpoint, { sandbox }) => {
      const { status, body, headers } = await sandbox.call(endpoint);
      expect({ status, body }).toEqual(gone);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );
  test.for(['GET /v1', 'GET /v1/', 'GET /v1/nothing', 'DELETE /v1/contacts/con_1', 'GET /v1?page=1'])(
    '%s, which is not listed, answers 410 too',
    async (endpoint, { sandbox }) => {
      expect(await sandbox.call(endpoint)).toMatchObject(gone);
    },
  );
  test.for<[string, CallOptions]>([
    ['without a key', { key: null }],
    ['with an unknown key', { key: 'ak_nobody' }],
    ['with a body that is no JSON', { raw: '{' }],
  ])('a call %s answers 410: nothing else is looked at', async ([, options], { sandbox }) => {
    expect(await sandbox.call('POST /v1/contacts', options)).toMatchObject(gone);
  });
  test('HEAD is answered without the content', async ({ sandbox }) => {
    expect(await sandbox.call('HEAD /v1/contacts')).toMatchObject({ status: 410, text: '' });
  });
  test('a call does nothing', async ({ sandbox }) => {
    await sandbox.call('POST /v1/contacts', { json: { phone: '+491' } });
    expect((await sandbox.call('GET /v2/contacts')).body).toMatchObject({ total: 0 });
  });
  test('v2 serves on', async ({ sandbox }) => {
    expect((await sandbox.call('POST /v2/contacts', { json: { phone: '+491' } })).status).toBe(201);
    expect((await sandbox.call('GET /v2/contacts')).body).toMatchObject({ total: 1 });
  });
  test.for(['/', '/v10/contacts', '/v1contacts', '/v1-contacts', '/v1.0', '/V1/contacts', '/v3/contacts', '/v2/nothing'])(
    'GET %s is not of v1: 404',
    async (path, { sandbox }) => {
      expect((await sandbox.call(`GET ${path}`)).status).toBe(404);
    },
  );
});

describe('turning the clock', () => {
  test.override({ options: { clock: '2026-12-30T23:59:59.999Z' } });

  test('v1 is served up to the last millisecond before the sunset, and at the sunset no more', async ({ sandbox }) => {
    expect((await sandbox.call('GET /v1/contacts')).status).toBe(200);
    await sandbox.clock.advance(1);
    expect(await sandbox.call('GET /v1/contacts')).toMatchObject(gone);
    await sandbox.clock.advance(365 * 86_400_000);
    expect(await sandbox.call('GET /v1/contacts')).toMatchObject(gone);
  });
  test('what v1 wrote before the sunset can be read on v2 after it', async ({ sandbox }) => {
    const created = await sandbox.call('POST /v1/contacts', { json: { phone: '+491' } });
    await sandbox.clock.set(sunset);
    const { id } = (created.body as { data: { id: string } }).data;
    expect((await sandbox.call(`GET /v2/contacts/${id}`)).body).toMatchObject({ data: { phone: '+491' } });
  });
  test('turned back, v1 is served again, and calls past the sunset did not count', async ({ sandbox }) => {
    const workspace = sandbox.store.workspace(sandbox.demo.workspaceId);
    if (workspace !== undefined) workspace.limits = { perDay: 1 };
    await sandbox.clock.set(sunset);
    await sandbox.call('GET /v1/contacts');
    await sandbox.clock.set(sunset - 1);
    expect((await sandbox.call('GET /v1/contacts')).status).toBe(200);
  });
});

describe('the open questions of the sunset', () => {
  test.override({
    options: {
      clock: '2026-12-31T22:59:59.999Z',
      assumptions: { sunsetAt: '2027-01-01T00:00:00+01:00', sunsetStatus: 404, sunsetText: 'Over' },
    },
  });
  test('instant, status and text are as assumed', async ({ sandbox }) => {
    expect((await sandbox.call('GET /v1/contacts')).status).toBe(200);
    await sandbox.clock.advance(1);
    expect(await sandbox.call('GET /v1/contacts')).toMatchObject({ status: 404, body: { success: false, error: 'Over' } });
  });
});

const announced = ({ headers }: Reply): unknown => ({
  deprecation: headers['deprecation'],
  sunset: headers['sunset'],
  link: headers['link'],
});
const nothing = { deprecation: undefined, sunset: undefined, link: undefined };
const guide = '</>; rel="deprecation", </>; rel="sunset"';
const dates = { deprecation: '@1780272000', sunset: 'Thu, 31 Dec 2026 00:00:00 GMT' };
const successor = (path: string): unknown => ({ ...dates, link: `${guide}, <${path}>; rel="successor-version"` });

describe('with the deprecation announced', () => {
  test.override({ options: { deprecationHeaders: true } });

  test.for(endpointIds(v1Endpoints))('%s names its successor on v2, with the id of the call', async (id, { sandbox }) => {
    const { method, path, successor: successorId } = v1Endpoints[id];
    const reply = await sandbox.call(`${method} ${path.replace(':id', 'x_1')}`);
    expect(announced(reply)).toEqual(successor(v2Endpoints[successorId].path.replace(':id', 'x_1')));
  });
  test.for<[number, string, CallOptions?]>([
    [201, 'POST /v1/contacts', { json: { phone: '+492' } }],
    [400, 'POST /v1/contacts', { raw: '{}' }],
    [401, 'GET /v1/contacts', { key: null }],
    [404, 'GET /v1/contacts/con_none'],
    [404, 'PUT /v1/messages'],
    [404, 'GET /v1/nothing'],
    [409, 'POST /v1/contacts', { json: { phone: '+491' } }],
    [500, 'POST /v1/contacts', { json: { phone: '+492', nickname: 'x' } }],
  ])('a %i carries the fields: %s', async ([status, endpoint, options], { sandbox }) => {
    await sandbox.call('POST /v2/contacts', { json: { phone: '+491' } });
    const reply = await sandbox.call(endpoint, options);
    expect(reply.status).toBe(status);
    expect(announced(reply)).toMatchObject({ ...dates, link: expect.stringContaining(guide) });
  });
  test('a 403 and a 429 carry the fields', async ({ sandbox }) => {
    const forbidden = await sandbox.call('POST /v1/contacts', { key: sandbox.demo.readOnlyKey });
    const workspace = sandbox.store.workspace(sandbox.demo.workspaceId);
    if (workspace !== undefined) workspace.limits = { perDay: 0 };
    const limited = await sandbox.call('GET /v1/contacts');
    expect([forbidden.status, limited.status]).toEqual([403, 429]);
    expect([announced(forbidden), announced(limited)]).toEqual([successor('/v2/contacts'), successor('/v2/contacts')]);
  });
  test('the 410 carries the fields', async ({ sandbox }) => {
    await sandbox.clock.set(sunset);
    const reply = await sandbox.call('GET /v1/contacts/con_1');
    expect([reply.status, announced(reply)]).toEqual([410, successor('/v2/contacts/con_1')]);
  });
  test('a path that is not listed has no successor', async ({ sandbox }) => {
    expect(announced(await sandbox.call('GET /v1/nothing'))).toEqual({ ...dates, link: guide });
  });
  test('an id cannot break out of the link', async ({ sandbox }) => {
    const reply = await sandbox.call('GET /v1/contacts/a%3E,b%2F%C3%A9%22%0D%0Ax:%20y');
    expect(announced(reply)).toEqual(successor('/v2/contacts/a%3E%2Cb%2F%C3%A9%22%0D%0Ax%3A%20y'));
  });
  test('an id that cannot be decoded has no successor', async ({ sandbox }) => {
    expect(announced(await sandbox.call('GET /v1/contacts/%ff'))).toEqual({ ...dates, link: guide });
  });
  test.for(['GET /v2/contacts', 'GET /v2/nothing', 'GET /', 'GET /v10'])(
    '%s is not of v1 and carries none',
    async (endpoint, { sandbox }) => {
      expect(announced(await sandbox.call(endpoint))).toEqual(nothing);
    },
  );
});

describe('with the deprecation announced and other dates', () => {
  test.override({
    options: {
      clock: '2026-05-31T12:00:00Z',
      deprecationHeaders: true,
      assumptions: {
        deprecatedSince: '2026-06-15T02:00:00.750+02:00',
        sunsetAt: '2026-12-31T23:59:59.999Z',
        migrationGuideUrl: 'https://example.com/guide',
      },
    },
  });
  test('RFC 9745 §2.1: whole seconds, and a date in the future too; RFC 8594 §3: an HTTP-date; the links lead to the guide', async ({
    sandbox,
  }) => {
    expect(announced(await sandbox.call('GET /v1/nothing'))).toEqual({
      deprecation: '@1781481600',
      sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
      link: '<https://example.com/guide>; rel="deprecation", <https://example.com/guide>; rel="sunset"',
    });
  });
});

test('without the switch v1 announces nothing, not even in the 410', async ({ sandbox }) => {
  expect(announced(await sandbox.call('GET /v1/contacts'))).toEqual(nothing);
  await sandbox.clock.set(sunset);
  expect(announced(await sandbox.call('GET /v1/contacts'))).toEqual(nothing);
});

describe('the flags of the command line', () => {
  const ports = ['sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  test('--clock and --deprecation-headers rehearse the sunset day', async () => {
    await using running = serve([...ports, '--clock', sunsetAt, '--deprecation-headers']);
    const { url } = await listening(running);
    const reply = await call(url, 'GET /v1/contacts');
    expect([reply.status, announced(reply)]).toEqual([410, successor('/v2/contacts')]);
  });
  test('--clock says what to write', async () => {
    await using running = serve([...ports, '--clock', '2026-12-31']);
    expect(await running.line(/--clock/, 'stderr')).toBe(
      'migrate-v2: --clock: "2026-12-31" is not an instant: write 2026-12-31T00:00:00Z (from the command line)',
    );
  });
});
