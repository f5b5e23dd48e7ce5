import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures } from '../../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

function refusal(code: string, says = '') {
  return { status: 403, body: { error: { code, message: expect.stringContaining(says) } } };
}

/** What the control surface says to a request with these fields of its head. */
async function ask(adminUrl: string, headers: IncomingHttpHeaders): Promise<{ status: number | undefined; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: unknown }>();
  const req = request(`${adminUrl}/clock/freeze`, { method: 'POST', headers, agent: false }, (res) => {
    text(res).then((body) => resolve({ status: res.statusCode, body: JSON.parse(body) as unknown }), reject);
  });
  req.on('error', reject).end();
  return promise;
}

describe('web pages', () => {
  test.for(['127.0.0.1', '127.0.0.1:9001', '[::1]:9001', '192.168.0.7:80', 'localhost', 'LOCALHOST:9001'])(
    'a request to %s is answered',
    async (host, { sandbox: { adminUrl } }) => {
      expect(await ask(adminUrl, { host })).toMatchObject({ status: 200 });
    },
  );
  test.for(['example.com', 'example.com:9001', 'localhost.example.com', '127.0.0.1.example.com', '127.0.0.1@example.com', '[x]'])(
    'a name that somebody else may have made resolve to here is refused: "%s"',
    async (host, { sandbox: { adminUrl } }) => {
      expect(await ask(adminUrl, { host })).toMatchObject(refusal('FORBIDDEN_HOST', 'localhost'));
    },
  );
  test.for<IncomingHttpHeaders>([
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://example.com' },
    { origin: 'http://localhost:3000' },
    { origin: 'https://localhost:9001' },
    { origin: 'null' },
    { origin: 'nonsense' },
  ])('a page of another site is refused: %j', async (headers, { sandbox: { adminUrl } }) => {
    expect(await ask(adminUrl, { host: 'localhost:9001', ...headers })).toMatchObject(refusal('CROSS_SITE'));
  });
  test.for<IncomingHttpHeaders>([{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:9001' }, { 'sec-fetch-site': 'none' }])(
    'a page of its own is answered: %j',
    async (headers, { sandbox: { adminUrl } }) => {
      expect(await ask(adminUrl, { host: 'localhost:9001', ...headers })).toMatchObject({ status: 200 });
    },
  );
});

test.for<IncomingHttpHeaders>([{ 'x-api-key': 'ak_78486f263949a38c3125c173' }, { authorization: 'Bearer ak_78486f263949a38c3125c173' }])(
  'the dashboard accepts no API keys: %j',
  async (headers, { sandbox: { adminUrl } }) => {
    expect(await ask(adminUrl, { host: 'localhost', ...headers })).toMatchObject({
      status: 401,
      body: { error: { code: 'KEY_NOT_ACCEPTED' } },
    });
  },
);

describe('a webhook that was registered to the control surface', () => {
  const forms = ['127.0.0.1', 'localhost', '0.0.0.0', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::ffff:127.0.0.1]'];

  test.override({ options: { allowPrivateWebhooks: true } });
  test.for(forms)('does not reach it at %s: what it asks for is not done, and the log says why', async (host, { sandbox }) => {
    const { dashboard, clock, adminUrl } = sandbox;
    const { port } = new URL(adminUrl);
    await dashboard.registerWebhook('demo', { url: `http://${host}:${port}/reset`, events: ['lead.created'] });
    dashboard.createWorkspace({ name: 'kept', plan: 'Free' });
    dashboard.raise('demo', 'lead.created');
    await clock.idle();
    expect(dashboard.workspaces().map(({ name }) => name)).toContain('kept');
    const refused = { status: 403, body: expect.stringContaining('WEBHOOK_DELIVERY') };
    const [attempt] = dashboard.deliveries('demo');
    // Not every machine can connect to every form.
    expect(attempt).toMatchObject({ delivered: false, ...(attempt?.response && { response: refused }) });
  });
  test('of another sandbox on this machine does not reach it either', async ({ sandbox: { adminUrl } }) => {
    const headers = { host: 'localhost', 'user-agent': 'Service-Webhooks/1.0' };
    expect(await ask(adminUrl, headers)).toMatchObject(refusal('WEBHOOK_DELIVERY', 'receiver'));
  });
});
