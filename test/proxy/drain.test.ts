import { once } from 'node:events';
import { Agent, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../cli/run.ts';
import { inTime } from '../helpers/in-time.ts';
import { listening, type Running } from '../helpers/process.ts';
import { createProxy } from '../../proxy/handler.ts';
import { proxyOptions, startRawUpstream, startRecordingUpstream, startTestProxy, startUpstream } from '../helpers/proxy.ts';
import { type RawConnection, connectRaw, listenRaw } from '../helpers/raw.ts';

const key = 'sk_test_0123456789';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`;
const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

interface Served extends AsyncDisposable {
  readonly running: Running;
  readonly url: string;
  readonly adminUrl: string;
  readonly port: number;
  /** The exit code, once it has ended. */
  readonly exit: Promise<number | null>;
}

async function startProcess(v2Base: string, ...flags: readonly string[]): Promise<Served> {
  const running = serve(['proxy', '--v2-base', v2Base, ...free, ...flags]);
  const exit = once(running.child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  const { url, adminUrl } = await listening(running);
  return { running, exit, url, adminUrl, port: Number(new URL(url).port), [Symbol.asyncDispose]: running[Symbol.asyncDispose] };
}

const isReady = async (adminUrl: string): Promise<boolean> =>
  fetch(`${adminUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Sends the signal and waits until the process has heard it. */
async function tell({ running, adminUrl }: Served, signal: NodeJS.Signals): Promise<void> {
  running.child.kill(signal);
  while (await isReady(adminUrl));
}

/** Whether a port takes a connection; it is closed at once. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.on('connect', settle(true)).on('error', settle(false));
  });

/** A v2 that answers so many calls when told to; later ones it begins to answer at once. */
async function startHesitantUpstream(calls = 1) {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const upstream = await startUpstream((_req, res) => {
    if (--calls === 0) asked.resolve();
    if (calls < 0) res.writeHead(200, { 'Content-Type': 'application/json' }).write('{"done":');
    void go.promise.then(() =>
      res.headersSent ? res.end('true}') : res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"done":true}'),
    );
  });
  return { ...upstream, asked: asked.promise, answer: go.resolve };
}

describe('on SIGTERM', () => {
  test('calls of v1 and v2 in flight finish, one whose answer has begun too, new connections are refused, and the exit code is 0', async () => {
    const all = ['/v1/contacts', '/v2/contacts'];
    await using v2 = await startHesitantUpstream(all.length);
    await using proxy = await startProcess(v2.url);
    const clients = await Promise.all(all.map(() => connectRaw(proxy.port)));
    for (const [i, client] of clients.entries()) client.write(get(all[i] ?? ''));
    await v2.asked;
    const begun = await connectRaw(proxy.port);
    begun.write(get('/v1/messages'));
    await begun.readUntil('{"done":');
    await tell(proxy, 'SIGTERM');
    while (await accepts(proxy.port));
    v2.answer();
    for (const client of clients) {
      const answer = await client.readAnswer();
      expect([answer.status, answer.body.toString(), answer.values('connection')]).toEqual([200, '{"done":true}', ['close']]);
      expect(await client.ending()).toBe('end');
    }
    expect(await begun.readUntil('0\r\n\r\n')).toContain('true}');
    expect(await proxy.exit).toBe(0);
  });

  test('a connection that is kept alive is told to close with its next answer', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startProcess(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(get('/v1/contacts'));
    expect((await client.readAnswer()).values('connection')).toEqual(['keep-alive']);
    await tell(proxy, 'SIGTERM');
    client.write(get('/v1/contacts'));
    const answer = await client.readAnswer();
    expect([answer.status, answer.values('connection')]).toEqual([200, ['close']]);
    expect(await client.ending()).toBe('end');
    expect(await proxy.exit).toBe(0);
  });

  test('--drain-timeout bounds the wait for v2, which loses the call', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await using v2 = await startUpstream((req) => {
      req.socket.once('close', left.resolve);
      asked.resolve();
    });
    await using proxy = await startProcess(v2.url, '--drain-timeout', '100ms');
    const client = await connectRaw(proxy.port);
    client.write(get('/v1/contacts'));
    await asked.promise;
    expect(await proxy.running.stop('SIGTERM')).toBe(0);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    await left.promise;
    expect(proxy.running.stdout.some((line) => line.includes('"status":0,"outcome":"failed"'))).toBe(true);
  });

  test('--drain-timeout bounds the wait for a connection to v2, however long that may take', async () => {
    const connected = Promise.withResolvers<void>();
    // Accepts, and never says a word of TLS.
    await using v2 = await startRawUpstream(() => connected.resolve());
    const base = v2.url.replace('http:', 'https:');
    await using proxy = await startProcess(base, '--drain-timeout', '100ms', '--connect-timeout', '10m');
    const client = await connectRaw(proxy.port);
    client.write(get('/v1/contacts') + get('/v1/messages'));
    await connected.promise;
    expect(await proxy.running.stop('SIGTERM')).toBe(0);
  });

  test('a second signal ends it at once', async () => {
    await using v2 = await startHesitantUpstream();
    await using proxy = await startProcess(v2.url, '--drain-timeout', '10m');
    const client = await connectRaw(proxy.port);
    client.write(get('/v1/contacts'));
    await v2.asked;
    await tell(proxy, 'SIGTERM');
    expect(await proxy.running.stop('SIGINT')).toBe(130);
    await client.ending();
  });
});

