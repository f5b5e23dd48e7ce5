/**
 * The oracle: two sandboxes with the same seed and the same standing clock. One answers v1 itself; the other only knows v2's part and is
 * reached through the proxy. Ids and times are equal in both, so every answer can be compared byte for byte.
 */
import { expect } from 'vitest';
import type { ErrorDialect } from '../../src/sandbox/dialects.ts';
import { startTestProxy } from '../helpers/proxy.ts';
import { type CallOptions, type Reply, type TestSandbox, call, startSandbox } from '../helpers/sandbox.ts';

export interface Worlds extends AsyncDisposable {
  readonly demo: TestSandbox['demo'];
  /** Makes the same call in both worlds; the answers are first v1's own, then the proxy's. */
  both(endpoint: string, options?: CallOptions): Promise<[direct: Reply, proxied: Reply]>;
}

export async function startWorlds(dialect: ErrorDialect): Promise<Worlds> {
  const v1 = await startSandbox();
  const v2 = await startSandbox({ dialect });
  const proxy = await startTestProxy(v2.url, { now: v2.clock.now });
  return {
    demo: v1.demo,
    both: (endpoint, { key = v1.demo.readWriteKey, ...rest } = {}) =>
      Promise.all([v1.url, proxy.url].map((base) => call(base, endpoint, { key, ...rest }))) as Promise<[Reply, Reply]>,
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, v1, v2]) await each[Symbol.asyncDispose]();
    },
  };
}

/** What a client can see of an answer and code against. */
export function visible({ status, headers, text, body }: Reply): unknown {
  return { status, contentType: headers['content-type'], body: body ?? text };
}

/** Expects that a client cannot tell the proxy's answer from v1's. */
export function expectSame(direct: Reply, proxied: Reply, about = ''): void {
  expect(visible(proxied), about).toEqual(visible(direct));
}
