import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening, type Running } from '../helpers/process.ts';
import { paste, serve } from './run.ts';
import { needs } from '../helpers/tools.ts';

// On a day before v1 is switched off, whatever the day.
const clock = ['--clock', '2026-08-01T12:00:00Z'];
const sandbox = (...args: readonly string[]): Running =>
  serve(['sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...clock, ...args]);

const demoKey = async (running: Running, access: RegExp): Promise<string> => (await running.line(access, 'stderr')).replace(/.* /, '');
const readOnlyKey = (running: Running): Promise<string> => demoKey(running, /read only/);

/** One as it is without more, for what changes nothing in it. */
let plain: Running;
beforeAll(() => (plain = sandbox()));
afterAll(() => plain[Symbol.asyncDispose]());

test('the first line says where it listens, as JSON', async () => {
  const { url, adminUrl } = await listening(plain);
  expect(JSON.parse(plain.stdout[0] ?? '')).toEqual({ level: 30, time: expect.any(Number), msg: 'listening', url, adminUrl });
  expect((await fetch(`${adminUrl}/healthz`)).status).toBe(200);
});

test('the line comes at every log level', async () => {
  await using running = sandbox('--log-level', 'silent');
  expect((await listening(running)).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('in pretty format the line is for people', async () => {
  await using running = sandbox('--log-format', 'pretty');
  expect(await running.line(/./)).toMatch(/INFO: listening .*"url":"http:/);
});

test('every command it prints for pasting works', needs('curl'), async () => {
  await plain.line(/\/clock\/advance/, 'stderr');
  expect(await paste(plain)).toEqual([
    '/v1/messages/send 200',
    '/v1/contacts 200',
    '/v2/messages/send 200',
    '/v2/contacts 200',
    '/workspaces/demo/inbound 202',
    '/clock/advance 200',
  ]);
});

test('it prints a key for reading only', async () => {
  const { url } = await listening(plain);
  const headers = { 'x-api-key': await readOnlyKey(plain) };
  const statusOf = async (method: string) => (await fetch(`${url}/v1/contacts`, { method, headers })).status;
  expect([await statusOf('GET'), await statusOf('POST')]).toEqual([200, 403]);
});

test('another seed makes other keys', async () => {
  await using other = sandbox('--seed', 'other');
  expect(await readOnlyKey(other)).not.toBe(await readOnlyKey(plain));
});

test('assumptions reach it', async () => {
  await using running = sandbox('--assume', 'notFoundText=Nothing here');
  const { url } = await listening(running);
  const answer = await fetch(`${url}/v1/nothing`, { headers: { 'x-api-key': await readOnlyKey(running) } });
  expect(await answer.json()).toMatchObject({ error: 'Nothing here' });
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0', async (signal) => {
  await using running = sandbox();
  await listening(running);
  expect(await running.stop(signal)).toBe(0);
});

test('a second signal ends it at once with 128 and its number', async () => {
  await using running = sandbox();
  const url = new URL((await listening(running)).url);
  await holdOpen(url, await demoKey(running, /read & write/));
  running.child.kill('SIGTERM');
  // The listener is closed; the request that is held open keeps the process from ending.
  await refuses(url);
  expect(await running.stop('SIGINT')).toBe(130);
});

/** Sends half a request, which the server waits for. */
async function holdOpen({ hostname, port }: URL, key: string): Promise<void> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = ['Host: sandbox', `x-api-key: ${key}`, 'Content-Type: application/json', 'Content-Length: 5', 'Expect: 100-continue'];
  socket.write(`POST /v1/contacts HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 100 /);
}

/** Resolves once nobody listens there any more. */
async function refuses({ hostname, port }: URL): Promise<void> {
  for (;;) {
    const socket = connect(Number(port), hostname);
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (refused) return;
  }
}

test('says that v1 is switched off, and how to go back, once the clock is past that day', async () => {
  await using running = sandbox('--assume', 'sunsetAt=2026-08-01T12:00:00Z');
  expect(await running.line(/v1 is switched off/, 'stderr')).toContain('--clock');
});
