import { describe, expect, it } from 'vitest';
import type { RawAnswer, RawConnection } from '../helpers/raw.ts';
import { expectDeprecated, expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const body = '{"channel":"SMS","to":"+15550100","content":"x"}';
const calls = {
  GET: get(),
  HEAD: get().replace('GET', 'HEAD'),
  'POST whose body is read': post('/v1/messages/send', `Content-Length: ${body.length}`) + body,
  'POST whose body is streamed': post('/v1/campaigns', `Content-Length: ${body.length}`) + body,
};

/** A v2 that reads one request on each connection and then does something with it; counts the requests. */
async function startFaultyV2(fault: (connection: RawConnection) => unknown): Promise<{ base: string; requests: string[] }> {
  const requests: string[] = [];
  const { base } = await startRawV2(async (connection) => {
    const received = await connection.readUntil('\r\n\r\n');
    requests.push(
      received.slice(0, received.indexOf(' ')) + (received.startsWith('POST') ? (await connection.read(body.length)).toString() : ''),
    );
    await fault(connection);
  });
  return { base, requests };
}

/** An answer to HEAD has no content to look at. */
function expectBroken(method: string, answer: RawAnswer): void {
  expectDeprecated(answer);
  expect(answer.status).toBe(502);
  expect(answer.body.toString()).toMatch(method === 'HEAD' ? /^$/ : /"PROXY_UPSTREAM_RESET"/);
}

describe('v2 breaks the connection', () => {
  describe.each<[string, (connection: RawConnection) => unknown]>([
    ['by a reset', (connection) => connection.reset()],
    ['by closing it', (connection) => connection.end()],
  ])('%s', (_how, breaking) => {
    it.each(Object.entries(calls))('before the head: a %s gets 502', async (method, bytes) => {
      const v2 = await startFaultyV2(breaking);
      const proxy = await startProxy(v2.base);
      const answer = await proxy.ask(bytes, method);
      expectBroken(method, answer);
      // Only what changes nothing may be sent again (RFC 9110 §9.2.2), and only once.
      expect(v2.requests).toEqual(method.startsWith('POST') ? [`POST${body}`] : [method, method]);
      expect(await proxy.inFlight()).toBe(0);
    });

    it.each(Object.entries(calls))('within the head: a %s gets 502 and is not sent again', async (method, bytes) => {
      const v2 = await startFaultyV2((connection) => {
        connection.write('HTTP/1.1 200 OK\r\nContent-Le');
        // The proxy must have read the first bytes; its next read is the break.
        setImmediate(() => setImmediate(() => breaking(connection)));
      });
      const proxy = await startProxy(v2.base);
      const answer = await proxy.ask(bytes, method);
      expectBroken(method, answer);
      expect(v2.requests).toHaveLength(1);
    });

    it.each<[string, string, string]>([
      ['after the head of a short body', head('HTTP/1.1 200 OK', json, 'Content-Length: 10'), ''],
      ['after the head of a long body', head('HTTP/1.1 200 OK', json, 'Content-Length: 100000'), ''],
      ['within a short body', head('HTTP/1.1 200 OK', json, 'Content-Length: 10'), '{"a":'],
      ['within a long body', head('HTTP/1.1 200 OK', json, 'Content-Length: 100000'), '{"a":'],
      ['within a body whose connection was to close', head('HTTP/1.1 200 OK', json, 'Connection: close', 'Content-Length: 10'), '{"a":'],
      ['within a chunk', head('HTTP/1.1 200 OK', json, 'Transfer-Encoding: chunked'), '10\r\n{"a":'],
      ['between chunks', head('HTTP/1.1 200 OK', json, 'Transfer-Encoding: chunked'), '5\r\n{"a":\r\n'],
      ['before the last chunk is whole', head('HTTP/1.1 200 OK', json, 'Transfer-Encoding: chunked'), '5\r\n{"a":\r\n0\r\n'],
    ])('%s: the connection of the client is reset', async (_name, answerHead, part) => {
      for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
        const v2 = await startFaultyV2((connection) => {
          connection.write(answerHead + part);
          setImmediate(() => setImmediate(() => breaking(connection)));
        });
        const proxy = await startProxy(v2.base);
        const client = await proxy.connect();
        client.write(get().replace('HTTP/1.1', version));
        expect(await client.ending()).toBe('reset');
        expect(v2.requests).toHaveLength(1);
        expect((await proxy.log.waitFor('deprecated_use'))[0]).toMatchObject({ outcome: 'failed' });
        expect(await proxy.inFlight()).toBe(0);
      }
    });

    it('within the body of an error: the status says enough', async () => {
      const v2 = await startFaultyV2((connection) => {
        connection.write(`${head('HTTP/1.1 404 Not Found', json, 'Content-Length: 100')}{"message":`);
        setImmediate(() => setImmediate(() => breaking(connection)));
      });
      expectError(await (await startProxy(v2.base)).ask(get()), 404, { error: 'Not found' });
      expect(v2.requests).toHaveLength(1);
    });
  });

  it.each(['HTTP/1.1', 'HTTP/1.0'])(
    'by a reset within a body without a length: the connection of a client of %s is reset',
    async (version) => {
      const v2 = await startFaultyV2((connection) => {
        connection.write(`${head('HTTP/1.1 200 OK', json)}{"a":`);
        setImmediate(() => setImmediate(() => connection.reset()));
      });
      const client = await (await startProxy(v2.base)).connect();
      client.write(get().replace('HTTP/1.1', version));
      expect(await client.ending()).toBe('reset');
    },
  );

  it.each(['HTTP/1.1', 'HTTP/1.0'])(
    'by closing it after a body without a length: that is its end, for a client of %s as well',
    async (version) => {
      const v2 = await startFaultyV2((connection) => {
        connection.write(`${head('HTTP/1.1 200 OK', json)}{"a":1}`);
        connection.end();
      });
      const proxy = await startProxy(v2.base);
      const answer = await proxy.ask(get().replace('HTTP/1.1', version));
      expect([answer.status, answer.body.toString()]).toEqual([200, '{"a":1}']);
    },
  );

  // Whether anything was sent before the reset came, and so whether a POST may go once more, is up to the kernels.
  it.each(Object.entries(calls))('before it reads anything: a %s gets 502 after at most two attempts', async (method, bytes) => {
    const v2 = await startRawV2((connection) => connection.reset());
    const proxy = await startProxy(v2.base);
    expect((await proxy.ask(bytes, method)).status).toBe(502);
    expect(v2.connections.length).toBeLessThanOrEqual(2);
    expect(await proxy.inFlight()).toBe(0);
  });

  it('during the upload: a streamed POST gets 502 and is not sent again', async () => {
    const requests: string[] = [];
    const { base } = await startRawV2(async (connection) => {
      requests.push(await connection.readUntil('\r\n\r\n'));
      connection.reset();
    });
    const proxy = await startProxy(base);
    const client = await proxy.connect();
    client.write(`${post('/v1/campaigns', 'Content-Length: 21')}{"a":`);
    expectError(await client.readAnswer(), 502, { code: 'PROXY_UPSTREAM_RESET' });
    // The rest of the body is not the next request.
    client.write('"0123456789012"}');
    client.write(get('/v1/nothing'));
    expectError(await client.readAnswer(), 404);
    expect(requests).toHaveLength(1);
  });
});

