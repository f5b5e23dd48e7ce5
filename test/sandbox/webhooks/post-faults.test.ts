import { fork } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deliveryChannel } from '../../../src/sandbox/webhooks/post.ts';
import { connectRaw, type RawConnection } from '../../helpers/raw.ts';
import { body, failOnce, send, startAnswering, startRaw } from './attempts.ts';

const end = (connection: RawConnection): void => connection.end();
const reset = (connection: RawConnection): void => connection.reset();

/** Waits until the head of an answer has been read. */
function answerBegun(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const told = (): void => resolve();
  subscribe('http.client.response.finish', told);
  onTestFinished(() => void unsubscribe('http.client.response.finish', told));
  return promise;
}

/** Waits until some of the body of an answer has been read. */
function bodyBegun(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const told = (message: unknown): void => void (message as { readonly response: IncomingMessage }).response.once('data', () => resolve());
  subscribe('http.client.response.finish', told);
  onTestFinished(() => void unsubscribe('http.client.response.finish', told));
  return promise;
}

/** A port that accepts no connection: the queue of those who want one is full, and the kernel does not answer any more. */
async function startDeaf(): Promise<number> {
  const child = fork(new URL('../../proxy/deaf-listener.ts', import.meta.url));
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child, 'message');
  const [first, second] = await Promise.all([connectRaw(port), connectRaw(port)]);
  onTestFinished(() => void [first, second].map(({ socket }) => socket.destroy()));
  return port;
}

describe('a receiver that', () => {
  test.each([
    ['resets at once', (connection: RawConnection) => connection.reset()],
    ['leaves without a word', (connection: RawConnection) => connection.end()],
  ])('%s ends it at RESET', async (_case, serve) => {
    const { url } = await startRaw(serve);
    expect(await send(url)).toMatchObject({ error: { code: 'RESET' }, delivered: false });
  });

  test.each([
    ['resets after reading', '', reset],
    ['leaves after reading', '', end],
    ['resets within the head', 'HTTP/1.1 200 OK\r\nX-', reset],
    ['leaves within the head', 'HTTP/1.1 200 OK\r\nX-', end],
    ['leaves after a 1xx', 'HTTP/1.1 103 Early Hints\r\n\r\n', end],
  ])('%s ends it at RESET', async (_case, answer, then) => {
    const { url } = await startAnswering(answer, then);
    expect(await send(url)).toMatchObject({ error: { code: 'RESET' }, delivered: false });
  });

  test.each([
    ['leaves within a body', 'Content-Length: 100\r\n\r\nhello', end, 'hello'],
    ['leaves within a chunk', 'Transfer-Encoding: chunked\r\n\r\n64\r\nhello', end, 'hello'],
    ['writes a bad chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n', undefined, 'hello'],
    ['writes more than it said', 'Content-Length: 5\r\n\r\nhello, and more', undefined, 'hello'],
    ['writes a second answer', 'Content-Length: 5\r\n\r\nhelloHTTP/1.1 500 No\r\n\r\n', undefined, 'hello'],
  ])('%s is judged by its status', async (_case, rest, then, kept) => {
    const { url } = await startAnswering(`HTTP/1.1 200 OK\r\n${rest}`, then);
    expect(await send(url)).toMatchObject({ delivered: true, response: { status: 200, body: kept } });
  });

  test('resets within a body is judged by its status', async () => {
    const begun = answerBegun();
    const { url } = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello', (connection) => {
      // A reset throws away what has not been read yet.
      void begun.then(() => connection.reset());
    });
    expect(await send(url)).toMatchObject({ delivered: true, response: { status: 200, body: 'hello' } });
  });

  test.each([
    ['garbage', 'I am no web server\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['zeros', '\0'.repeat(100)],
    ['a status without digits', 'HTTP/1.1 OK\r\n\r\n'],
    ['a field without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['both framings', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a protocol nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ])('writes %s ends it at INVALID_RESPONSE', async (_case, answer) => {
    const receiver = await startAnswering(answer);
    expect(await send(receiver.url)).toMatchObject({ error: { code: 'INVALID_RESPONSE' }, delivered: false });
    await (await receiver.connection(0)).ending();
  });

  test.each([
    ['fields', 'HTTP/1.1 200 OK\r\n', 'X-More: of the same\r\n'],
    ['one field', 'HTTP/1.1 200 OK\r\nX-More: ', 'and more '],
  ])('writes a head without end of %s ends it at INVALID_RESPONSE', async (_case, start, more) => {
    const { url } = await startAnswering(start + more.repeat(10_000));
    expect((await send(url)).error).toEqual({
      code: 'INVALID_RESPONSE',
      message: 'The receiver’s answer was not valid HTTP (HPE_HEADER_OVERFLOW)',
    });
  });
});

