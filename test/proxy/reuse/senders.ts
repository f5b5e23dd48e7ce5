/** Clients of a `Reuse` before real connections to a v2 that answers when a test says so. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BudgetPolicy, usualBudget } from '../../../src/budget/policy.ts';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { Accounts } from '../../../proxy/budget/accounts.ts';
import type { Refusal } from '../../../proxy/budget/purpose.ts';
import type { PaidReceiver, PaidRequest, PaidSender } from '../../../proxy/budget/spending.ts';
import type { FailureId } from '../../../proxy/failures.ts';
import type { KeyOwner } from '../../../proxy/recorded-call.ts';
import { Reuse, type ReuseOptions } from '../../../proxy/reuse/reuse.ts';
import { type Sent, Upstream } from '../../../proxy/upstream.ts';
import { proxyOptions, startUpstream } from '../../helpers/proxy.ts';

/** A request that v2 got, and its answer to be. */
export interface Arrived {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** How a read was answered. */
export interface Answer {
  readonly status: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** One that asks, and sees its answer come. */
export class Client extends EventEmitter implements PaidReceiver {
  /** Requests that went out for it. */
  sent = 0;
  status = 0;
  fields: ReadonlyMap<string, string> = new Map();
  body = '';
  handle: Sent | undefined;
  /** Takes one chunk at a time, where it is slow. */
  readonly #isSlow: boolean;
  readonly #ended = Promise.withResolvers<Answer | FailureId | Refusal>();

  constructor(isSlow = false) {
    super();
    this.#isSlow = isSlow;
  }

  /** Its answer, or why there is none. */
  get answer(): Promise<Answer | FailureId | Refusal> {
    return this.#ended.promise;
  }

  /** Whether an answer was asked for another, or before; `asked` where it was not. */
  get how(): string {
    return this.fields.get('x-migrate-v2-reused') ?? 'asked';
  }

  onSending(): void {
    this.sent++;
  }

  onInterim(): void {
    this.emit('interim');
  }

  onHead(status: number, _text: string, fields: readonly string[]): void {
    this.status = status;
    this.fields = new Map(fields.flatMap((text, i) => (i % 2 === 0 ? [[text.toLowerCase(), fields[i + 1] ?? ''] as const] : [])));
    this.emit('head');
  }

  onData(chunk: Buffer): void {
    this.body += chunk.toString('latin1');
    if (this.#isSlow) this.handle?.pause();
    this.emit('data');
  }

  onEnd(): void {
    this.#ended.resolve({ status: this.status, fields: this.fields, body: this.body });
  }

  onFailure(failure: FailureId): void {
    this.#ended.resolve(failure);
  }

  onRefused(refusal: Refusal): void {
    this.#ended.resolve(refusal);
  }
}

export interface AskOptions {
  /** null where nobody says it. */
  readonly endpoint?: V1EndpointId | null;
  readonly method?: string;
  readonly key?: string;
  readonly workspace?: string | undefined;
  readonly fields?: readonly string[];
  readonly isSlow?: boolean;
}

export type Ask = (path?: string, options?: AskOptions) => Client;

export interface TestReuse extends AsyncDisposable {
  readonly ask: Ask;
  /** The next request that v2 gets. */
  arrival(): Promise<Arrived>;
  /** What a client is answered, where v2 answers the next request with this body. */
  seenBy(client: Client, body: string): Promise<void>;
  /** Requests that v2 got. */
  readonly arrived: readonly Arrived[];
  /** Lets time pass, on both clocks. */
  pass(time: number): void;
  readonly spared: readonly string[];
}

/** The time at which the clock on the wall of a test stands first. */
export const start = Date.parse('2026-08-01T12:00:00Z');

/** @param before what stands between reuse and the connections */
export async function startReuse(
  policy: Partial<BudgetPolicy> = {},
  { before = (sender) => sender, ...options }: Partial<ReuseOptions> & { readonly before?: (sender: PaidSender) => PaidSender } = {},
): Promise<TestReuse> {
  const events = new EventEmitter();
  const arrived: Arrived[] = [];
  let taken = 0;
  const v2 = await startUpstream((req, res) => {
    arrived.push({ req, res });
    req.resume();
    events.emit('arrived');
  });
  const upstream = new Upstream(proxyOptions(v2.url, { headersTimeout: 400 }));
  let passed = 0;
  const spared: string[] = [];
  const reuse = new Reuse(before(upstream), {
    now: () => start + passed,
    steady: () => passed,
    spared: (endpoint, how) => void spared.push(`${endpoint} ${how}`),
    ...options,
  });
  const proxy = proxyOptions(v2.url, { budget: { ...usualBudget, ...policy } });
  const identify = (): KeyOwner => ({ fingerprint: { prefix: 'sk', hash: 'a' }, workspace: null });
  const { account } = new Accounts(proxy, identify).purposeOf('sk_1', undefined, 'getMessage');
  return {
    ask(path = '/v2/messages/msg_1', { endpoint = 'getMessage', method = 'GET', key = 'sk_1', workspace, fields = [], isSlow } = {}) {
      const request: PaidRequest = {
        method,
        path,
        fields: ['Authorization', `Bearer ${key}`, 'Accept', 'application/json', ...fields],
        body: null,
        purpose: { account: { ...account, workspace }, endpoint: endpoint ?? undefined, weight: 0, key, reader: key },
      };
      const client = new Client(isSlow);
      client.handle = reuse.send(request, client);
      return client;
    },
    async arrival() {
      while (arrived.length <= taken) await once(events, 'arrived');
      return arrived[taken++] ?? Promise.reject(new Error('Nothing arrived'));
    },
    async seenBy({ answer }, body) {
      while (arrived.length <= taken) {
        const isAnswered = await Promise.race([answer.then(() => true), once(events, 'arrived').then(() => false)]);
        if (isAnswered) return;
      }
      arrived[taken++]?.res.end(body);
      await answer;
    },
    arrived,
    pass: (time) => void (passed += time),
    spared,
    async [Symbol.asyncDispose]() {
      await upstream.close();
      await v2[Symbol.asyncDispose]();
    },
  };
}

export const json = { 'Content-Type': 'application/json' };
