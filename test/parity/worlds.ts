/**
 * The oracle: two sandboxes with the same seed and the same standing clock. One answers v1 itself; the other only knows v2's part and is
 * reached through the proxy. Ids and times are equal in both, so every answer can be compared byte for byte.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MappingConfig } from '../../proxy/mappings.ts';
import { usualBudget } from '../../src/budget/policy.ts';
import { loadSettings } from '../../src/config/load.ts';
import { type ErrorDialect, errorDialects, type SuccessEnvelope, successEnvelopes } from '../../src/contract/dialects.ts';
import { projectRoot } from '../helpers/build.ts';
import { startTestProxy } from '../helpers/proxy.ts';
import { type CallOptions, type Reply, type TestSandbox, call, startSandbox } from '../helpers/sandbox.ts';

export interface Worlds extends AsyncDisposable {
  readonly demo: TestSandbox['demo'];
  /** Makes the same call in both worlds; the answers are first v1's own, then the proxy's. */
  both(endpoint: string, options?: CallOptions): Promise<[direct: Reply, proxied: Reply]>;
}

/** How the second world's v2 writes: each dialect of errors with each envelope of successes. */
export const spoken: readonly (readonly [ErrorDialect, SuccessEnvelope])[] = errorDialects.flatMap((dialect) =>
  successEnvelopes.map((envelope) => [dialect, envelope] as const),
);

export async function startWorlds(dialect: ErrorDialect, envelope: SuccessEnvelope = 'v1'): Promise<Worlds> {
  const v1 = await startSandbox();
  const v2 = await startSandbox({ dialect, envelope });
  // With the budget as everybody has it, coalescing too.
  const proxy = await startTestProxy(v2.url, { now: v2.clock.now, mappings: await mappingsFor(envelope), budget: usualBudget });
  return {
    demo: v1.demo,
    both: (endpoint, { key = v1.demo.readWriteKey, ...rest } = {}) =>
      Promise.all([v1.url, proxy.url].map((base) => call(base, endpoint, { key, ...rest }))) as Promise<[Reply, Reply]>,
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, v1, v2]) await each[Symbol.asyncDispose]();
    },
  };
}

/** What makes v1's bodies of those in an envelope: the very file that people are shown. */
export async function mappingsFor(envelope: SuccessEnvelope): Promise<MappingConfig> {
  if (envelope === 'v1') return {};
  const flags = { config: join('examples/mappings', `${envelope}.yaml`), 'v2-base': 'http://v2.example' };
  return (await loadSettings('proxy', { flags, env: {}, cwd: projectRoot })).mappings;
}

/** What a client can see of an answer and code against. */
export function visible({ status, headers, text, body }: Reply): unknown {
  return { status, contentType: headers['content-type'], body: body ?? text };
}

/** Expects that a client cannot tell the proxy's answer from v1's. */
export function expectSame(direct: Reply, proxied: Reply, about = ''): void {
  expect(visible(proxied), about).toEqual(visible(direct));
}
