import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { projectRoot } from '../helpers/build.ts';
import { start, type Running, untidy } from '../helpers/process.ts';
import { call } from '../helpers/sandbox.ts';
import { transcript } from './processes/transcript.ts';

const clock = '2026-08-01T12:00:00Z';
const run = (name: string, ...args: readonly string[]): Running =>
  start(process.execPath, [untidy, join(projectRoot, 'test/sandbox/processes', name), ...args], { cwd: tmpdir() });

describe('options', () => {
  test.for<[string, object]>([
    ['clock', { clock: '2026-12-31' }],
    ['clock', { clock: -1 }],
    ['clock', { clock: 1.5 }],
    ['clock', { clock: new Date(NaN) }],
    ['clock', { clock: {} }],
    ['clock', { clock: null }],
    ['seed', { seed: '' }],
    ['dialect', { dialect: 'xml' }],
    ['envelope', { envelope: 'xml' }],
    ['deprecationHeaders', { deprecationHeaders: 'sometimes' }],
    ['allowPrivateWebhooks', { allowPrivateWebhooks: 2 }],
    ['webhookTimeout', { webhookTimeout: -1 }],
    ['maxRecords', { maxRecords: 1.5 }],
    ['assumptions.sunsetStatus', { assumptions: { sunsetStatus: 1_000 } }],
    ['assumptions.sunsetStatsu', { assumptions: { sunsetStatsu: 410 } }],
  ])('%s is refused by its name: %o', ([key, options]) => {
    expect(() => createSandbox(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', key }));
  });
  test.for<[string, SandboxOptions['clock']]>([
    ['2026-12-31T00:00:00.000Z', '2026-12-31T01:00:00+01:00'],
    ['2026-12-31T00:00:00.000Z', new Date('2026-12-31T00:00:00Z')],
    ['2026-12-31T00:00:00.000Z', Date.parse('2026-12-31T00:00:00Z')],
    ['1970-01-01T00:00:00.000Z', 0],
  ])('a clock stands at %s: %o', async ([shown, clock]) => {
    const sandbox = createSandbox({ clock });
    expect([new Date(sandbox.clock.now()).toISOString(), sandbox.clock.frozen]).toEqual([shown, true]);
    const later = new Date(sandbox.clock.now() + 1_000);
    await sandbox.clock.set(later);
    expect(sandbox.clock.now()).toBe(later.getTime());
    expect(sandbox.dashboard.createKey('demo', { name: 'x', access: 'read', expiresAt: later })).toMatchObject({
      expiresAt: later.toISOString(),
    });
    sandbox.reset();
    expect(new Date(sandbox.clock.now()).toISOString()).toBe(shown);
  });
  test('a clock that is no instant is told what to write', () => {
    expect(() => createSandbox({ clock: new Date(NaN) })).toThrow('clock: Invalid Date is not an instant: write 2026-12-31T00:00:00Z');
  });
  test('that are undefined are as if they were absent', () => {
    const options = { clock: undefined, seed: undefined, dialect: undefined, maxRecords: undefined } as unknown as SandboxOptions;
    expect(createSandbox(options).demo).toEqual(createSandbox().demo);
  });
});

describe('listening', () => {
  test('without addresses, it serves on free ports of this machine', async () => {
    await using sandbox = createSandbox({ clock });
    const { url, adminUrl } = await sandbox.listen();
    expect([url, adminUrl]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ]);
    expect((await call(url, 'GET /v1/messages', { key: sandbox.demo.readOnlyKey })).status).toBe(200);
    expect((await call(adminUrl, 'GET /healthz')).status).toBe(200);
  });
  test('an address that is none is an error that names it', async () => {
    await using sandbox = createSandbox({ clock });
    const listen = { host: '127.0.0.1', port: 65_536 };
    await expect(sandbox.listen({ listen })).rejects.toMatchObject({
      code: 'SANDBOX_LISTEN',
      message: expect.stringContaining('127.0.0.1:65536'),
    });
  });
  test('after a reset, the same addresses serve the new instance', async () => {
    await using sandbox = createSandbox({ clock });
    const { url, adminUrl } = await sandbox.listen();
    const send = { key: sandbox.demo.readWriteKey, json: { channel: 'SMS', to: '1', content: 'x' } };
    const { text } = await call(url, 'POST /v1/messages/send', send);
    expect((await call(adminUrl, 'POST /reset')).status).toBe(200);
    expect((await call(url, 'GET /v1/messages', { key: sandbox.demo.readOnlyKey })).body).toMatchObject({ total: 0 });
    expect((await call(url, 'POST /v1/messages/send', send)).text).toBe(text);
  });
});

describe('closing', () => {
  test('await using closes', async () => {
    let served = '';
    {
      await using sandbox = createSandbox({ clock });
      served = (await sandbox.listen()).url;
    }
    await expect(fetch(served)).rejects.toThrow('fetch failed');
  });
  test('waits for a listen that is under way, and may be asked for twice', async () => {
    const sandbox = createSandbox({ clock });
    const listening = sandbox.listen();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(fetch((await listening).url)).rejects.toThrow('fetch failed');
  });
  test('is for good', async () => {
    const sandbox = createSandbox({ clock });
    await sandbox.close();
    await expect(sandbox.listen()).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
  });
  test('leaves nothing open: the process ends by itself', async () => {
    await using running = run('close.ts');
    const exited = once(running.child, 'exit');
    // All that was under way is answered.
    await running.line(/^closed 200 200$/);
    expect(await exited).toEqual([0, null]);
  });
});

describe('a seed', () => {
  test('the same seed and the same calls give the same bytes, in another process too', async () => {
    await using running = run('transcript.ts', 'a');
    const exited = once(running.child, 'exit');
    const [one, other] = [await transcript('a'), await transcript('a')];
    expect(other).toBe(one);
    await exited;
    expect(running.stdout.join('\n')).toBe(one);
  });
  test('another seed gives other ones', async () => {
    expect(await transcript('b')).not.toBe(await transcript('a'));
  });
});
