/**
 * The path of a call that v1 itself answers: it goes there as it came, and comes back as it is. Only the fields of this hop differ (RFC 9110
 * §7.6), and the deprecation fields, where v1 has none of its own.
 */
import type { Call } from './call.ts';
import type { RollingOut } from './context.ts';
import type { FailureId } from './failures.ts';
import { asItCame, hasBody, readHead } from './head.ts';
import { viaName } from '../src/usage/via-name.ts';
import { KeptBody } from './kept-body.ts';
import { countDown } from './max-forwards.ts';
import { continueIfExpected, wasConsumed } from './request-body.ts';
import { isWellFramed, readResponseHead } from './response-head.ts';
import { StreamRelay } from './stream-relay.ts';
import type { Receiver, Sent, Upstream } from './upstream.ts';
import type { Witness } from './witness.ts';

export interface Observing {
  readonly v1: Upstream;
  /** Path and query as they came, in origin-form. */
  readonly target: string;
  /** Has v2 carry the call out, where v1 turns out to be gone and has not. */
  readonly changeOver: () => void;
  /** Sees v1's answer as it passes. */
  readonly witness?: Witness | undefined;
}

/** Sends a call to v1. */
export function observe(call: Call, { v1, target, changeOver, witness }: Observing): void {
  const { req, head, context } = call;
  call.version = 'v1';
  const fields = [...readHead(req.rawHeaders, asItCame).forward];
  if (!countDown(req.method, req.rawHeaders, fields)) return call.fail('lastRecipient');
  if (comesRound(req.rawHeaders)) return call.fail('loop');
  const withBody = hasBody(head);
  if (withBody && wasConsumed(call)) return call.fail('bodyConsumed');
  fields.push('Via', `${req.httpVersion} ${context.options.viaName ?? viaName}`);
  const length = head.contentLengths[0];
  if (withBody && length !== undefined) fields.push('Content-Length', length);
  if (withBody) continueIfExpected(call);
  call.kept = withBody ? new KeptBody(context.options.maxBody) : undefined;
  const relay = new ObservingRelay(call, { witness, changeOver });
  const method = req.method ?? '';
  const request = { method, path: target, fields, body: call.kept?.arriving(req) ?? null };
  const send = (receiver: Receiver = relay): Sent => v1.send(request, receiver);
  // What v1 writes, v2 shows: one service has both.
  const sending = { method, target: call.successor ?? '', workspace: call.key?.workspace ?? undefined };
  relay.follow(context.reuse === undefined ? send() : context.reuse.heed(sending, relay, send));
}

/** As often, a request may have passed proxies of our name: a chain of some is possible, and a circle is one of many (RFC 9110 §7.6.3). */
const longestChain = 4;

/** Whether a call goes round, as it does where the address of v1 leads to the proxy itself. */
function comesRound(raw: readonly string[]): boolean {
  let passed = 0;
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]?.length === 3 && raw[i]?.toLowerCase() === 'via') passed += (raw[i + 1] ?? '').split(viaName).length - 1;
  }
  return passed > longestChain;
}

/** An answer that may be v1's last. */
interface Held {
  readonly status: number;
  readonly statusText: string;
  readonly fields: readonly string[];
  readonly chunks: Buffer[];
  /** How it ended meanwhile. */
  rest: (() => void) | undefined;
}

export class ObservingRelay extends StreamRelay {
  readonly #observed: Partial<Pick<Observing, 'witness' | 'changeOver'>>;
  #isOver = false;
  #held: Held | undefined;

  /** @param observed nothing where v1 alone can serve the call */
  constructor(call: Call, observed: Partial<Pick<Observing, 'witness' | 'changeOver'>> = {}) {
    super(call);
    this.#observed = observed;
  }

