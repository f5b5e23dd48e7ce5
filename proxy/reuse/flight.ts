/**
 * One request to v2 that is under way, and all who read its answer. The first asked; those who join get what the first gets, with what came before
 * them. Each reads at its own pace: v2 waits for a slow client only where nobody else reads, and what is held for the slow is bounded, because
 * those who join are given nothing before it is known that the answer is short enough. Where it is not, they are asked by themselves.
 */
import type { FailureId } from '../failures.ts';
import type { Refusal } from '../budget/purpose.ts';
import type { PaidReceiver, PaidSender, PaidRequest } from '../budget/spending.ts';
import type { Sent } from '../upstream.ts';
import { type Asked, readAsked } from './identity.ts';
import { type Cacheability, cacheability } from './storable.ts';
import { joinedFields } from './fields.ts';
import { type End, Reading, type Source } from './reading.ts';
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
  /** v2 does not want its answer to be used for others. */
  unshared(flight: Flight): void;
  /** Those who joined get no answer here; another try may give them one. */
  again(readings: readonly Reading[], flight: Flight): void;
  /** One of those who joined begins to get its answer. */
  spared(flight: Flight): void;
  /** It has readers besides the one who asked, or none any more. */
  crowded(change: 1 | -1): void;
}

export interface FlightOf {
  readonly key: string;
  readonly group: string;
  readonly resource: Resource;
  /** Undefined where nobody needs to know. */
  readonly asked: Instant | undefined;
  /** Whether it stands in for one that failed: what fails twice has failed. */
  readonly again: boolean;
}

const whole: End = { whole: true, tell: (receiver) => receiver.onEnd() };

export class Flight implements PaidReceiver, Source, FlightOf {
  readonly key: string;
  readonly group: string;
  readonly resource: Resource;
  /** Undefined where nobody needs to know. */
  readonly asked: Instant | undefined;
  readonly again: boolean;
  readonly request: PaidRequest;
  /** The one who asked comes first. */
  readonly readings: Reading[] = [];
  status = 0;
  statusText = '';
  fields: readonly Buffer[] = [];
  readonly chunks: Buffer[] = [];
  end: End | undefined;
  /** Whether nobody may join any more. */
  isClosed = false;
  /** Whether a write has begun since: its answer may be from before it. */
  isTouched = false;
  readonly #host: Host;
  readonly #next: PaidSender;
  #sent: Sent | undefined;
  #size = 0;
  #isCrowded = false;
  /** Whether those who joined may read: the answer is known to be short, and to be for others as well. */
  #isOpen = false;
  #isHeld = false;
  #isSent = false;
  #identity: Asked | 'own' | undefined;
  #cacheability: Cacheability | undefined;

  constructor(request: PaidRequest, { key, group, resource, asked, again }: FlightOf, host: Host, next: PaidSender) {
    this.key = key;
    this.group = group;
    this.resource = resource;
    this.asked = asked;
    this.again = again;
    this.request = request;
    this.#host = host;
    this.#next = next;
  }

  start(): void {
    this.#sent = this.#next.send(this.request, this);
  }

