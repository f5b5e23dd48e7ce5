import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTime } from '../helpers/in-time.ts';
import type { RawConnection } from '../helpers/raw.ts';
import { connectRaw } from '../helpers/raw.ts';
import { expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const answer = `${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`;

/** A v2 that answers a request once it is released, or at once when its path says so. */
async function startSlowV2(): Promise<{ base: string; targets: string[]; release: () => void }> {
  const targets: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { base } = await startRawV2(async (connection) => {
    for (;;) {
      targets.push((await connection.readUntil('\r\n\r\n')).split(' ')[1] ?? '');
      await promise;
      connection.write(answer);
    }
  });
  return { base, targets, release: resolve };
}

describe('v2 that takes too long', () => {
  it.each(['GET', 'POST'])('to begin its answer to a %s: 504, its connection is closed, and nothing is sent again', async (method) => {
    const v2 = await startRawV2(async (connection) => void (await connection.readToEnd()));
    const proxy = await startProxy(v2.base, { headersTimeout: 100 });
    expectError(await proxy.ask(method === 'GET' ? get() : post('/v1/campaigns', 'Content-Length: 0')), 504, {
      code: 'PROXY_UPSTREAM_TIMEOUT',
    });
    expect(await (await v2.connection(0)).ending()).toBe('end');
    expect(v2.connections).toHaveLength(1);
    expect(await proxy.inFlight()).toBe(0);
  });

  it.each(['GET', 'POST'])('to begin its final answer to a %s, however many interim ones come first: 504, and the same', (method) =>
    inTime(200, async (headersTimeout) => {
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        const interim = setInterval(() => connection.write(head('HTTP/1.1 102 Processing')), headersTimeout / 4);
        await connection.ending();
        clearInterval(interim);
      });
      const proxy = await startProxy(v2.base, { headersTimeout });
      const client = await proxy.connect();
      client.write(method === 'GET' ? get() : post('/v1/campaigns', 'Content-Length: 2') + '{}');
      let last = await client.readAnswer();
      expect(last.status).toBe(102);
      while (last.status === 102) last = await client.readAnswer();
      expectError(last, 504, { code: 'PROXY_UPSTREAM_TIMEOUT' });
      expect(await (await v2.connection(0)).ending()).toBe('end');
      expect(v2.connections).toHaveLength(1);
      expect(await proxy.inFlight()).toBe(0);
    }),
  );

  it('to begin its final answer is not what a long upload with interim answers is', () =>
    inTime(400, async (headersTimeout) => {
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        for (let i = 0; i < 8; i++) {
          await connection.read(1);
          connection.write(head('HTTP/1.1 102 Processing'));
        }
        connection.write(answer);
      });
      const proxy = await startProxy(v2.base, { headersTimeout });
      const client = await proxy.connect();
      client.write(post('/v1/campaigns', 'Content-Length: 8'));
      for (let i = 0; i < 8; i++) {
        setTimeout(() => client.write('1'), headersTimeout / 5);
        expect((await client.readAnswer()).status).toBe(102);
      }
      expect((await client.readAnswer()).status).toBe(200);
    }));

  it('between two parts of its answer: the connection of the client is reset', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head('HTTP/1.1 200 OK', json, 'Content-Length: 100000')}{`);
      await connection.ending();
    });
    const proxy = await startProxy(v2.base, { bodyTimeout: 100 });
    const client = await proxy.connect();
    client.write(get());
    expect(await client.ending()).toBe('reset');
    expect((await proxy.log.waitFor('call_failed'))[0]).toMatchObject({ code: 'PROXY_UPSTREAM_TIMEOUT' });
  });

  it('to accept a connection: 504, and the request was not sent', async () => {
    // A listener that accepts nothing, behind a queue that is full: then the kernel no longer answers who wants to connect.
    const child = fork(new URL('deaf-listener.ts', import.meta.url));
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = await once(child, 'message');
    const waiting = Array.from({ length: 4 }, () => connectRaw(port));
    onTestFinished(() =>
      waiting.forEach(
        (connecting) =>
          void connecting.then(
            ({ socket }) => socket.destroy(),
            () => undefined,
          ),
      ),
    );
    await Promise.all(waiting.slice(0, 2));
    const proxy = await startProxy(`http://127.0.0.1:${port}`, { connectTimeout: 200 });
    const refused = await proxy.ask(post('/v1/campaigns', 'Content-Length: 0'));
    expectError(refused, 504, { code: 'PROXY_UPSTREAM_CONNECT_TIMEOUT' });
    expect(refused.values('retry-after')).toEqual(['1']);
  });
});

