/**
 * One request to v2 that is under way. Nearly always one client reads its answer, which passes through here; what came is held as long as it is
 * short, for those who ask the same meanwhile. Then all of them are a `Crowd`.
 */
import type { Refusal } from '../budget/purpose.ts';
import type { PaidReceiver, PaidRequest, PaidSender } from '../budget/spending.ts';
import type { FailureId } from '../failures.ts';
import type { Sent } from '../upstream.ts';
import { type Carrier, Crowd, mayHelp } from './crowd.ts';
import { type Asked, readAsked } from './identity.ts';
import { type End, Reading } from './reading.ts';
import { type Cacheability, cacheability } from './storable.ts';
import type { Instant } from './store.ts';
import type { Resource } from './touched.ts';

/** Bytes of an answer's body that are held at most. */
export const longest = 128 * 1024;

/** What a flight tells of itself. */
export interface Host {
  /** Nobody may join any more. */
  closed(flight: Flight): void;
  /** All of its answer came. */
  whole(flight: Flight): void;
  /** These have nothing of an answer that is none for them: it is too long, or v2 does not want it to be used for others. */
  parted(readings: readonly Reading[], flight: Flight): void;
  /** These get no answer here; another try may give them one. */
  again(readings: readonly Reading[], flight: Flight): void;
  /** One of those who joined begins to get its answer. */
  spared(flight: Flight): void;
  /** It has several readers, or none any more. */
  crowded(change: 1 | -1): void;
}

export interface FlightOf {
  /** That of v2. */
  readonly key: string;
  readonly group: string;
  readonly resource: Resource;
  /** Undefined where nobody needs to know. */
  readonly asked: Instant | undefined;
  /** Whether it stands in for one that failed: what fails twice has failed. */
  readonly again: boolean;
}

const whole: End = { whole: true, tell: (receiver) => receiver.onEnd() };

export class Flight implements PaidReceiver, Sent, FlightOf, Carrier {
  readonly key: string;
  readonly group: string;
  readonly resource: Resource;
  readonly asked: Instant | undefined;
  readonly again: boolean;
  readonly request: PaidRequest;
  readonly host: Host;
  status = 0;
  statusText = '';
  fields: readonly string[] = noFields;
  chunks: Buffer[] = none;
  /** Whether nobody may join any more. */
  isClosed = false;
  /** Whether a write has begun since: its answer may be from before it. */
  isTouched = false;
  /** Whether v2 was sent something. */
  isSent = false;
  #size = 0;
  #isPaused = false;
  #sent: Sent | undefined;
  #crowd: Crowd | undefined;
  /** The one who asked; once it is one of several, it reads as they do. */
  #first: Reading | undefined;
  readonly #receiver: PaidReceiver | undefined;
  /** The next one that `Flights` has in the same place. */
  next: Flight | undefined;
  /** Those that `Flights` was given before it and after it. */
  earlier: Flight | undefined;
  later: Flight | undefined;
  #identity: Asked | 'own' | undefined;
  #cacheability: Cacheability | undefined;

  constructor(request: PaidRequest, { key, group, resource, asked, again }: FlightOf, host: Host, receiver?: PaidReceiver) {
    this.key = key;
    this.group = group;
    this.resource = resource;
    this.asked = asked;
    this.again = again;
    this.request = request;
    this.host = host;
    this.#receiver = receiver;
  }

  /** Asks v2. */
  start(next: PaidSender): this {
    this.#sent = next.send(this.request, this);
    return this;
  }

  get path(): string {
    return this.request.path;
  }

  /** What the request is compared by; read where somebody wants to know. */
  get identity(): Asked | undefined {
    this.#identity ??= readAsked(this.request.fields) ?? 'own';
    return this.#identity === 'own' ? undefined : this.#identity;
  }