  /** Asks v2 for this one. */
  lead(receiver: PaidReceiver): Sent {
    const reading = new Reading(this.request, receiver, this, false);
    this.readings.push(reading);
    this.start();
    return reading;
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

  get mayBeJoined(): boolean {
    return !this.isClosed && (this.status === 0 || this.#suitsOthers);
  }

  get isCrowded(): boolean {
    return this.#isCrowded;
  }

  join(request: PaidRequest, receiver: PaidReceiver): Reading {
    const reading = new Reading(request, receiver, this, true);
    this.add(reading);
    // Not within the call: whoever joins has to get its handle first.
    process.nextTick(() => reading.give());
    return reading;
  }

  add(reading: Reading): void {
    reading.source = this;
    this.readings.push(reading);
    if (this.readings.length > 1 && !this.#isCrowded) {
      this.#isCrowded = true;
      this.#host.crowded(1);
    }
    this.turned();
  }

  onSending(): void {
    this.#isSent = true;
    this.readings[0]?.receiver.onSending();
  }

  onInterim(status: number, fields: readonly Buffer[]): void {
    this.readings[0]?.receiver.onInterim(status, fields);
  }

  onHead(status: number, statusText: string, fields: readonly Buffer[]): void {
    this.status = status;
    this.statusText = statusText;
    this.fields = fields;
    this.#isOpen = lengthOf(fields) <= longest;
    if (this.readings.length > 1 && !this.#suitsOthers) this.#part();
    this.#give();
  }

  onData(chunk: Buffer): void {
    const fitted = this.isHeldWhole;
    this.#size += chunk.length;
    this.chunks.push(chunk);
    if (fitted && !this.isHeldWhole) this.#part();
    this.#give();
    // Nobody joins any more who would need it.
    if (!this.isHeldWhole && this.readings.length === 1 && this.readings[0]?.caughtUp() === true) this.chunks.length = 0;
  }

  onEnd(): void {
    this.#isOpen = true;
    if (!this.isClosed) this.#host.whole(this);
    this.#over(whole);
  }

  onFailure(failure: FailureId, cause: Error): void {
    if (!this.again && mayHelp.has(failure)) {
      const others = this.readings.filter(({ joined, begun }) => joined && !begun);
      this.#remove(others);
      this.#close();
      if (others.length > 0) this.#host.again(others, this);
    }
    this.#over({ whole: false, tell: (receiver) => receiver.onFailure(failure, cause) });
  }

  /** The hour is used up for all of them alike. */
  onRefused(refusal: Refusal): void {
    this.#over({ whole: false, tell: (receiver) => receiver.onRefused(refusal) });
  }

  isOpenTo(reading: Reading): boolean {
    return this.status !== 0 && (this.#isOpen || reading === this.readings[0]);
  }

  fieldsFor({ joined }: Reading): readonly Buffer[] {
    if (!joined) return this.fields;
    this.#host.spared(this);
    return joinedFields(this.fields);
  }

  turned(): void {
    const [first, second] = this.readings;
    const isHeld = this.end === undefined && second === undefined && first?.paused === true;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#sent?.pause();
    else this.#sent?.resume();
  }

  left(reading: Reading): void {
    const at = this.readings.indexOf(reading);
    if (at >= 0) this.readings.splice(at, 1);
    const [first] = this.readings;
    if (first !== undefined) {
      // Where the one who asked leaves, the next one takes its place, also as the one whom the call counts for.
      if (!this.#isSent) first.joined = false;
      this.turned();
      return at === 0 ? first.give() : undefined;
    }
    this.#uncrowd();
    if (this.end !== undefined) return;
    this.#close();
    this.#sent?.cancel();
  }

  /** Takes those out who get an answer elsewhere; where nobody is left, this one is over or about to be. */
  #remove(others: readonly Reading[]): void {
    for (const other of others) this.readings.splice(this.readings.indexOf(other), 1);
    if (this.readings.length === 0) this.#uncrowd();
    else this.turned();
  }

  #uncrowd(): void {
    if (!this.#isCrowded) return;
    this.#isCrowded = false;
    this.#host.crowded(-1);
  }

  /** A write has begun: the answer is for those who have joined, and is not kept. */
  touch(): void {
    this.isTouched = true;
    this.isClosed = true;
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#host.closed(this);
  }

  /** Lets those go who joined: this answer is none for them. */
  #part(): void {
    const others = this.readings.slice(1).filter(({ begun }) => !begun);
    this.#close();
    if (others.length === 0) return;
    if (!this.cacheability.shared) this.#host.unshared(this);
    this.#remove(others);
    for (const other of others) other.askAlone(this.#next);
  }

  #over(end: End): void {
    this.#close();
    this.end = end;
    this.#give();
  }

  #give(): void {
    const [first] = this.readings;
    if (this.readings.length === 1) return first?.give();
    // Those who have read everything leave meanwhile.
    for (const reading of this.readings.slice()) reading.give();
  }

  /** Whether what came so far may be, and can be, given to others. */
  get #suitsOthers(): boolean {
    return this.isHeldWhole && !(lengthOf(this.fields) > longest) && this.cacheability.shared;
  }
}

/** Failures that say more of one connection, or of the patience that the first had left, than of v2: another try costs one call for all. */
const mayHelp: ReadonlySet<FailureId> = new Set(['reset', 'timeout']);

/** NaN where the answer does not say it. */
function lengthOf(fields: readonly Buffer[]): number {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i];
    if (name?.length === 14 && name.toString('latin1').toLowerCase() === 'content-length') return Number(fields[i + 1]?.toString('latin1'));
  }
  return NaN;
}
