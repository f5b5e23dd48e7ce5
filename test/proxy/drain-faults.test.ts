/**
 * Whatever v2 does and however clients leave: a drain ends within its time, and no socket stays behind.
 * `DRAINS=1000` tries more of them; `SEED` repeats a run.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestProxy } from '../helpers/proxy.ts';
import { type RawConnection, type RawServer, connectRaw, listenRaw } from '../helpers/raw.ts';
import { get, head, post } from './faults.ts';

const drains = Number(process.env['DRAINS'] ?? 15);
const seed = Number(process.env['SEED'] ?? Date.now());
const drainTimeout = 30;
/** What the proxy takes beyond its drain timeout at most (proxy/server.ts), and what a busy machine takes. */
const bound = drainTimeout + 3_000 + 7_000;

const begun = head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 100000');
const chunked = head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Transfer-Encoding: chunked');
const interim = head('HTTP/1.1 103 Early Hints', `Link: </${'a'.repeat(1_000)}>; rel=preload`);

/** Does something over and over, with all that others do in between, until the other side has gone. */
async function repeat({ socket }: RawConnection, act: () => void): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    if (socket.writableLength < 1_000_000) act();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Once the client has what was sent so far, nearly always: what it has not read makes its close a reset. */
const soon = (act: () => void): void => void setTimeout(act, 3);

/** What v2 does once it has a request; `breaks` is called in the turn in which it does its worst. */
const faults = {
  answers: (v2) => v2.write(head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 2') + '{}'),
  'answers much': (v2) =>
    v2.write(head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 5000000') + ' '.repeat(5_000_000)),
  'never answers': () => undefined,
  'resets without an answer': (v2, breaks) => {
    breaks();
    v2.reset();
  },
  'resets within the head': (v2, breaks) => {
    v2.write(begun.slice(0, 30));
    soon(() => {
      breaks();
      v2.reset();
    });
  },
  'resets within the body': (v2, breaks) => {
    v2.write(`${begun} `);
    soon(() => {
      breaks();
      v2.reset();
    });
  },
  'sends a bad chunk': (v2, breaks) => {
    v2.write(`${chunked}1\r\n \r\n`);
    soon(() => {
      breaks();
      v2.write('zz\r\n');
    });
  },
  'ends within the body': (v2, breaks) => {
    v2.write(`${begun} `);
    soon(() => {
      breaks();
      v2.end();
    });
  },
  drips: (v2) => {
    v2.write(begun);
    return repeat(v2, () => v2.write(' '));
  },
  'floods with interim answers': (v2) => repeat(v2, () => v2.write(interim.repeat(20))),
  'switches protocols': (v2, breaks) => {
    v2.write(head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'));
    soon(breaks);
  },
} satisfies Record<string, (v2: RawConnection, breaks: () => void) => void | Promise<void>>;
const isFault = (name: string | undefined): name is keyof typeof faults => name !== undefined && Object.hasOwn(faults, name);

const requests = {
  'a GET of v1': (...fields: string[]) => get('/v1/messages', ...fields),
  'a GET of v2': (...fields: string[]) => get('/v2/messages', ...fields),
  'three of v1': (...fields: string[]) => get('/v1/messages', ...fields).repeat(3),
  'three of v2': (...fields: string[]) => get('/v2/messages', ...fields).repeat(3),
  'half a body for v1': (...fields: string[]) => `${post('/v1/campaigns', 'Content-Length: 1000', ...fields)}{`,
  'half a body for v2': (...fields: string[]) => `${post('/v2/campaigns', 'Content-Length: 1000', ...fields)}{`,
  'half a message': (...fields: string[]) => `${post('/v1/messages/send', 'Content-Length: 1000', ...fields)}{`,
  'a handshake': (...fields: string[]) => get('/v2/events', 'Connection: Upgrade', 'Upgrade: websocket', ...fields),
  'half a head': () => get('/v1/messages').slice(0, 30),
  nothing: () => '',
};

const leaves: Readonly<Record<string, (client: RawConnection) => void>> = {
  stays: () => undefined,
  ends: (client) => client.end(),
  resets: (client) => client.reset(),
  closes: (client) => void client.socket.destroy(),
  'reads no more': (client) => void client.socket.pause(),
};

const scenario = fc.record({
  request: fc.constantFrom(...(Object.keys(requests) as (keyof typeof requests)[])),
  fault: fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[])),
  leave: fc.constantFrom(...Object.keys(leaves)),
  when: fc.constantFrom('at once', 'with the first bytes', 'when v2 breaks', 'when v2 breaks'),
});

let v2: RawServer;
/** Emits the number of a client when v2 breaks what it asked for. */
const breaking = new EventEmitter().setMaxListeners(0);

beforeAll(async () => {
  v2 = await listenRaw(async (connection) => {
    for (;;) {
      const request = await connection.readUntil('\r\n\r\n');
      const [, fault] = /^x-fault: (.*)\r$/m.exec(request) ?? [];
      const [, client = ''] = /^x-client: (.*)\r$/m.exec(request) ?? [];
      if (isFault(fault)) await faults[fault](connection, () => breaking.emit(client));
    }
  });
});
afterAll(() => v2.close());

const sockets = (): number => process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS/.test(name)).length;

test('a drain ends within its time, and leaves no socket', { timeout: 60_000 + drains * 2_000 }, async () => {
  let clientsSoFar = 0;
  const took: number[] = [];
  const property = fc.asyncProperty(fc.array(scenario, { minLength: 1, maxLength: 6 }), fc.nat(8), async (scenarios, milliseconds) => {
    const before = sockets();
    const proxy = await startTestProxy(`http://127.0.0.1:${v2.port}`, { drainTimeout, connections: 4, queue: 4 });
    const clients = await Promise.all(
      scenarios.map(async ({ request, fault, leave, when }) => {
        const client = await connectRaw(proxy.port);
        const id = String(clientsSoFar++);
        const act = (): void => leaves[leave]?.(client);
        if (when === 'with the first bytes') client.socket.once('data', act);
        if (when === 'when v2 breaks') breaking.once(id, act);
        client.write(requests[request](`x-fault: ${fault}`, `x-client: ${id}`));
        if (when === 'at once') act();
        return client;
      }),
    );
    await sleep(milliseconds);
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), bound)));
    expect(await Promise.race([proxy.drain().then(() => 'in time'), late])).toBe('in time');
    clearTimeout(timer);
    took.push(performance.now() - began);
    breaking.removeAllListeners();
    const left = [...clients, ...v2.connections].filter(({ socket }) => !socket.closed);
    await Promise.all(
      left.map(async ({ socket }) => {
        socket.destroy();
        if (!socket.closed) await once(socket, 'close');
      }),
    );
    await expect.poll(sockets).toBeLessThanOrEqual(before);
  });
  await fc.assert(property, { numRuns: drains, seed, endOnFailure: true });
  if (drains > 15) console.log(`${drains} drains, seed ${seed}: ${Math.round(took.toSorted((a, b) => a - b).at(-1) ?? 0)} ms at most`);
});
