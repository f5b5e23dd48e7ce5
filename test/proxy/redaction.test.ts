import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeyMap } from '../../proxy/keys/key-map.ts';
import { serve } from '../cli/run.ts';
import { listening } from '../helpers/process.ts';
import { startTestProxy, startUpstream } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';
import { credentials, found, positions, said, secretRequests, write } from './redaction-requests.ts';

/** How v2 answers, with its idea of the credential it was sent. */
const v2Answers: Readonly<Record<string, (credential: string) => Parameters<typeof answerWith>>> = {
  success: () => [200, {}, {}],
  'a field beside success': (credential) => [200, { 'X-Echo': credential }, {}],
  'a flat error': (credential) => [400, {}, { success: false, error: `bad key ${credential}` }],
  'a nested error': (credential) => [403, {}, { error: { message: `no ${credential}`, code: 'FORBIDDEN' } }],
  'a code': (credential) => [418, {}, { error: 'x', code: credential.replace(/^Bearer /, '') }],
  'a problem': (credential) => [404, { 'Content-Type': 'application/problem+json' }, { title: 'x', detail: credential }],
  'plain text': (credential) => [500, { 'Content-Type': 'text/plain' }, credential],
  HTML: (credential) => [503, { 'Content-Type': 'text/html', 'Retry-After': credential }, `<p>${credential}</p>`],
  'a challenge': (credential) => [401, { 'WWW-Authenticate': `Bearer error="${credential}"` }, {}],
  'a field beside an error': (credential) => [401, { 'X-Echo': credential }, {}],
  'an existing contact': (credential) => [409, {}, { error: 'x', existed: true, data: { id: 'c_1', note: credential } }],
  'a daily limit': (credential) => [429, {}, { error: 'daily', code: 'API_DAILY_LIMIT', upgradeUrl: credential, resetAt: credential }],
  'no JSON': (credential) => [200, { 'Content-Type': 'text/plain' }, credential],
  'a redirect': (credential) => [302, { Location: `https://example.com/?key=${encodeURIComponent(credential)}` }, ''],
};

function answerWith(status: number, fields: Record<string, string>, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, fields: { 'Content-Type': 'application/json', ...fields }, text };
}

/** A v2 that answers as it is told to, or breaks off. */
async function startEchoingV2() {
  const told = { answer: 'success' };
  const listener: RequestListener = (req, res) => {
    const answer = v2Answers[told.answer];
    req.resume();
    if (answer === undefined) return void req.socket.destroy();
    // What field values cannot hold would break the answer before the proxy could fail to hide it.
    const credential = (req.headers.authorization ?? '').replaceAll(/[^\x20-\x7e]/g, '');
    const { status, fields, text } = answerWith(...answer(credential));
    res.writeHead(status, fields).end(text);
  };
  const v2 = await startUpstream(listener);
  onTestFinished(() => v2[Symbol.asyncDispose]());
  return { url: v2.url, told };
}

const v2Behaviours = fc.constantFrom(...Object.keys(v2Answers), 'a broken connection');

/** Sends bytes and gives what came back until the connection ended. */
async function exchange(port: number, bytes: Buffer): Promise<string> {
  const client = await connectRaw(port);
  client.write(bytes);
  return (await client.readToEnd()).bytes.toString('latin1');
}

/** What this process writes besides the log, until the test ends. */
function watchOutput(): string[] {
  const written: string[] = [];
  const note = (...values: unknown[]): true => {
    written.push(...values.map((value) => (typeof value === 'string' ? value : inspect(value))));
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(note);
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) vi.spyOn(console, name).mockImplementation(note);
  const onWarning = (warning: Error): true => note(warning);
  process.on('warning', onWarning);
  onTestFinished(() => {
    process.off('warning', onWarning);
    vi.restoreAllMocks();
  });
  return written;
}

describe('what finds secrets', () => {
  const secret = 'GHIJKLMN"OPQRS鍵é%';

  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ a: secret })],
    ['in a URL', `/v1/${encodeURIComponent(secret)}`],
    ['in another charset', Buffer.from(secret).toString('latin1')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in small letters', secret.toLowerCase()],
    ['cut short', JSON.stringify({ key: secret.slice(0, 9) })],
  ])('finds one %s', (_name, text) => {
    expect(found([secret], said([text]))).toHaveLength(1);
  });

  it('lets the documented prefix pass', () => {
    expect(found([secret], said([JSON.stringify({ key: secret.slice(0, 8) })]))).toEqual([]);
  });
});

