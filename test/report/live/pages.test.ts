import { type ClientRequest, createServer, get, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createUsagePages } from '../../../src/report/live/pages.ts';
import { callerId } from '../../../src/usage/caller-id.ts';
import { minuteInMs } from '../../../src/contract/times.ts';
import { reportDefaults } from '../../helpers/usage-store.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';

interface Served {
  readonly url: string;
  readonly store: string;
  /** Says that something was recorded. */
  readonly news: () => void;
  /** How many listen for that. */
  readonly listeners: () => number;
  readonly close: () => Promise<void>;
}

/** The pages alone, behind a listener of their own, for one test. */
async function serve(options: { readonly record?: boolean } = {}): Promise<Served> {
  const served = await start(options);
  onTestFinished(() => served.end());
  return served;
}

async function start({ record = true } = {}): Promise<Served & { end(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-pages-'));
  const store = join(folder, 'usage.db');
  if (record) await recordCalls(store, 1);
  const listeners = new Set<() => void>();
  const pages = createUsagePages({
    store,
    ...reportDefaults,
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const server = createServer((req, res) => {
    if (!pages.handle(req, res)) res.writeHead(404).end('other');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = async (): Promise<void> => {
    await pages.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  };
  const { port } = server.address() as AddressInfo;
  const news = (): void => listeners.forEach((listener) => listener());
  return { url: `http://127.0.0.1:${port}`, store, news, listeners: () => listeners.size, close: () => pages.close(), end };
}

/** One for all that is recorded: more calls of a minute take the place of fewer, and of another they would be added to them. */
const now = Date.now();

/** Writes so many calls of one minute, as a proxy would have. */
async function recordCalls(store: string, calls: number): Promise<void> {
  const who = { keyHash: 'a'.repeat(16), keyPrefix: 'mk_', workspace: 'Acme', client: 'curl/8.5', name: null };
  const writer = openWriterHere(store);
  await writer.write({
    writer: 'test',
    replica: 'test',
    clock: now,
    rows: [
      {
        minute: Math.floor(now / minuteInMs),
        caller: { id: callerId(who), ...who },
        kind: { endpoint: 'GET /v1/contacts', method: 'GET', status: 200, outcome: 'translated' },
        counts: { calls, v2Calls: calls, repeats: 0, duration: 10, longest: 10, first: now, last: now },
      },
    ],
    sources: [],
    session: { since: now - 60_000, seen: now, ended: false },
    gaps: [],
  });
  await writer.close();
}

interface Event {
  readonly type: string;
  readonly data: { readonly why?: string; readonly sections?: readonly { readonly id: string; readonly html: string }[] };
}

/** The events of a stream, one after the other. */
async function* eventsOf(url: string): AsyncGenerator<Event> {
  const answer = await fetch(`${url}/usage/events`);
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      if (type !== undefined) yield { type, data: JSON.parse(data ?? '') };
    }
  }
}

async function nextOf(events: AsyncGenerator<Event>): Promise<Event> {
  const { value } = await events.next();
  if (value === undefined) throw new Error('The stream has ended');
  return value;
}

describe('the pages', () => {
  // They only ask it, and each would start a process that makes reports.
  let url: string;
  let end: () => Promise<void>;
  beforeAll(async () => {
    ({ url, end } = await start());
  });
  afterAll(() => end());

  test('are these, and no other path is theirs', async () => {
    const types = async (path: string) => {
      const answer = await fetch(url + path);
      await answer.text();
      return [answer.status, answer.headers.get('content-type')];
    };
    expect(await types('/usage')).toEqual([200, 'text/html; charset=utf-8']);
    expect(await types('/usage/app.js')).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await types('/usage/style.css')).toEqual([200, 'text/css; charset=utf-8']);
    expect(await types('/usage/icon.svg')).toEqual([200, 'image/svg+xml']);
    expect(await types('/usage/times.js')).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await types('/usage.csv')).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await types('/usage.json')).toEqual([200, 'application/json']);
    expect(await types('/usage/other')).toEqual([404, null]);
    expect(await types('/usages')).toEqual([404, null]);
  });

  test('let nothing in from elsewhere, nor inline, and are not kept', async () => {
    const { headers } = await fetch(`${url}/usage`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.for(['POST', 'DELETE'])('refuse %s', async (method) => {
    const answer = await fetch(`${url}/usage`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.for(['/usage', '/usage/events'])('answer HEAD of %s without a body', async (path) => {
    const answer = await fetch(url + path, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('escape what is searched for', async () => {
    const answer = await fetch(`${url}/usage?q=${encodeURIComponent('"><script>x</script>')}`);
    expect(await answer.text()).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"');
  });

  test('are data of what the view shows, too', async () => {
    const lines = async (query: string) => (await (await fetch(`${url}/usage.csv${query}`)).text()).split('\r\n');
    expect((await lines('')).map((line) => line.split(',')[0])).toEqual(['workspace', expect.stringMatching(/^mk_|^Acme/), '']);
    expect((await lines('?by=client'))[1]).toMatch(/^curl\/8\.5,/);
    expect(await lines('?by=client&q=elsewhere')).toHaveLength(2);
    const report = await (await fetch(`${url}/usage.json?q=elsewhere`)).json();
    expect(report).toMatchObject({ search: 'elsewhere', of: [], clients: [] });
  });

  test.for(['/usage', '/usage.csv'])('say what is wrong with the store: %s', async (path) => {
    const { url, store } = await serve({ record: false });
    const answer = await fetch(url + path);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain(store);
  });
});

describe('the events', () => {
  test('begin with the whole page, and go on with what changed', async () => {
    const { url, store, news } = await serve();
    const events = eventsOf(url);
    const first = await nextOf(events);
    expect(first.data.sections?.map(({ id }) => id)).toEqual([
      'heading',
      'verdict',
      'burn-down-section',
      'workspaces-section',
      'limits-section',
      'trend-section',
      'endpoints-section',
      'clients-section',
      'statuses-section',
      'record-section',
      'footer',
    ]);
    await recordCalls(store, 7);
    news();
    let changed: NonNullable<typeof first.data.sections> = [];
    // A round that had begun before finds nothing new.
    while (changed.length === 0) changed = (await nextOf(events)).data.sections ?? [];
    expect(changed.map(({ id }) => id)).toContain('workspaces-section');
    expect(changed.map(({ id }) => id)).not.toContain('footer');
    expect(changed.find(({ id }) => id === 'workspaces-section')?.html).toContain('<td class="end">7</td>');
    await events.return(undefined);
  });

  test('say what is wrong with the store, and go on when it is there', async () => {
    const { url, store, news } = await serve({ record: false });
    const events = eventsOf(url);
    expect(await nextOf(events)).toMatchObject({ type: 'failed', data: { why: expect.stringContaining(store) } });
    news();
    await recordCalls(store, 1);
    news();
    let next = await nextOf(events);
    // A round that began while the store was made may find half of it.
    while (next.type === 'failed') next = await nextOf(events);
    expect(next.type).toBe('report');
    await events.return(undefined);
  });

  test('have 50 listeners at most', async () => {
    const { url } = await serve();
    const requests: ClientRequest[] = [];
    const listen = async (): Promise<IncomingMessage> => {
      const req = get(`${url}/usage/events`, { agent: false });
      requests.push(req);
      const [answer] = await once(req, 'response');
      return answer;
    };
    for (let index = 0; index < 50; index++) expect((await listen()).statusCode).toBe(200);
    expect((await listen()).statusCode).toBe(503);
    const [first] = requests;
    first?.destroy();
    await expect.poll(async () => (await listen()).statusCode).toBe(200);
    for (const req of requests) req.destroy();
  });

  test('end with the pages, which then listen to nothing', async () => {
    const { url, listeners, close } = await serve();
    const req = request(`${url}/usage/events`).end();
    const [answer]: IncomingMessage[] = await once(req, 'response');
    expect(listeners()).toBe(1);
    const ended = answer && once(answer.resume(), 'end');
    await close();
    await ended;
    expect(listeners()).toBe(0);
  });
});
