/** What the tests of bad input and faults share: a proxy and a v2 of raw bytes that last as long as the test, and what every v1 answer has. */
import { expect, onTestFinished } from 'vitest';
import { type LogLines, type SeenRequest, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { type RawAnswer, type RawConnection, type RawServer, connectRaw, listenRaw } from '../helpers/raw.ts';

export const key = 'sk_test_0123456789';

/** A head: lines joined as they go on the wire. */
export function head(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A GET with all that v1 wants. */
export function get(path = '/v1/messages', ...fields: string[]): string {
  return head(`GET ${path} HTTP/1.1`, 'Host: a', `x-api-key: ${key}`, ...fields);
}

/** The head of a POST with all that v1 wants, save its framing. */
export function post(path = '/v1/campaigns', ...fields: string[]): string {
  return head(`POST ${path} HTTP/1.1`, 'Host: a', `x-api-key: ${key}`, 'Content-Type: application/json', ...fields);
}

export interface ProxyUnderTest {
  readonly url: string;
  readonly log: LogLines;
  connect(): Promise<RawConnection>;
  /** Sends bytes on a connection of their own and reads one answer. */
  ask(bytes: string, method?: string): Promise<RawAnswer>;
  /** What `/metrics` says of the calls in flight. */
  inFlight(): Promise<number>;
}

/** Starts the proxy until the test ends. */
export async function startProxy(v2Base: string, overrides: Parameters<typeof startTestProxy>[1] = {}): Promise<ProxyUnderTest> {
  const { url, port, adminUrl, log, drain } = await startTestProxy(v2Base, overrides);
  onTestFinished(drain);
  const connect = (): Promise<RawConnection> => connectRaw(port);
  return {
    url,
    log,
    connect,
    async ask(bytes, method) {
      const client = await connect();
      client.write(bytes);
      return client.readAnswer(method);
    },
    async inFlight() {
      const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
      return Number(/^migrate_v2_upstream_calls_in_flight (\d+)$/m.exec(metrics)?.[1]);
    },
  };
}

/** Starts a v2 of raw bytes until the test ends. */
export async function startRawV2(
  serve: (connection: RawConnection, index: number) => Promise<void> | void,
): Promise<RawServer & { readonly base: string }> {
  const server = await listenRaw(serve);
  onTestFinished(() => server.close());
  return { ...server, base: `http://127.0.0.1:${server.port}` };
}

/** Starts a proxy in front of a v2 that remembers its requests, until the test ends. */
export async function startRecorded(
  overrides: Parameters<typeof startTestProxy>[1] = {},
): Promise<ProxyUnderTest & { readonly seen: readonly SeenRequest[] }> {
  const { url, seen, ...v2 } = await startRecordingUpstream();
  onTestFinished(() => v2[Symbol.asyncDispose]());
  return { ...(await startProxy(url, overrides)), seen };
}

/** The values of a field that v2 saw. */
export function seenValues({ rawHeaders }: SeenRequest, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

/** Checks what every answer of v1 has: the three fields that tell of its end (RFC 9745, RFC 8594). */
export function expectDeprecated(answer: RawAnswer): void {
  expect(answer.values('deprecation')).toEqual(['@1780272000']);
  expect(answer.values('sunset')).toEqual(['Thu, 31 Dec 2026 00:00:00 GMT']);
  const links = answer.values('link').join();
  for (const relation of ['deprecation', 'sunset', 'successor-version']) expect(links).toContain(`rel="${relation}"`);
}

/** Checks an error: the status, v1's shape, and the fields that every answer has. */
export function expectError(answer: RawAnswer, status: number, body: { readonly error?: string; readonly code?: string } = {}): void {
  expect(answer.status).toBe(status);
  expectDeprecated(answer);
  expect(answer.values('content-type')).toEqual(['application/json; charset=utf-8']);
  const parsed: unknown = JSON.parse(answer.body.toString());
  expect(parsed).toEqual({
    success: false,
    error: expect.stringMatching(/./),
    ...('code' in (parsed as object) && { code: expect.any(String) }),
  });
  expect(parsed).toMatchObject(body);
}