describe('no key is ever written', () => {
  it('whatever a request holds and v2 answers: not to the log, the metrics or stderr, and no v2 key to the client', async () => {
    const output = watchOutput();
    const { url, told } = await startEchoingV2();
    const logger = pino({ base: null, level: 'trace' }, { write: (line: string) => void output.push(line) });
    let v2Key: string | undefined;
    const keyMap = { lookup: (v1Key: string) => v2Key ?? v1Key, close: () => undefined };
    // Node says nothing of a body that is no HTTP where an upgrade was offered and not taken: such a call ends when its time is over.
    const limits = { headTimeout: 500, requestTimeout: 500 };
    await using proxy = await startTestProxy(url, { logger, keyMap, unreadyAfter: 0, ...limits });
    const used: string[] = [];

    const property = fc.asyncProperty(
      secretRequests,
      fc.option(credentials, { nil: undefined }),
      v2Behaviours,
      async (request, mapped, behaviour) => {
        told.answer = behaviour;
        v2Key = mapped;
        used.push(request.secret, ...(mapped === undefined ? [] : [mapped]));
        // Those of the calls before, too: a line may come late.
        const hidden = used.slice(-6);
        const before = output.length;
        const answer = await exchange(proxy.port, write(request));
        const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
        expect(found(hidden, said(output.slice(before)) + metrics)).toEqual([]);
        expect(found(mapped === undefined ? [] : [mapped], answer)).toEqual([]);
      },
    );
    // A call without an end would only say that the test took too long.
    const numRuns = 100;
    await fc.assert(property, { numRuns, timeout: 60_000 });

    await proxy.drain();
    expect(found(used.slice(-6), said(output))).toEqual([]);
    // That there is a log to look through.
    expect(output.length).toBeGreaterThan(numRuns / 4);
  });

  it('by a real process, at its most talkative', async () => {
    const { url, told } = await startEchoingV2();
    const folder = mkdtempSync(join(tmpdir(), 'redaction-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seed = Date.now() % 2 ** 31;
    const [v2Key = '', broken = '', hashSecret = ''] = fc.sample(credentials, { numRuns: 3, seed });
    const map = join(folder, 'keys.json');
    writeFileSync(map, JSON.stringify({ keys: [{ v1: 'good', v2: v2Key }], default: 'same' }));
    const args = ['proxy', '--v2-base', url, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--key-map', map, '--log-level', 'trace'];
    await using running = serve([...args, '--verbose'], { env: { MIGRATE_V2_HASH_SECRET: hashSecret } });
    const { url: proxyUrl, adminUrl } = await listening(running);

    const places = Object.keys(positions).flatMap((place) => [place, place]);
    const requests = fc
      .sample(secretRequests, { numRuns: places.length, seed })
      .map((request, i) => ({ ...request, places: [places[i] ?? ''] }));
    const behaviours = fc.sample(v2Behaviours, { numRuns: places.length, seed: seed + 1 });
    const answers: string[] = [];
    for (const [i, request] of requests.entries()) {
      told.answer = behaviours[i] ?? 'success';
      answers.push(await exchange(Number(new URL(proxyUrl).port), write(request)));
    }
    writeFileSync(map, `{"keys": [{"v1": "${broken}", "v2": "${broken}`);
    await running.line(/key_map_rejected/);
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(await running.stop()).toBe(0);

    const output = said([...running.stdout, ...running.stderr]);
    const hidden = [v2Key, broken, hashSecret, ...requests.map(({ secret }) => secret)];
    expect(found(hidden, output + metrics), `seed ${seed}`).toEqual([]);
    expect(found([v2Key], answers.join('\n')), `seed ${seed}`).toEqual([]);
    expect(running.stderr).toEqual([]);
  });

  it('about key maps that are broken, at the start or later', async () => {
    const output = watchOutput();
    const folder = mkdtempSync(join(tmpdir(), 'redaction-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const logger = pino({ base: null, level: 'trace' }, { write: (line: string) => void output.push(line) });
    const file = join(folder, 'keys');
    /** Texts of maps: whole ones, cut ones, and ones with something else written into them. */
    const spoiled = fc
      .record({
        keys: fc.tuple(credentials, credentials, credentials),
        form: fc.constantFrom<(keys: readonly string[]) => string>(
          ([v1, v2, other]) => JSON.stringify({ keys: [{ v1, v2 }], [other ?? '']: 1 }),
          ([v1, v2, other]) => JSON.stringify({ keys: [{ v1, v2, [other ?? '']: other }] }),
          ([v1, v2, other]) =>
            JSON.stringify({
              keys: [
                { v1, v2 },
                { v1, v2: other },
              ],
              default: other,
            }),
          ([v1, v2, other]) => JSON.stringify({ [v1 ?? '']: v2, default: other }),
          ([v1, v2, other]) =>
            JSON.stringify({
              keys: [
                { v1: `sha256:${v1}`, v2: `env:${v2}` },
                { v1, v2: `file:${other}` },
              ],
            }),
          ([v1, v2, other]) => `keys:\n  - v1: ${v1}\n    v2: ${v2}\n  - v1: *${other}\n    v2: !${other} x\n`,
          ([v1, v2, other]) => `keys:\n  - {v1: ${v1}, v2: ${v2}}\n ${other}: &${v1} [*${v1}]\n%${other} ${v2}\n`,
        ),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        noise: fc.constantFrom('', '"', '}', '\n', ': ', '\t', '*', '&', '<<: '),
        isCut: fc.boolean(),
      })
      .map(({ keys, form, at, noise, isCut }) => {
        const text = form(keys);
        const position = Math.floor(at * text.length);
        return { keys, text: text.slice(0, position) + noise + (isCut ? '' : text.slice(position)) };
      });
    const property = fc.asyncProperty(spoiled, async ({ keys, text }) => {
      const before = output.length;
      writeFileSync(file, text);
      const opened: unknown = await openKeyMap(file, { logger }).then(
        (map) => map.close(),
        (error: unknown) => error,
      );
      expect(found(keys, inspect(opened, { depth: null, showHidden: true }) + said(output.slice(before)))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
