import { describe, expect, it } from 'vitest';
import type { RawConnection } from '../helpers/raw.ts';
import { type ProxyUnderTest, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const whole = `${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`;
/** 10,000 of them take ten seconds, and prove no more than ten times as much. */
const aborts = Number(process.env['ABORTS'] ?? 1_000);
const connections = 16;
const queue = 64;

/** A v2 that goes as far with each request as its query says, and tells when it has come so far. */
class AbortedV2 {
  readonly #reached = new Map<string, () => void>();
  readonly #together = Promise.withResolvers<void>();
  #arrived = 0;
  open = 0;

  /** Resolves once the request with this id has come as far as it should. */
  reached(id: string): Promise<void> {
    return new Promise((resolve) => this.#reached.set(id, resolve));
  }

  readonly serve = async (connection: RawConnection): Promise<void> => {
    this.open++;
    connection.socket.on('close', () => this.open--);
    for (;;) {
      const request = await connection.readUntil('\r\n\r\n');
      const [, stage = '', id = ''] = /\?(\w+)=(\w+)/.exec(request) ?? [];
      if (stage === 'part') connection.write(`${head('HTTP/1.1 200 OK', json, 'Content-Length: 1000')}{`);
      if (stage === 'flood') connection.write(head('HTTP/1.1 200 OK', json, 'Content-Length: 999999') + ' '.repeat(300_000));
      if (stage === 'upload') await connection.readUntil('{"a":');
      if (stage === 'together') await this.#allTogether();
      if (stage === '' || stage === 'together') connection.write(whole);
      this.#reached.get(id)?.();
      this.#reached.delete(id);
    }
  };

  /** Holds its calls back until each connection carries one. */
  async #allTogether(): Promise<void> {
    if (++this.#arrived === connections) this.#together.resolve();
    await this.#together.promise;
  }
}

interface Setting {
  readonly v2: AbortedV2;
  readonly proxy: ProxyUnderTest;
}

async function startSetting(): Promise<Setting> {
  const v2 = new AbortedV2();
  const { base } = await startRawV2(v2.serve);
  // However long a busy machine takes: what holds a connection to v2 is to hold it until the end.
  const patience = 600_000;
  const limits = { headersTimeout: patience, bodyTimeout: patience, headTimeout: patience, requestTimeout: patience };
  return { v2, proxy: await startProxy(base, { connections, queue, ...limits }) };
}

interface Stage {
  readonly bytes: (id: string) => string;
  /** Resolves when the call has come to the stage. */
  readonly come: (v2: AbortedV2, id: string, client: RawConnection) => Promise<unknown>;
}

const length = 'Content-Length: 100';
const stages: Readonly<Record<string, Stage>> = {
  'before the head': { bytes: (id) => get(`/v1/messages?hold=${id}`), come: (v2, id) => v2.reached(id) },
  'within the answer': {
    bytes: (id) => get(`/v1/messages?part=${id}`),
    come: (_v2, _id, client) => client.readUntil('\r\n\r\n{'),
  },
  'within an answer that it does not take': {
    bytes: (id) => get(`/v1/messages?flood=${id}`),
    come: (v2, id, { socket }) => {
      socket.pause();
      return v2.reached(id);
    },
  },
  'within an upload that is streamed': {
    bytes: (id) => `${post(`/v1/campaigns?upload=${id}`, length)}{"a":`,
    come: (v2, id) => v2.reached(id),
  },
  'within an upload that is read': {
    bytes: () => `${post('/v1/contacts', length, 'Expect: 100-continue')}{"a":`,
    come: (_v2, _id, client) => client.readUntil('100 Continue\r\n\r\n'),
  },
};

/** Leaves a call as clients do: in the middle, or politely. */
function leave({ socket }: RawConnection, abruptly: boolean): void {
  if (abruptly) socket.resetAndDestroy();
  else socket.destroy();
}

/** Makes calls and leaves each when it has come to its stage; as many at a time as there are connections to v2. */
async function abort({ v2, proxy }: Setting, names: readonly string[], times: number): Promise<void> {
  let made = 0;
  const worker = async (): Promise<void> => {
    while (made < times) {
      const i = made++;
      const stage = stages[names[i % names.length] ?? ''];
      if (stage === undefined) return;
      const client = await proxy.connect();
      const come = stage.come(v2, `id${i}`, client);
      client.write(stage.bytes(`id${i}`));
      await come;
      leave(client, i % 3 === 0);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** Holds every connection to v2, and fills the queue with calls that leave it, again and again. */
async function abortQueued({ v2, proxy }: Setting, times: number): Promise<void> {
  await expect.poll(() => proxy.inFlight()).toBe(0);
  const holding: RawConnection[] = [];
  for (let i = 0; i < connections; i++) {
    const client = await proxy.connect();
    const reached = v2.reached(`held${i}`);
    client.write(get(`/v1/messages?hold=held${i}`));
    await reached;
    holding.push(client);
  }
  for (let left = times; left > 0; left -= queue) {
    const waiting = await Promise.all(Array.from({ length: queue }, () => proxy.connect()));
    for (const [i, client] of waiting.entries()) client.write(i % 2 === 0 ? get() : `${post('/v1/campaigns', length)}{"a":`);
    await expect.poll(() => proxy.inFlight(), { interval: 1 }).toBe(connections + queue);
    for (const [i, client] of waiting.entries()) leave(client, i % 3 === 0);
    await expect.poll(() => proxy.inFlight(), { interval: 1 }).toBe(connections);
  }
  for (const client of holding) leave(client, true);
}

/** Whether every call was recorded and none counts any more, and whether calls can fill every connection to v2 at once. */
async function aftermath(
  { v2, proxy }: Setting,
  calls: number,
): Promise<{ recorded: number; events: string[]; open: boolean; statuses: number[] }> {
  await expect.poll(() => proxy.inFlight()).toBe(0);
  await expect.poll(() => proxy.log.lines.length).toBeGreaterThanOrEqual(calls);
  const events = proxy.log.lines.map(({ event, outcome }) => `${event} ${outcome === 'translated' ? outcome : ''}`);
  await expect.poll(() => v2.open).toBeLessThanOrEqual(connections);
  const answers = await Promise.all(Array.from({ length: connections }, (_, i) => proxy.ask(get(`/v1/messages?together=${i}`))));
  return {
    recorded: events.length,
    events: [...new Set(events)],
    open: v2.open === connections,
    statuses: [...new Set(answers.map(({ status }) => status))],
  };
}

/** Nothing but one record for each call, and none of them an answer; v2 is not blamed for a client that left. */
const sound = (calls: number): unknown => ({ recorded: calls, events: ['deprecated_use '], open: true, statuses: [200] });

describe('calls whose client left leave no trace on the way to v2', () => {
  it.each(Object.keys(stages))('%s', async (stage) => {
    const setting = await startSetting();
    await abort(setting, [stage], 64);
    const calls = 64;
    expect(await aftermath(setting, calls)).toEqual(sound(calls));
  });

  it('while they were queued', async () => {
    const setting = await startSetting();
    await abortQueued(setting, 2 * queue);
    const calls = connections + 2 * queue;
    expect(await aftermath(setting, calls)).toEqual(sound(calls));
  });

  it('a thousand of them, at every stage', async () => {
    const setting = await startSetting();
    const queued = Math.ceil((aborts * 0.4) / queue) * queue;
    await abort(setting, Object.keys(stages), aborts - queued);
    await abortQueued(setting, queued);
    const calls = aborts + connections;
    expect(await aftermath(setting, calls)).toEqual(sound(calls));
  });
});

describe('a client that ends its side of the connection and reads on', () => {
  /** A v2 that holds back its answers until told. */
  async function startHeld(overrides: Parameters<typeof startProxy>[1] = {}) {
    const targets: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { base } = await startRawV2(async (connection) => {
      for (;;) {
        targets.push((await connection.readUntil('\r\n\r\n')).split(' ')[1] ?? '');
        await promise;
        connection.write(whole);
      }
    });
    return { proxy: await startProxy(base, overrides), targets, release: resolve };
  }

  it.each(['/v1/campaigns', '/v2/campaigns'])(
    'gets the answer to a POST to %s that v2 has, and nothing behind it is carried out',
    async (path) => {
      const { proxy, targets, release } = await startHeld();
      const client = await proxy.connect();
      client.write(post(path, 'Content-Length: 0') + post('/v1/campaigns/1/send', 'Content-Length: 0'));
      await expect.poll(() => targets).toHaveLength(1);
      client.end();
      // Its end has come when a later connection is served.
      expect((await proxy.ask(get('/v1/nothing'))).status).toBe(404);
      release();
      expect((await client.readAnswer()).status).toBe(200);
      expect((await client.readToEnd()).bytes).toHaveLength(0);
      expect(targets).toEqual(['/v2/campaigns']);
      expect(await proxy.inFlight()).toBe(0);
    },
  );

  it('has left for all that v2 does not have: a POST that waits for a connection is not sent', async () => {
    const { proxy, targets, release } = await startHeld({ connections: 1 });
    const first = await proxy.connect();
    first.write(get());
    await expect.poll(() => targets).toHaveLength(1);
    const client = await proxy.connect();
    client.write(post('/v1/campaigns', 'Content-Length: 0'));
    await expect.poll(() => proxy.inFlight()).toBe(2);
    client.end();
    await expect.poll(() => proxy.inFlight()).toBe(1);
    release();
    expect((await first.readAnswer()).status).toBe(200);
    expect(targets).toHaveLength(1);
  });
});