describe('v2 that cannot be reached', () => {
  it.each(['GET', 'POST'])('gives a %s 502 and Retry-After', async (method) => {
    // A port that was free a moment ago, a test beside this one may have by now; this one is handed to nobody.
    const proxy = await startProxy('http://127.0.0.1:1');
    const refused = await proxy.ask(method === 'GET' ? get() : post('/v1/campaigns', 'Content-Length: 0'));
    expectError(refused, 502, { code: 'PROXY_UPSTREAM_UNREACHABLE' });
    expect(refused.values('retry-after')).toEqual(['1']);
    expect(await proxy.inFlight()).toBe(0);
  });

  it('by name gives 502 as well', async () => {
    const proxy = await startProxy('http://nowhere.invalid');
    expectError(await proxy.ask(get()), 502, { code: 'PROXY_UPSTREAM_UNREACHABLE' });
    expect(await proxy.inFlight()).toBe(0);
  });
});

describe('a call beyond the connections and the queue', () => {
  it('is refused at once with 503 and Retry-After, and the others are served', async () => {
    const v2 = await startSlowV2();
    const proxy = await startProxy(v2.base, { connections: 1, queue: 1 });
    const clients: RawConnection[] = [];
    for (const [waiting, path] of ['/v1/messages', '/v1/contacts'].entries()) {
      const client = await proxy.connect();
      clients.push(client);
      client.write(get(path));
      await expect.poll(() => proxy.inFlight()).toBe(waiting + 1);
    }
    const refused = await proxy.ask(get('/v1/campaigns/1'));
    expectError(refused, 503, { code: 'PROXY_OVERLOADED' });
    expect(refused.values('retry-after')).toEqual(['1']);
    v2.release();
    for (const client of clients) expect((await client.readAnswer()).status).toBe(200);
    expect(v2.targets).toEqual(['/v2/messages', '/v2/contacts']);
  });

  it('takes the place of one whose client has left', async () => {
    const v2 = await startSlowV2();
    const proxy = await startProxy(v2.base, { connections: 1, queue: 1 });
    const first = await proxy.connect();
    first.write(get('/v1/messages'));
    await expect.poll(() => v2.targets).toHaveLength(1);
    const leaving = await proxy.connect();
    leaving.write(get('/v1/contacts'));
    await expect.poll(() => proxy.inFlight()).toBe(2);
    leaving.reset();
    await proxy.log.waitFor('deprecated_use');
    expect(await proxy.inFlight()).toBe(1);
    const third = await proxy.connect();
    third.write(get('/v1/campaigns/1'));
    await expect.poll(() => proxy.inFlight()).toBe(2);
    v2.release();
    for (const client of [first, third]) expect((await client.readAnswer()).status).toBe(200);
    expect(v2.targets).toEqual(['/v2/messages', '/v2/campaigns/1']);
  });

  it('waits no longer for its turn than v2 may take to answer', () =>
    inTime(100, async (headersTimeout) => {
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        connection.write(head('HTTP/1.1 200 OK', json, 'Content-Length: 100000'));
        await connection.ending();
      });
      const proxy = await startProxy(v2.base, { connections: 1, headersTimeout });
      const first = await proxy.connect();
      first.write(get());
      await first.readUntil('\r\n\r\n');
      const refused = await proxy.ask(get('/v1/contacts'));
      expectError(refused, 503, { code: 'PROXY_OVERLOADED' });
      expect(refused.values('retry-after')).toEqual(['1']);
      expect(await proxy.inFlight()).toBe(1);
      expect(v2.connections).toHaveLength(1);
    }));

  it('that had its turn in time may take as long as any other', () =>
    inTime(500, async (headersTimeout) => {
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        connection.write(answer);
        await connection.readUntil('\r\n\r\n');
        connection.write(head('HTTP/1.1 200 OK', json, 'Content-Length: 2'));
        setTimeout(() => connection.write('{}'), 1.6 * headersTimeout);
      });
      const proxy = await startProxy(v2.base, { connections: 1, headersTimeout });
      const answers = await Promise.all([proxy.ask(get()), proxy.ask(get())]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }));

  it('never has more connections to v2 than allowed', async () => {
    const v2 = await startRawV2(async (connection) => {
      for (;;) {
        await connection.readUntil('\r\n\r\n');
        connection.write(answer);
      }
    });
    const proxy = await startProxy(v2.base, { connections: 3, queue: 100 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => proxy.ask(get())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(v2.connections).toHaveLength(3);
    expect(await proxy.inFlight()).toBe(0);
  });
});