describe('a connection to v2 that was kept alive', () => {
  /** Answers the first request of the first connection; every other request breaks its connection, save those of the last one. */
  async function startStaleV2(answered: (index: number, request: number) => boolean): Promise<{ base: string; requests: string[] }> {
    const requests: string[] = [];
    const { base } = await startRawV2(async (connection, index) => {
      for (let i = 0; ; i++) {
        const received = await connection.readUntil('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
        await connection.read(length);
        requests.push(received.slice(0, received.indexOf(' ')));
        if (!answered(index, i)) return connection.reset();
        connection.write(`${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`);
      }
    });
    return { base, requests };
  }

  it('and breaks on its next GET: the GET is sent again on another one', async () => {
    const v2 = await startStaleV2((index, request) => index === 1 || request === 0);
    const proxy = await startProxy(v2.base);
    expect((await proxy.ask(get())).status).toBe(200);
    expect((await proxy.ask(get())).status).toBe(200);
    expect(v2.requests).toEqual(['GET', 'GET', 'GET']);
  });

  it.each(['/v1/messages', '/v2/messages'])('like all others, and breaks: a GET of %s is sent again on a new one', async (path) => {
    const kept = 3;
    const all = Promise.withResolvers<void>();
    let asked = 0;
    const { base, connections } = await startRawV2(async (connection, index) => {
      for (let i = 0; ; i++) {
        await connection.readUntil('\r\n\r\n');
        if (index < kept && i > 0) return connection.reset();
        if (++asked === kept) all.resolve();
        await all.promise;
        connection.write(`${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`);
      }
    });
    const proxy = await startProxy(base);
    const first = await Promise.all(Array.from({ length: kept }, () => proxy.ask(get(path))));
    expect([...first, await proxy.ask(get(path))].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(connections).toHaveLength(kept + 1);
    expect(await proxy.inFlight()).toBe(0);
  });

  it.each(Object.entries(calls).filter(([name]) => name.startsWith('POST')))(
    'and breaks on its next %s: it was sent, so it is not sent again',
    async (_name, bytes) => {
      const v2 = await startStaleV2((index, request) => index === 1 || request === 0);
      const proxy = await startProxy(v2.base);
      expect((await proxy.ask(get())).status).toBe(200);
      expectError(await proxy.ask(bytes), 502, { code: 'PROXY_UPSTREAM_RESET' });
      expect(v2.requests).toEqual(['GET', 'POST']);
    },
  );

  it.each(Object.entries(calls))('and was closed by v2 meanwhile is not used for a %s', async (method, bytes) => {
    const { base, connections } = await startRawV2(async (connection, index) => {
      const received = await connection.readUntil('\r\n\r\n');
      await connection.read(Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0));
      connection.write(head('HTTP/1.1 204 No Content'));
      if (index === 0) connection.end();
    });
    const proxy = await startProxy(base);
    expect((await proxy.ask(get())).status).toBe(204);
    expect((await proxy.ask(bytes, method)).status).toBe(204);
    expect(connections).toHaveLength(2);
  });
});
