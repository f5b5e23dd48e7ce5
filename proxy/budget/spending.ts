/**
 * The sender in front of v2 that spends its hour: it takes a place for each request, waits for one, or refuses, and heeds what v2 says of its limit.
 * What it refuses was not sent, and what it sends it never takes back.
 */
import { type Denied, type Granted, type Taken, isDenied } from '../../src/budget/account.ts';
import type { Ledger } from '../../src/budget/ledger.ts';
import { isOtherHour, skew } from '../../src/budget/hour.ts';
import { hourInMs } from '../../src/contract/times.ts';
import type { FailureId } from '../failures.ts';
import { fieldValue, readResponseHead } from '../response-head.ts';
import { waitSaid } from '../retry-after.ts';
import type { Receiver, Sender, Sent, UpstreamRequest } from '../upstream.ts';
import type { BudgetAccount, Purpose, Refusal } from './purpose.ts';
import { type RateLimitFields, readRateLimit } from './rate-limit-fields.ts';
import type { Told } from './told.ts';
import type { Waiter, Waiting } from './waiting.ts';
import { WindowWatch } from './window-watch.ts';

/** A request to v2 whose place in the hour somebody pays for. */
export interface PaidRequest extends UpstreamRequest {
  /** Undefined where it shows no key, and so counts for nobody. */
  readonly purpose: Purpose | undefined;
}

/** What an answer is given to, and that there is none as the budget refuses the call. */
export interface PaidReceiver extends Receiver {
  onRefused(refusal: Refusal): void;
}

export interface PaidSender {
  send(request: PaidRequest, receiver: PaidReceiver): Sent;
}

export interface SpendingOptions {
  readonly ledger: Ledger;
  /** False to count alone. */
  readonly enabled: boolean;
  /** What waits for a place, of all that spend from this ledger. */
  readonly waiting: Waiting;
  readonly told: Told;
  readonly now: () => number;
}

/** Without a time of its own, a refusal of v2 holds for so long, in milliseconds: it may be one of its other limits. */
const shortBlock = 60_000;

/** A place that comes so soon is waited for by everybody: the turn of an hour is not known more exactly. */
const briefly = 2 * skew;

/** What the calls of a sender share. */
interface Purse extends SpendingOptions {
  readonly upstream: Sender;
}

export class Spending implements PaidSender {
  readonly #purse: Purse;

  constructor(upstream: Sender, options: SpendingOptions) {
    this.#purse = { ...options, upstream };
  }

  send(request: PaidRequest, receiver: PaidReceiver): Sent {
    if (request.purpose === undefined) return this.#purse.upstream.send(request, receiver);
    const call = new PaidCall(this.#purse, request, request.purpose, receiver);
    call.begin();
    return call;
  }
}

class PaidCall implements Receiver, Sent, Waiter {
  readonly #purse: Purse;
  readonly #request: PaidRequest;
  readonly #purpose: Purpose;
  readonly #receiver: PaidReceiver;
  #sent: Sent | undefined;
  /** Nobody waits for its answer any more. */
  #isOver = false;
  #isPaused = false;
  /** When its place was taken. */
  #takenAt = 0;
  /** Whether a byte of it may have reached v2. */
  #isSent = false;
  #denied: Denied | undefined;
  #deadline = 0;

  constructor(purse: Purse, request: PaidRequest, purpose: Purpose, receiver: PaidReceiver) {
    this.#purse = purse;
    this.#request = request;
    this.#purpose = purpose;
    this.#receiver = receiver;
  }

  get key(): string {
    return this.#purpose.key;
  }

  get weight(): number {
    return this.#purpose.weight;
  }

  get deadline(): number {
    return this.#deadline;
  }

