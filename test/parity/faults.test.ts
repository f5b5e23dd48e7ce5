/** What a v1 client sees through the proxy when v2 fails, and that no fault makes v2 act twice. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ErrorDialect, errorDialects, type SuccessEnvelope } from '../../src/contract/dialects.ts';
import type { Fault } from '../../src/sandbox/faults/rule.ts';
import { inTime } from '../helpers/in-time.ts';
import { startTestProxy, type TestProxy } from '../helpers/proxy.ts';
import { connectRaw, resetsAfterBytes } from '../helpers/raw.ts';
import { call, type CallOptions, type Reply, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';
import { mappingsFor } from './worlds.ts';

const message = { channel: 'SMS', to: '+15550100', content: 'Hello' };
const hour = 3_600_000;

interface Setup {
  readonly dialect?: ErrorDialect;
  readonly envelope?: SuccessEnvelope;
  readonly headersTimeout?: number;
}

interface Faulty {
  readonly v2: TestSandbox;
  readonly proxy: TestProxy;
  /** Calls through the proxy with the demo key. */
  call(endpoint: string, options?: CallOptions): Promise<Reply>;
  /** How many messages v2 has taken, and how many calls have met the fault. */
  done(): { readonly messages: number; readonly faulted: number };
}

/** A v2 with this fault and the proxy before it, until the test ends. */
async function startFaulty(
  fault: Fault,
  { dialect = 'v1', envelope = 'v1', headersTimeout = 15_000 }: Setup = {},
  times?: number,
): Promise<Faulty> {
  const v2 = await startSandbox({ dialect, envelope });
  onTestFinished(() => v2[Symbol.asyncDispose]());
  const proxy = await startTestProxy(v2.url, { now: v2.clock.now, mappings: await mappingsFor(envelope), headersTimeout });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const { id } = v2.faults.add({ route: '/v2/*', fault, times });
  const { readWriteKey: key, workspaceId } = v2.demo;
  return {
    v2,
    proxy,
    call: (endpoint, options) => call(proxy.url, endpoint, { key, ...options }),
    done: () => ({
      messages: v2.store.workspace(workspaceId)?.messages.size ?? NaN,
      faulted: v2.faults.list().find((each) => each.id === id)?.fired ?? NaN,
    }),
  };
}

const send = ({ call }: Faulty): Promise<Reply> => call('POST /v1/messages/send', { json: message });

/** Sends a message over a connection of its own, and gives all that comes until it ends. */
async function sendRaw({ proxy, v2 }: Faulty): Promise<{ readonly text: string; readonly ending: string }> {
  const client = await connectRaw(proxy.port);
  const body = JSON.stringify(message);
  const fields = ['Host: a', `x-api-key: ${v2.demo.readWriteKey}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  client.write(`POST /v1/messages/send HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
  const { bytes, ending } = await client.readToEnd();
  return { text: bytes.toString(), ending };
}

describe('v2 resets the connection', () => {
  it('at the request: a send gets 502, was not acted on and is not sent again', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'request' });
    expect(await send(faulty)).toMatchObject({ status: 502, body: { success: false, code: 'PROXY_UPSTREAM_RESET' } });
    expect(faulty.done()).toEqual({ messages: 0, faulted: 1 });
  });

  it('before its answer: a send gets 502, was acted on once and is not sent again', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'head' });
    expect(await send(faulty)).toMatchObject({ status: 502, body: { success: false, code: 'PROXY_UPSTREAM_RESET' } });
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('before its answer, once: a GET is sent again and the client notices nothing', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'head' }, {}, 1);
    expect(await faulty.call('GET /v1/messages')).toMatchObject({ status: 200, body: { success: true, data: [] } });
    expect(faulty.done().faulted).toBe(1);
  });

  it('before its answer, again and again: a GET gets 502 after its second time', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'head' });
    expect(await faulty.call('GET /v1/messages')).toMatchObject({ status: 502, body: { code: 'PROXY_UPSTREAM_RESET' } });
    expect(faulty.done().faulted).toBe(2);
  });

  it('within its answer: the client’s connection is broken, never a short success; v2 acted once', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'body' });
    const { text, ending } = await sendRaw(faulty);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(resetsAfterBytes).toContain(ending);
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('within an answer that is mapped: the client is told what v2 had said, success, and does not send again; v2 acted once', async () => {
    const faulty = await startFaulty({ kind: 'reset', at: 'body' }, { envelope: 'data' });
    expect(await send(faulty)).toMatchObject({ status: 200, body: { success: true } });
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });
});