  get cacheability(): Cacheability {
    return (this.#cacheability ??= cacheability(this.fields));
  }

  /** Whether all that came is still here. */
  get isHeldWhole(): boolean {
    return this.#size <= longest;
  }

  get isShort(): boolean {
    return lengthOf(this.fields) <= longest;
  }

  get suitsOthers(): boolean {
    return this.isHeldWhole && !(lengthOf(this.fields) > longest) && this.cacheability.shared;
  }

  get mayBeJoined(): boolean {
    return !this.isClosed && (this.status === 0 || this.suitsOthers);
  }

  get isCrowded(): boolean {
    return this.#crowd !== undefined;
  }

  join(request: PaidRequest, receiver: PaidReceiver): Reading {
    const crowd = this.#crowd ?? this.#gather();
    const reading = new Reading(request, receiver, crowd, true);
    crowd.add(reading);
    // Not within the call: whoever joins has to get its handle first.
    process.nextTick(() => reading.give());
    return reading;
  }

  /** Takes those over who have nothing of an answer that failed. */
  gather(readings: readonly Reading[]): void {
    this.#crowd = new Crowd(this);
    this.host.crowded(1);
    for (const reading of readings) this.#crowd.add(reading);
  }

  /** The one who asked becomes one of several. */
  #gather(): Crowd {
    const crowd = new Crowd(this, this.#isPaused);
    this.host.crowded(1);
    this.#crowd = crowd;
    if (this.#receiver !== undefined) {
      const first = new Reading(this.request, this.#receiver, crowd, false);
      first.goOn(this.status !== 0, this.chunks.length, this.#isPaused);
      crowd.add(first);
      this.#first = first;
    }
    return crowd;
  }

  onSending(): void {
    this.isSent = true;
    this.#asking?.onSending();
  }

  onInterim(status: number, fields: readonly string[]): void {
    this.#asking?.onInterim(status, fields);
  }

  /** The one whom the call counts for. */
  get #asking(): PaidReceiver | undefined {
    return this.#crowd === undefined ? this.#receiver : this.#crowd.first?.receiver;
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    this.status = status;
    this.statusText = statusText;
    this.fields = fields;
    if (this.#crowd === undefined) this.#receiver?.onHead(status, statusText, fields);
    else this.#crowd.onHead();
  }

  onData(chunk: Buffer): void {
    this.#size += chunk.length;
    const fits = this.isHeldWhole;
    if (this.#crowd !== undefined) {
      this.#hold(chunk);
      return this.#crowd.onData(fits);
    }
    if (fits) this.#hold(chunk);
    else if (this.chunks !== none) {
      this.chunks = none;
      this.close();
    }
    this.#receiver?.onData(chunk);
  }

  #hold(chunk: Buffer): void {
    if (this.chunks === none) this.chunks = [chunk];
    else this.chunks.push(chunk);
  }

  onEnd(): void {
    if (!this.isClosed) this.host.whole(this);
    this.close();
    if (this.#crowd === undefined) this.#receiver?.onEnd();
    else this.#crowd.over(whole);
  }

  onFailure(failure: FailureId, cause: Error): void {
    this.close();
    if (this.#crowd === undefined) return this.#receiver?.onFailure(failure, cause);
    const others = this.again || !mayHelp.has(failure) ? [] : this.#crowd.takeOthers();
    if (others.length > 0) this.host.again(others, this);
    this.#crowd.over({ whole: false, tell: (receiver) => receiver.onFailure(failure, cause) });
  }

  /** The hour is used up for all of them alike. */
  onRefused(refusal: Refusal): void {
    this.close();
    if (this.#crowd === undefined) this.#receiver?.onRefused(refusal);
    else this.#crowd.over({ whole: false, tell: (receiver) => receiver.onRefused(refusal) });
  }

  /** A write has begun: the answer is for those who have joined, and is not kept. */
  touch(): void {
    this.isTouched = true;
    this.isClosed = true;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.host.closed(this);
  }

  spared(): void {
    this.host.spared(this);
  }

  parted(readings: readonly Reading[]): void {
    this.host.parted(readings, this);
  }

  empty(): void {
    this.host.crowded(-1);
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.#sent?.pause();
    else this.#sent?.resume();
  }

  giveUp(): void {
    this.close();
    this.#sent?.cancel();
  }

  // For the one who asked.
  pause(): void {
    if (this.#first !== undefined) return this.#first.pause();
    this.#isPaused = true;
    this.hold(true);
  }

  resume(): void {
    if (this.#first !== undefined) return this.#first.resume();
    this.#isPaused = false;
    this.hold(false);
  }

  cancel(): void {
    if (this.#first !== undefined) this.#first.cancel();
    else this.giveUp();
  }
}

/** Stands for what has not come; nothing is ever added to it. */
const none: Buffer[] = [];
const noFields: readonly string[] = [];

/** NaN where the answer does not say it. */
function lengthOf(fields: readonly string[]): number {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i];
    if (name?.length === 14 && name.toLowerCase() === 'content-length') return Number(fields[i + 1]);
  }
  return NaN;
}
