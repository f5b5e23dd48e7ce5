import { request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { RoadView } from '../../../src/report/road/model.ts';
import { startRoadProxy } from './road-proxy.ts';

const json = async (page: string, headers: Readonly<Record<string, string>> = {}): Promise<RoadView> =>
  (await (await fetch(`${page}.json`, { headers })).json()) as RoadView;

describe('the page about a roll-out', () => {
  test('is HTML for a browser, and JSON for who asks for it', async () => {
    const { page } = await startRoadProxy({ isRecorded: false });
    const typeOf = async (path: string, accept: string) => (await fetch(path, { headers: { accept } })).headers.get('content-type');
    expect(await typeOf(page, 'text/html,application/xhtml+xml,*/*')).toBe('text/html; charset=utf-8');
    expect(await typeOf(page, '*/*')).toBe('text/html; charset=utf-8');
    expect(await typeOf(page, 'application/json')).toBe('application/json');
    expect(await typeOf(`${page}.json`, 'text/html')).toBe('application/json');
    expect(await typeOf(`${page}/style.css`, '*/*')).toBe('text/css; charset=utf-8');
    expect((await fetch(page, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${page}/other`)).status).toBe(404);
  });

  test('tells of this proxy: its rules, and the calls under each', async () => {
    const { page, call } = await startRoadProxy();
    await call('mk_acme_1', 2);
    await call('zz_nobody', 3);
    await expect.poll(async () => (await json(page)).rules[2]?.use?.calls).toBe(3);
    expect(await json(page)).toMatchObject({
      proxy: 'road',
      gone: false,
      stopped: null,
      rules: [
        { name: 'acme', inForce: 'translate', use: { calls: 2, clients: 1, keys: 1, errors: 0 } },
        { name: 'bolt', use: { calls: 0 } },
        { name: 'rest', inForce: 'observe' },
        { name: 'never' },
      ],
      unmatched: { inForce: 'translate', use: { calls: 0 } },
      overlaps: expect.arrayContaining([{ kind: 'unreachable', first: 'bolt', second: 'never' }]),
      brownouts: [{ name: 'rehearsal' }, { name: 'weekly', exempt: ['Acme'] }],
    });
  });

  test('follows the rules when they change', async () => {
    const { page, rules } = await startRoadProxy();
    rules.change({ rules: [{ name: 'new', stage: 'observe' }] });
    expect((await json(page)).rules).toMatchObject([{ name: 'new', use: { calls: 0 } }]);
  });

  test('leaves it to the page about usage to announce brownouts, of the rules as they are', async () => {
    const { proxy, rules, call } = await startRoadProxy();
    await call('mk_acme_1');
    const usage = async (): Promise<string> => (await fetch(`${proxy.adminUrl}/usage`)).text();
    expect(await usage()).toMatch(/weekly: .*for 10 minutes, with 503/i);
    const at = new Date(Date.now() + 5 * 86_400_000).toISOString();
    rules.change({ brownouts: [{ name: 'another', at, for: '20m' }] });
    const text = await usage();
    expect(text).toMatch(/another: .*for 20 minutes/i);
    expect(text).not.toMatch(/weekly/i);
  });

  test('shows where nothing is recorded what it can, and stands for the page about usage', async () => {
    const { page, proxy } = await startRoadProxy({ isRecorded: false });
    const text = await (await fetch(page)).text();
    expect(text).toContain('Nothing is recorded');
    expect(text).not.toContain('href="usage"');
    expect(text).not.toContain('migrate-v2 rollout stop');
    const start = await fetch(proxy.adminUrl, { redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([302, './rollout']);
  });

  test('escapes names', async () => {
    const { page, rules } = await startRoadProxy({ adminToken: 'secret', isRecorded: false });
    rules.change({
      rules: [{ name: '"><script>x</script>', stage: 'observe' }],
      brownouts: [{ name: 'a&b "c"/?d', at: '2030-01-01T00:00:00Z', for: '1m' }],
    });
    const text = await (await fetch(page, { headers: { Authorization: 'Bearer secret' } })).text();
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
    expect(text).not.toContain('<script>x');
  });
});

describe('a POST of', () => {
  const token = 'secret';
  const headers = { Authorization: `Bearer ${token}` };
  const post = (url: string, more: Readonly<Record<string, string>> = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, redirect: 'manual' });

  test('a browser is led back to the page, and that of a program gets JSON', async () => {
    const { page } = await startRoadProxy({ adminToken: token, isRecorded: false });
    const byBrowser = await post(`${page}/stop`, { Accept: 'text/html,*/*' });
    expect([byBrowser.status, new URL(byBrowser.headers.get('location') ?? '', `${page}/stop`).pathname]).toEqual([303, '/rollout']);
    expect((await json(page, headers)).stopped).toMatchObject({ replica: 'road', detail: 'by the admin listener' });
    const byProgram = await post(`${page}/resume`);
    expect([byProgram.status, await byProgram.json()]).toEqual([200, { status: 'resumed' }]);
    expect((await json(page, headers)).stopped).toBeNull();
  });

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another port of this host', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['this page', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['another origin, of a browser that says no more', { Origin: 'http://127.0.0.1:1' }, 403],
    ['a page that hides where it is', { Origin: 'null' }, 403],
  ])('%s is answered as it should be', async (_who, from, status) => {
    const { page } = await startRoadProxy({ adminToken: token, isRecorded: false });
    // fetch sets no field that says where a request comes from.
    const req = request(`${page}/stop`, { method: 'POST', headers: { ...headers, ...from } }).end();
    const [answer] = await once(req, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(status);
    expect((await json(page, headers)).stopped === null).toBe(status === 403);
  });

  test('anybody is refused without a token, and the page says what to do', async () => {
    const { page } = await startRoadProxy();
    expect((await post(`${page}/stop`)).status).toBe(403);
    const text = await (await fetch(page)).text();
    expect(text).toContain('migrate-v2 rollout stop');
    expect(text).not.toContain('<form');
  });
});