describe('v2 ends its answer before its length', () => {
  it('the client’s connection is broken, never a short success; v2 acted once', async () => {
    const faulty = await startFaulty({ kind: 'truncated' });
    const { text, ending } = await sendRaw(faulty);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(resetsAfterBytes).toContain(ending);
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('of an answer that is mapped the client is told what v2 had said, success, and does not send again; v2 acted once', async () => {
    const faulty = await startFaulty({ kind: 'truncated' }, { envelope: 'bare' });
    expect(await send(faulty)).toMatchObject({ status: 200, body: { success: true } });
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('a GET is not sent again once its answer has begun', async () => {
    const faulty = await startFaulty({ kind: 'truncated' });
    await expect(faulty.call('GET /v1/messages')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(faulty.done().faulted).toBe(1);
  });
});

describe('v2 answers what is not JSON', () => {
  it.each(['v1', 'data'] as const)('the client gets it as it is: v2 has acted, once, and says success (envelope %s)', async (envelope) => {
    const faulty = await startFaulty({ kind: 'invalidJson' }, { envelope });
    const { status, text, body } = await send(faulty);
    expect([status, body]).toEqual([200, undefined]);
    expect(text).toMatch(envelope === 'v1' ? /^\{"success":true,/ : /^\{"data":\{/);
    // Only an answer that is mapped is read, and so only there it is noticed.
    expect(faulty.proxy.log.of('mapping_failed')).toHaveLength(envelope === 'v1' ? 0 : 1);
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('an error keeps its status and gets v1’s text', async () => {
    const faulty = await startFaulty({ kind: 'invalidJson' });
    expect(await faulty.call('GET /v1/messages/none')).toMatchObject({ status: 404, body: { success: false, error: 'Not found' } });
  });
});

describe('v2 is slow', () => {
  it('byte by byte: the client gets the whole answer', async () => {
    const faulty = await startFaulty({ kind: 'slow', bytesPerSecond: 2_000 });
    expect(await send(faulty)).toMatchObject({ status: 200, body: { success: true, data: message } });
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it('but within the proxy’s patience: the client gets the answer', async () => {
    const faulty = await startFaulty({ kind: 'latency', ms: 50 });
    expect(await send(faulty)).toMatchObject({ status: 200, body: { success: true, data: message } });
    expect(faulty.done()).toEqual({ messages: 1, faulted: 1 });
  });

  it.each(['POST /v1/messages/send', 'GET /v1/messages'])('past it: %s gets 504 and is not sent again', (endpoint) =>
    inTime(100, async (headersTimeout) => {
      const faulty = await startFaulty({ kind: 'latency', ms: hour }, { headersTimeout });
      const reply = await faulty.call(endpoint, endpoint.startsWith('POST') ? { json: message } : {});
      expect(reply).toMatchObject({ status: 504, body: { success: false, code: 'PROXY_UPSTREAM_TIMEOUT' } });
      expect(faulty.done()).toEqual({ messages: endpoint.startsWith('POST') ? 1 : 0, faulted: 1 });
    }),
  );
});

describe.each(errorDialects)('v2 fails in the dialect %s', (dialect) => {
  it('with 503: the client gets it in v1’s shape with Retry-After; nothing was done and nothing is sent again', async () => {
    const faulty = await startFaulty({ kind: 'error', status: 503, retryAfter: 9 }, { dialect });
    const { status, headers, body } = await send(faulty);
    expect([status, headers['retry-after'], body]).toEqual([503, '9', { success: false, error: 'Service Unavailable' }]);
    expect(faulty.done()).toEqual({ messages: 0, faulted: 1 });
  });

  it('with 500: the client gets v1’s 500', async () => {
    const faulty = await startFaulty({ kind: 'error', status: 500 }, { dialect });
    expect(await send(faulty)).toMatchObject({ status: 500, body: { success: false, error: 'Internal server error' } });
    expect(faulty.done()).toEqual({ messages: 0, faulted: 1 });
  });

  it('with 429: the client gets v1’s code and Retry-After, whatever v2 calls it', async () => {
    const faulty = await startFaulty({ kind: 'error', status: 429, retryAfter: 30 }, { dialect });
    const { status, headers, body } = await send(faulty);
    expect([status, headers['retry-after'], body]).toEqual([
      429,
      '30',
      { success: false, error: 'Hourly rate limit exceeded', code: 'API_KEY_RATE_LIMITED' },
    ]);
    expect(faulty.done()).toEqual({ messages: 0, faulted: 1 });
  });
});
