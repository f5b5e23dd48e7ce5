import { IncomingMessage, ServerResponse, request } from 'node:http';
import { Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccess } from '../../proxy/admin/access.ts';
import { Attempts } from '../../proxy/admin/attempts.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const token = 'a token of the test';

/** A proxy with one page, and a way to ask its admin listener. */
async function startWithPage(options: Partial<ProxyServerOptions> = {}) {
  const v2 = await startRecordingUpstream();
  const pages: ProxyServerOptions['pages'] = (req, res) => req.url === '/usage' && res.end('the page') !== undefined;
  const proxy = await startTestProxy(v2.url, { pages, ...options });
  return {
    port: Number(new URL(proxy.adminUrl).port),
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
    expect(await form.text()).toContain('<form method="post" action="sign-in">');
    const signedIn = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token }) });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, './usage']);
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(/^migrate_v2_admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const page = await admin.ask('/usage', { headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
    expect(await page.text()).toBe('the page');
  });

  test.each([
    ['/rollout', '/rollout'],
    ['/usage?period=7d&q=acme%20inc', '/usage?period=7d&q=acme%20inc'],
    ['/usage?q="><script>', '/usage?q=%22%3E%3Cscript%3E'],
    ['/metrics', '/usage'],
    ['/"><script>', '/usage'],
  ])('signing in where %s was asked for leads to %s', async (asked, to) => {
    await using admin = await startWithPage({ adminToken });
    const form = await (await admin.ask(asked, { headers: { accept: 'text/html' } })).text();
    expect(form).toContain(`<input name="to" type="hidden" value="${to.replaceAll('&', '&amp;')}">`);
    const signedIn = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token, to }) });
    expect(signedIn.headers.get('location')).toBe(`.${to}`);
  });

  test('the form is found behind a prefix of the path, from a page below another as well', async () => {
    await using admin = await startWithPage({ adminToken });
    const formAt = async (path: string): Promise<string> => (await admin.ask(path, { headers: { accept: 'text/html' } })).text();
    expect(await formAt('/')).toContain('action="sign-in"');
    expect(await formAt('/rollout/stop')).toContain('action="../sign-in"');
  });

  test('signing in leads to no other place', async () => {
    await using admin = await startWithPage({ adminToken });
    for (const to of ['//elsewhere.example', '/usage?q="><script>', '/usage?a\r\nSet-Cookie: x', '/usage/../../elsewhere']) {
      const signedIn = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token, to }) });
      expect(signedIn.headers.get('location')).toBe('./usage');
    }
  });

  test('a wrong one is told, and makes no cookie', async () => {
    await using admin = await startWithPage({ adminToken });
    const refused = await admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token: 'wrong' }) });
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await refused.text()).toContain('That is not the token.');
  });

  test.each([
    ['with an endless body', 'Transfer-Encoding: chunked'],
    ['with a length that is none of a form', 'Content-Length: 9999999999'],
  ])('a form %s is refused, and its connection ends while it is still sent', async (_name, framing) => {
    await using admin = await startWithPage({ adminToken });
    const client = await connectRaw(admin.port);
    client.write(`POST /sign-in HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
    const sending = setInterval(() => client.write(`1000\r\n${'x'.repeat(0x1000)}\r\n`), 1);
    onTestFinished(() => clearInterval(sending));
    const { bytes } = await client.readToEnd();
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/i);
  });

  test('a form that does not come is not waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [req, res] = [new IncomingMessage(new Socket()), new ServerResponse(new IncomingMessage(new Socket()))];
    req.headers['content-length'] = '10';
    const signedIn = createAccess(token).signIn(req, res);
    await vi.advanceTimersByTimeAsync(5_000);
    await signedIn;
    expect(res.statusCode).toBe(400);
  });

  test('attempts beyond ten in a minute wait, the right token too; then it opens, and the count begins anew', async () => {
    let now = 0;
    await using admin = await startWithPage({ adminToken, now: () => now });
    const attempt = (given: string) => admin.ask('/sign-in', { method: 'POST', body: new URLSearchParams({ token: given }) });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await attempt('wrong')).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    now = 45_000;
    const refused = await attempt(token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
    now = 60_000;
    expect((await attempt(token)).status).toBe(303);
    expect((await attempt('wrong')).status).toBe(401);
  });

  test('attempts that wait make no other network wait, and are forgotten in time', () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    for (let n = 0; n < 10; n++) expect(attempts.take('10.0.0.7')).toBe(0);
    expect([attempts.take('10.0.0.9'), attempts.take('10.0.1.7'), attempts.take('2001:db8::7')]).toEqual([60, 0, 0]);
    // Attempts that are refused make nobody wait for longer.
    now = 59_999;
    expect(attempts.take('::ffff:10.0.0.8')).toBe(1);
    now = 60_000;
    expect(attempts.take('10.0.0.7')).toBe(0);
    // As many networks as an attacker likes push the oldest out, and no more is remembered.
    for (let n = 0; n < 20_000; n++) attempts.take(`2001:db8:${n.toString(16)}::1`);
    expect(attempts.take('10.0.0.7')).toBe(0);
  });

  test('a form that is none is not read', async () => {
    await using admin = await startWithPage({ adminToken });
    expect((await admin.ask('/sign-in', { method: 'POST', body: 'token='.padEnd(5_000, 'x') })).status).toBe(400);
  });
});

describe('the root of the listener', () => {
  test('leads to the page, with a token behind the form', async () => {
    await using open = await startWithPage();
    const led = await open.ask('/');
    expect([led.status, led.headers.get('location')]).toEqual([302, './usage']);
    await using closed = await startWithPage({ adminToken: token });
    expect((await closed.ask('/', { headers: { accept: 'text/html' } })).status).toBe(401);
  });

  test('names what there is where there is no page', async () => {
    await using admin = await startWithPage({ pages: undefined });
    expect(await (await admin.ask('/')).json()).toEqual({ paths: ['/healthz', '/readyz', '/metrics', '/budget'] });
  });
});