  get bytes(): number {
    return Buffer.isBuffer(this.#request.body) ? this.#request.body.length : 0;
  }

  begin(): void {
    const { ledger, enabled, waiting } = this.#purse;
    const { account, weight } = this.#purpose;
    if (!enabled) {
      ledger.spend(account);
      return this.#send();
    }
    if (weight === 1 && waiting.isBehind(account.id, this.#purpose)) return this.#wait(this.#purse.now());
    const granted = ledger.take(account, weight);
    if (granted instanceof Promise) granted.then((late) => this.#decide(late)).catch((error: Error) => this.#fail('internal', error));
    else this.#decide(granted);
  }

  async again(): Promise<number | undefined> {
    const granted = await this.#purse.ledger.take(this.#purpose.account, this.#purpose.weight);
    if (this.#isOver) return this.#unused(granted);
    this.#denied = isDenied(granted) ? granted : undefined;
    if (isDenied(granted)) return granted.retryAt;
    this.#purse.told.waited();
    this.#pay(granted);
    return undefined;
  }

  tooLong(): void {
    this.#refuse(this.#denied ?? { places: 0, why: 'used up', retryAt: this.#purse.now() });
  }

  drained(): void {
    this.#fail('draining', new Error('The proxy is shutting down'));
  }

  /** Its client has left meanwhile: nothing is sent. */
  #unused(granted: Granted): undefined {
    if (!isDenied(granted)) this.#purse.ledger.giveBack(this.#purpose.account, this.#purpose.weight);
  }

  #decide(granted: Granted): void {
    if (this.#isOver) return this.#unused(granted);
    if (!isDenied(granted)) return this.#pay(granted);
    this.#denied = granted;
    const patience = this.#patience;
    // At the turn of an hour a place is there once that is surely over.
    if (granted.retryAt + skew - this.#purse.now() <= patience) this.#wait(granted.retryAt);
    else this.#refuse(granted);
  }

  /** How long it may wait, in milliseconds. */
  get #patience(): number {
    const { account, weight } = this.#purpose;
    return weight === 1 ? Math.max(account.policy.pace.sends, briefly) : briefly;
  }

  #wait(at: number): void {
    const { account } = this.#purpose;
    this.#deadline = this.#purse.waiting.deadline(this.#patience);
    if (!this.#purse.waiting.add(account.id, this, account.policy.pace.waiting, at))
      this.#refuse(this.#denied ?? { places: 0, why: 'used up', retryAt: this.#purse.waiting.nextAt(account.id) ?? at });
  }

  #pay(taken: Taken): void {
    this.#purse.told.taken(this.#purpose.account, taken);
    this.#send();
  }

  #send(): void {
    this.#takenAt = this.#purse.now();
    this.#sent = this.#purse.upstream.send(this.#request, this);
    if (this.#isPaused) this.#sent.pause();
  }

  #refuse({ why, retryAt }: Denied): void {
    this.#isOver = true;
    const retryAfter = Math.max(1, Math.ceil((retryAt - this.#purse.now()) / 1_000));
    this.#purse.told.refused(this.#purpose.account, why, this.#purse.now());
    this.#receiver.onRefused({ why, retryAfter });
  }

  #fail(failure: FailureId, cause: Error): void {
    this.#isOver = true;
    this.#receiver.onFailure(failure, cause);
  }

  pause(): void {
    this.#isPaused = true;
    this.#sent?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#sent?.resume();
  }

  cancel(): void {
    this.#isOver = true;
    this.#purse.waiting.remove(this.#purpose.account.id, this);
    this.#sent?.cancel();
    this.#keepPlace();
  }

  mayRepeat(): boolean {
    return !this.#purse.enabled || this.#purse.ledger.takeAgain(this.#purpose.account, this.#purpose.weight);
  }

  onSending(): void {
    const { ledger, now } = this.#purse;
    this.#isSent = true;
    // It has waited for a connection, and goes out in another hour than the one its place is of.
    if (now() - this.#takenAt > skew) ledger.goesOut(this.#purpose.account, this.#takenAt);
    this.#receiver.onSending();
  }

  onInterim(status: number, fields: readonly string[]): void {
    this.#receiver.onInterim(status, fields);
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    heed(this.#purse, this.#purpose.account, status, fields);
    // A key that v2 does not know is of no workspace there: else whoever makes keys up would use somebody's hour up.
    if (status === 401) this.#giveBack();
    this.#receiver.onHead(status, statusText, fields);
  }

  onData(chunk: Buffer): void {
    this.#receiver.onData(chunk);
  }

  onEnd(): void {
    this.#receiver.onEnd();
  }

  onFailure(failure: FailureId, cause: Error): void {
    this.#keepPlace();
    this.#receiver.onFailure(failure, cause);
  }

  /** v2 was down, or its client left before there was a connection: what was never sent costs nothing. */
  #keepPlace(): void {
    if (this.#sent === undefined || this.#isSent) return;
    this.#isSent = true;
    this.#giveBack();
  }

  /** Of another hour than this one there is nothing to give back. */
  #giveBack(): void {
    const { account, weight } = this.#purpose;
    if (!isOtherHour(account.terms.window, this.#takenAt, this.#purse.now())) this.#purse.ledger.giveBack(account, weight);
  }
}

/** Takes note of what an answer of v2 says of its limit. */
export function heed({ ledger, now, told }: SpendingOptions, account: BudgetAccount, status: number, fields: readonly string[]): void {
  const at = now();
  const said = readRateLimit(fields, at);
  if (said !== undefined && isOfTheHour(said, account)) {
    account.watch ??= new WindowWatch(account.terms.window.kind);
    const window = said.reset === undefined ? undefined : account.watch.see(said.reset, at);
    ledger.hear(account, { limit: said.limit, remaining: said.remaining, window });
  }
  if (status !== 429) return;
  const { forward } = readResponseHead(fields);
  const wait = waitSaid((name) => fieldValue(forward, name), at);
  // A limit of more than an hour is another one: v2 is asked about it once an hour.
  ledger.block(account, at + Math.min(Math.max(wait ?? shortBlock, 0), hourInMs));
  told.refusedByV2(account);
}

/** Without a window beside it, another number than the limit that is known may be that of a day which is about to end. */
const isOfTheHour = ({ isNamed, limit }: RateLimitFields, { terms }: BudgetAccount): boolean =>
  isNamed || terms.limit === undefined || limit === undefined || limit === terms.limit;
