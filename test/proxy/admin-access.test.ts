import { IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createAccess } from '../../proxy/admin/access.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';

const token = 'a token of the test';

/** A proxy with one page, and a way to ask its admin listener. */
async function startWithPage(options: Partial<ProxyServerOptions> = {}) {
  const v2 = await startRecordingUpstream();
  const pages: ProxyServerOptions['pages'] = (req, res) => req.url === '/usage' && res.end('the page') !== undefined;
  const proxy = await startTestProxy(v2.url, { pages, ...options });
  return {
    ask: (path: string, init: RequestInit = {}) => fetch(proxy.adminUrl + path, { redirect: 'manual', ...init }),
    /** fetch sets Host itself. */
    async askAs(host: string, path: string) {
      const [answer] = await once(request(proxy.adminUrl + path, { headers: { host } }).end(), 'response');
      return { status: answer.statusCode, text: await text(answer) };
    },
    async [Symbol.asyncDispose]() {
      await proxy.drain();
      await v2[Symbol.asyncDispose]();
    },
  };
}

describe('without a token', () => {
  test.each(['localhost', 'localhost:8081', '127.0.0.1', '10.0.0.7:8081', '[::1]:8081'])(
    'the page is shown to who calls it by %s',
    async (host) => {
      await using admin = await startWithPage();
      expect(await admin.askAs(host, '/usage')).toEqual({ status: 200, text: 'the page' });
    },
  );

  test('the page is not shown under a name that somebody else leads here', async () => {
    await using admin = await startWithPage();
    const refused = await admin.askAs('rebound.example:8081', '/usage');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('--admin-token');
  });

  test('metrics are not told on this machine under a name that somebody else leads here', async () => {
    await using admin = await startWithPage();
    expect((await admin.askAs('rebound.example:8081', '/metrics')).status).toBe(403);
    expect((await admin.askAs('localhost:8081', '/metrics')).status).toBe(200);
  });

  test.each([
    ['10.0.0.7', true],
    ['2001:db8::7', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
  ])('data asked for at %s under any name are told: %s', (localAddress, isTold) => {
    const req = new IncomingMessage(Object.defineProperty(new Socket(), 'localAddress', { value: localAddress }));
    req.headers.host = 'proxy.internal:8081';
    expect(createAccess(undefined).allows(req, 'data')).toBe(isTold);
    expect(createAccess(undefined).allows(req, 'pages')).toBe(false);
  });
});

describe('with a token', () => {
  const adminToken = token;

  test.each(['/healthz', '/readyz'])('%s is open', async (path) => {
    await using admin = await startWithPage({ adminToken });
    expect((await admin.ask(path)).status).toBe(200);
  });

  test.each(['/metrics', '/usage'])('%s is refused without it, and with another', async (path) => {
    await using admin = await startWithPage({ adminToken });
    for (const authorization of ['', 'Bearer wrong', `Basic ${token}`]) {
      const refused = await admin.ask(path, { headers: { authorization } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
      expect(await refused.json()).toEqual({ status: 'token required' });
    }
  });

  test('it opens the page as a Bearer token', async () => {
    await using admin = await startWithPage({ adminToken: 'token-0123' });
    const shown = await admin.ask('/usage', { headers: { authorization: 'Bearer token-0123' } });
    expect(await shown.text()).toBe('the page');
  });

  test('a browser signs in with it once, and its cookie does not hold it', async () => {
    await using admin = await startWithPage({ adminToken });
    const form = await admin.ask('/usage', { headers: { accept: 'text/html' } });
    expect(form.status).toBe(401);
    expect(await form.text()).toContain('<form method="post" action="/sign-in">');
    const signedIn = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token }) });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/usage']);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(/^migrate_v2_admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const page = await admin.ask('/usage', { headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
    expect(await page.text()).toBe('the page');
  });

  test('a wrong one is told, and makes no cookie', async () => {
    await using admin = await startWithPage({ adminToken });
    const refused = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token: 'wrong' }) });
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await refused.text()).toContain('That is not the token.');
  });

  test('a form that is none is not read', async () => {
    await using admin = await startWithPage({ adminToken });
    expect((await admin.ask('/sign-in', { method: 'POST', body: 'token='.padEnd(5_000, 'x') })).status).toBe(400);
  });
});