test('an upgraded connection is broken when the time for the drain is over', async () => {
  await using v2 = await startRawUpstream((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'));
  });
  await using proxy = await startTestProxy(v2.url, { drainTimeout: 50 });
  const client = await connectRaw(proxy.port);
  client.write('GET /v2/events HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect((await client.readAnswer()).status).toBe(101);
  const drained = proxy.drain();
  await client.ending();
  await drained;
});

describe('while a drain closes what is idle', () => {
  const large = JSON.stringify('x'.repeat(12_000_000));

  /** A client that has asked for an answer which is handed over whole, and takes no more than the kernel does for it. */
  async function startSlowReader(drainTimeout: number) {
    const v2 = await startUpstream((_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end(large));
    onTestFinished(() => v2[Symbol.asyncDispose]());
    // Mapped, and so written at once.
    const mappings = { listMessages: { response: { body: '$' } } };
    const proxy = await startTestProxy(v2.url, { drainTimeout, maxBody: 20_000_000, mappings });
    onTestFinished(proxy.drain);
    const client = await connectRaw(proxy.port);
    client.write(get('/v1/messages'));
    client.socket.once('data', () => client.socket.pause());
    await client.readUntil('HTTP/1.1 200');
    return { proxy, client };
  }

  test('an answer that a slow client is still reading comes to its end', async () => {
    const { proxy, client } = await startSlowReader(120_000);
    const drained = proxy.drain();
    // Beyond the grace of idle connections.
    await after(1_300);
    client.socket.resume();
    expect((await client.readToEnd()).bytes.subarray(-large.length).equals(Buffer.from(large))).toBe(true);
    await drained;
  });

  test('a client that reads no more is left when the time for the drain is over', async () => {
    const { proxy, client } = await startSlowReader(50);
    await proxy.drain();
    client.socket.resume();
    expect((await client.readToEnd()).bytes.length).toBeLessThan(large.length);
  });

  test('a connection may still carry a request for a while, which is answered with Connection: close', () =>
    // That while is a second.
    inTime(1_000, async () => {
      await using v2 = await startRecordingUpstream();
      await using proxy = await startTestProxy(v2.url, { drainTimeout: 10_000 });
      const client = await connectRaw(proxy.port);
      client.write(get('/v1/contacts'));
      await client.readAnswer();
      const drained = proxy.drain();
      while (await accepts(proxy.port));
      // Not at once either: what is closed without a grace is closed by then.
      await after(50);
      client.write(get('/v1/contacts'));
      const answer = await client.readAnswer();
      expect([answer.status, answer.values('connection')]).toEqual([200, ['close']]);
      await drained;
    }));
});

test('a connection that has never carried a request delays no drain', async () => {
  await using v2 = await startRecordingUpstream();
  await using proxy = await startTestProxy(v2.url, { drainTimeout: 600_000, headTimeout: 600_000, requestTimeout: 600_000 });
  const never = await connectRaw(proxy.port);
  const kept = await connectRaw(proxy.port);
  kept.write(get('/v1/contacts'));
  await kept.readAnswer();
  await proxy.drain();
  expect(await never.ending()).toBe('end');
});

test('a first request that has arrived is answered, however long the process stood still before it was read', async () => {
  await using v2 = await startRecordingUpstream();
  await using proxy = await startTestProxy(v2.url, { drainTimeout: 600_000 });
  const client = await connectRaw(proxy.port);
  const drained = proxy.drain();
  while (await accepts(proxy.port));
  client.write(get('/v1/contacts'));
  // Longer than idle connections are kept open.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  expect((await client.readAnswer()).status).toBe(200);
  await drained;
});

test('what never ends does not hold up the end', async () => {
  const proxy = createProxy(proxyOptions('http://127.0.0.1:9'));
  proxy.context.underWay.begin();
  await expect(proxy.close(10)).resolves.toBeUndefined();
});

describe('a rolling restart', () => {
  /** Calls one after the other over a connection that is kept alive, to the first proxy that is ready. */
  class LoadClient {
    readonly sent: string[] = [];
    readonly faults: string[] = [];
    readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
    readonly #name: string;
    readonly #proxies: readonly Served[];

    constructor(name: string, proxies: readonly Served[]) {
      this.#name = name;
      this.#proxies = proxies;
    }

    async run(isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        const content = `${this.#name}-${this.sent.length}`;
        if (await this.#send(content)) this.sent.push(content);
      }
      this.#agent.destroy();
    }

    /** @returns false where nothing was sent: no proxy took the connection */
    async #send(content: string): Promise<boolean> {
      for (const { url, adminUrl } of this.#proxies) {
        if (!(await isReady(adminUrl))) continue;
        try {
          const status = await this.#post(`${url}/v1/messages/send`, content);
          if (status === undefined) continue;
          if (status !== 200) this.faults.push(`${content}: ${status}`);
          return true;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          this.faults.push(`${content}: ${code}`);
          return true;
        }
      }
      return false;
    }

    /**
     * @returns undefined where no proxy took the connection: a listener that closes refuses it, or resets one that waits to be taken. It is sent
     * again then, and what v2 got of it all the same it gets twice.
     */
    #post(url: string, content: string): Promise<number | undefined> {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const req = request(url, { method: 'POST', agent: this.#agent, headers }, (res) => {
        json(res).then(() => resolve(res.statusCode), reject);
      });
      const untaken = (error: NodeJS.ErrnoException): boolean =>
        error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && !req.reusedSocket);
      req
        .on('error', (error) => (untaken(error) ? resolve(undefined) : reject(error)))
        .end(JSON.stringify({ channel: 'SMS', to: '+15550100', content }));
      return promise;
    }
  }

  test('under load loses no call and sends none twice', async () => {
    let calls = 0;
    // Calls take different times, so that some are in flight whenever a signal comes.
    const slowly: RequestListener = (_req, res) => {
      void after(calls++ % 20).then(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"messageId":"m"}'));
    };
    await using v2 = await startRecordingUpstream(slowly);
    await using a = await startProcess(v2.url);
    const proxies = [a];
    const clients = Array.from({ length: 8 }, (_, i) => new LoadClient(String(i), proxies));
    let over = false;
    const load = clients.map((client) => client.run(() => over));
    await using b = await startProcess(v2.url);
    proxies.push(b);
    expect(await a.running.stop()).toBe(0);
    await using c = await startProcess(v2.url);
    proxies.push(c);
    const before = v2.seen.length;
    expect(await b.running.stop()).toBe(0);
    while (v2.seen.length < before + 100) await after(10);
    over = true;
    await Promise.all(load);

    expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
    const arrived = v2.seen.map(({ body }): string => JSON.parse(body).content);
    expect(arrived.toSorted()).toEqual(clients.flatMap(({ sent }) => sent).toSorted());
    expect(await c.running.stop()).toBe(0);
  });
});

test.each(['/v1/messages', '/v2/messages'])(
  'a client of %s that closes in the moment in which v2 breaks does not hold up the end',
  async (path) => {
    const clients = new Set<RawConnection>();
    const v2 = await listenRaw(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
      for (const client of clients) await client.readUntil('{');
      // In one turn, so that the proxy learns of both in one, too.
      for (const client of clients) client.socket.destroy();
      connection.reset();
    });
    onTestFinished(() => v2.close());
    await using proxy = await startTestProxy(`http://127.0.0.1:${v2.port}`, { drainTimeout: 10 });
    for (let i = 0; i < 20; i++) {
      const client = await connectRaw(proxy.port);
      clients.add(client);
      client.write(get(path));
      await client.ending();
      clients.delete(client);
    }
    await expect(proxy.drain()).resolves.toBeUndefined();
  },
);