  protected interimFields(fields: readonly string[]): string[] {
    return this.forwarded(readResponseHead(fields, nothing).forward);
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    if (this.#isOver) return;
    const { rollout, assumptions } = this.call.context;
    if (rollout?.stages.heardOfV1(status) === true) void this.#suspect(rollout);
    if (rollout === undefined || status !== assumptions.sunsetStatus || !this.#mayChangeOver)
      return this.#begin(status, statusText, fields);
    if (rollout.stages.isGone) return this.#changeOver();
    // Held back until it is known whether v1 means itself, or this resource alone.
    const held: Held = { status, statusText, fields, chunks: [], rest: undefined };
    this.#held = held;
    void this.#decide(held, rollout);
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#held !== undefined) return void this.#held.chunks.push(chunk);
    this.#observed.witness?.onData(chunk);
    this.pass(chunk);
  }

  onEnd(): void {
    if (this.#isOver) return;
    if (this.#held !== undefined) return void (this.#held.rest = () => this.onEnd());
    this.end();
    this.#observed.witness?.onEnd();
  }

  onFailure(failure: FailureId, cause?: Error): void {
    if (this.#isOver) return;
    if (this.#held !== undefined) return void (this.#held.rest = () => this.onFailure(failure, cause));
    // Not one byte of it has reached v1: whoever answers it, it is carried out once.
    const isUnsent = failure === 'unreachable' || failure === 'connectTimeout';
    if (isUnsent && this.#mayChangeOver && this.call.context.rollout?.stages.couldNotReachV1() === true) return this.#changeOver();
    this.fail(failure, cause);
  }

  protected override fail(failure: FailureId, cause: Error = new Error(failure)): void {
    this.call.sent?.cancel();
    this.call.fail(failure, cause);
  }

  /** Has v2 answer where v1 is gone, and v1 where it is not. */
  async #decide(held: Held, { probe, stages }: RollingOut): Promise<void> {
    const isGone = await probe.isGone(this.call.head.keys[0]);
    this.#held = undefined;
    if (isGone && this.#mayChangeOver && stages.foundGone(`v1 answered ${held.status}`)) this.#changeOver();
    else this.#release(held);
  }

  /** Asks v1 whether it refuses everything, or these callers alone. This call has its answer. */
  async #suspect({ probe, stages }: RollingOut): Promise<void> {
    if (await probe.refuses(this.call.head.keys[0])) stages.foundGone('the sunset is over, and v1 refuses every call');
  }

  #begin(status: number, statusText: string, fields: readonly string[]): void {
    const head = readResponseHead(fields, nothing);
    if (!isWellFramed(head)) return this.fail('invalidAnswer');
    this.#observed.witness?.onHead(status, head);
    this.start(status, statusText, head, this.forwarded(this.#announced(head.forward)));
  }

  #release({ status, statusText, fields, chunks, rest }: Held): void {
    this.#begin(status, statusText, fields);
    for (const chunk of chunks) this.onData(chunk);
    rest?.();
  }

  /** Whether v2 may have the call: not one whose body is too long to have been kept, nor one whose client has left. */
  get #mayChangeOver(): boolean {
    return this.#observed.changeOver !== undefined && this.call.kept?.isWhole !== false && !this.call.gone;
  }

  /** What v1 refuses as gone it has not carried out, so that v2 may. */
  #changeOver(): void {
    const { kept } = this.call;
    const { changeOver = ignore } = this.#observed;
    this.#isOver = true;
    this.call.sent?.cancel();
    this.call.sent = undefined;
    this.call.version = 'v2';
    const goOn = kept?.stop() ?? Promise.resolve();
    goOn.then(changeOver).catch((error: Error) => this.call.fail('internal', error));
  }

  /** v1's fields, and those of ours that it lacks. */
  #announced(fields: string[]): string[] {
    const { call } = this;
    if (!call.announces) return fields;
    call.announces = false;
    const there = new Set(fields.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    const own = call.context.deprecation(call.successor, call.mount);
    for (let i = 0; i < own.length; i += 2) {
      const [name = '', value = ''] = [own[i], own[i + 1]];
      if (!there.has(name.toLowerCase())) fields.push(name, value);
    }
    return fields;
  }
}

const ignore = (): void => undefined;

/** v1 says of itself what it likes. */
const nothing: ReadonlySet<string> = new Set();
