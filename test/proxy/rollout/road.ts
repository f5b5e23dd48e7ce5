/** A proxy with a roll-out, in front of a v1 and a v2 of the test's own. */
import type { ProxyServerOptions } from '../../../proxy/options.ts';
import { rollout } from '../../../src/config/types-rollout.ts';
import type { RolloutRules } from '../../../src/rollout/rules.ts';
import { type TestProxy, type TestServer, startRecordingUpstream, startTestProxy } from '../../helpers/proxy.ts';

/** The rules, as a configuration has them; they can be changed. */
export function rulesOf(given: unknown): RolloutRules & { change(to: unknown): void } {
  let current = rollout.parse(given);
  return {
    get current() {
      return current;
    },
    change: (to) => void (current = rollout.parse(to)),
    close: () => undefined,
  };
}

type Upstream = Awaited<ReturnType<typeof startRecordingUpstream>>;

export interface OnTheRoad extends AsyncDisposable {
  readonly v1: Upstream;
  readonly v2: Upstream;
  readonly proxy: TestProxy;
  readonly rules: ReturnType<typeof rulesOf>;
}

type Answer = Parameters<typeof startRecordingUpstream>[0];

/** @param answers what v1 and v2 answer; without it, that they have succeeded */
export async function startOnTheRoad(
  given: unknown,
  { v1: v1Answer, v2: v2Answer, ...options }: Partial<ProxyServerOptions> & { readonly v1?: Answer; readonly v2?: Answer } = {},
): Promise<OnTheRoad> {
  const v1 = await startRecordingUpstream(v1Answer);
  const v2 = await startRecordingUpstream(v2Answer);
  const rules = rulesOf(given);
  const proxy = await startTestProxy(v2.url, { v1Base: v1.url, rollout: rules, ...options });
  return {
    v1,
    v2,
    proxy,
    rules,
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, v1, v2] satisfies (TestProxy | TestServer)[]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, fields: Readonly<Record<string, string>> = {}): NonNullable<Answer> =>
  (_req, res) =>
    void res.writeHead(status, { 'Content-Type': 'application/json', ...fields }).end(JSON.stringify(body));

/** Workspaces of which the tests' keys are. */
export const workspaces = [
  { name: 'Acme', keys: ['ak_acme_'] },
  { name: 'Bolt', keys: ['ak_bolt_'] },
];