describe('a status that is no success', () => {
  test.each([
    ['below all classes', 'HTTP/1.1 099 Low'],
    ['101 that no upgrade goes with', 'HTTP/1.1 101 Switching Protocols'],
  ])('%s is an answer, and no delivery', async (_case, line) => {
    const { url } = await startAnswering(`${line}\r\nContent-Length: 0\r\n\r\n`);
    expect(await send(url)).toMatchObject({ delivered: false, response: { status: Number(line.slice(9, 12)) } });
  });
});

describe('a connection that fails', () => {
  test('on plain http has nothing to do with TLS', async () => {
    const { url } = await startRaw(() => undefined);
    failOnce('connect');
    expect((await send(url)).error).toEqual({ code: 'RESET', message: 'The connection broke before the receiver answered (ETIMEDOUT)' });
  });
});

describe('the time', () => {
  const timeout = 100;

  test.each([
    ['says nothing', ''],
    ['writes half a head', 'HTTP/1.1 200 OK\r\nX-'],
    ['goes no further than 1xx', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('ends it at TIMEOUT where the receiver %s, and the connection is closed', async (_case, answer) => {
    const receiver = await startRaw((connection) => connection.write(answer));
    expect(await send(receiver.url, { timeout })).toMatchObject({
      error: { code: 'TIMEOUT', message: 'The receiver did not answer in time' },
      delivered: false,
    });
    await (await receiver.connection(0)).ending();
  });

  test('includes the handshake', async () => {
    const receiver = await startRaw(() => undefined);
    expect((await send(`https://127.0.0.1:${receiver.port}/`, { timeout })).error?.code).toBe('TIMEOUT');
    await (await receiver.connection(0)).ending();
  });

  test('includes connecting', async () => {
    expect((await send(`http://127.0.0.1:${await startDeaf()}/`, { timeout })).error?.code).toBe('TIMEOUT');
  });

  test('cuts a body off, which leaves the delivery as it is', async () => {
    const receiver = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const begun = bodyBegun();
    const sent = send(receiver.url, { timeout });
    await begun;
    vi.advanceTimersByTime(timeout);
    expect(await sent).toMatchObject({ delivered: true, response: { status: 200, body: 'hello' } });
    await (await receiver.connection(0)).ending();
  });
});

describe('giving up', () => {
  test('before the start ends it at ABORTED, and nothing is sent', async () => {
    const told: unknown[] = [];
    const listener = (message: unknown): unknown => told.push(message);
    deliveryChannel.subscribe(listener);
    onTestFinished(() => void deliveryChannel.unsubscribe(listener));
    const receiver = await startRaw(() => undefined);
    expect(await send(receiver.url, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'ABORTED' }, delivered: false });
    expect([told, receiver.connections]).toEqual([[], []]);
  });

  test('while it connects ends it at ABORTED', async () => {
    const giveUp = new AbortController();
    const attempt = send(`http://127.0.0.1:${await startDeaf()}/`, { signal: giveUp.signal });
    giveUp.abort();
    expect(await attempt).toMatchObject({ error: { code: 'ABORTED', message: 'The attempt was given up' }, delivered: false });
  });

  test('while it waits ends it at ABORTED, and the connection is closed', async () => {
    const giveUp = new AbortController();
    const receiver = await startAnswering('', () => giveUp.abort());
    expect(await send(receiver.url, { signal: giveUp.signal })).toMatchObject({ error: { code: 'ABORTED' }, delivered: false });
    await (await receiver.connection(0)).ending();
  });

  test('while the body comes cuts it off, which leaves the delivery as it is', async () => {
    const giveUp = new AbortController();
    const begun = answerBegun();
    const receiver = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello');
    const attempt = send(receiver.url, { signal: giveUp.signal });
    await begun;
    giveUp.abort();
    expect(await attempt).toMatchObject({ delivered: true, response: { status: 200 } });
    await (await receiver.connection(0)).ending();
  });
});

describe('an attempt that has ended', () => {
  test('leaves no timer and no listener on the signal', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const { signal } = new AbortController();
    const { url } = await startAnswering('HTTP/1.1 204 No Content\r\n\r\n');
    await send(url, { signal });
    // Timers of the test runner may end meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sends no more of a body that the receiver did not want', async () => {
    const large = Buffer.from(body.toString().replace('Zoë', 'Z'.repeat(32 * 1024 * 1024)));
    const receiver = await startRaw((connection) => {
      connection.socket.pause();
      connection.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await send(receiver.url, { body: large })).toMatchObject({ delivered: true });
    const connection = await receiver.connection(0);
    connection.socket.resume();
    expect((await connection.readToEnd()).bytes.length).toBeLessThan(large.length);
  });
});
