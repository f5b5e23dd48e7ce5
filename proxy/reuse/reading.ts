/** One client's reading of an answer that others may read as well, each at its own pace. */
import type { PaidReceiver, PaidSender, PaidRequest } from '../budget/spending.ts';
import type { Sent } from '../upstream.ts';

/** How an answer ended. */
export interface End {
  /** Whether all of it came: only then is there a rest for those who read slowly. */
  readonly whole: boolean;
  tell(receiver: PaidReceiver): void;
}

/** An answer that is read, whole or as far as it has come. */
export interface Source {
  readonly status: number;
  readonly statusText: string;
  readonly chunks: readonly Buffer[];
  readonly end: End | undefined;
  /** Whether this one may begin to read. */
  isOpenTo(reading: Reading): boolean;
  fieldsFor(reading: Reading): readonly string[];
  /** It pauses, or goes on. */
  turned(): void;
  /** It has read everything, or reads no further. */
  left(reading: Reading): void;
}

export class Reading implements Sent {
  readonly request: PaidRequest;
  readonly receiver: PaidReceiver;
  /** Whether v2 was asked for somebody else. */
  joined: boolean;
  source: Source;
  paused = false;
  /** Whether it has the head. */
  begun = false;
  /** Chunks that it has. */
  #at = 0;
  #done = false;
  #giving = false;
  /** Where it is asked by itself after all. */
  #alone: Sent | undefined;

  constructor(request: PaidRequest, receiver: PaidReceiver, source: Source, joined: boolean) {
    this.request = request;
    this.receiver = receiver;
    this.source = source;
    this.joined = joined;
  }

  /** Takes over where its receiver was given the answer directly. */
  goOn(begun: boolean, chunks: number, paused: boolean): void {
    this.begun = begun;
    this.#at = chunks;
    this.paused = paused;
  }

  /** Gives what there is, as far as it is taken. */
  give(): void {
    if (this.#giving) return;
    this.#giving = true;
    while (this.#step());
    this.#giving = false;
  }

  #step(): boolean {
    const { source, receiver } = this;
    if (this.#done) return false;
    // What is lost is lost for the slow ones, too: nobody waits for a rest that does not come.
    if (source.end?.whole === false) return this.#finish(source.end);
    if (!this.begun) {
      if (!source.isOpenTo(this)) return false;
      this.begun = true;
      receiver.onHead(source.status, source.statusText, source.fieldsFor(this));
      return true;
    }
    if (this.paused) return false;
    const chunk = source.chunks[this.#at];
    if (chunk !== undefined) {
      this.#at++;
      receiver.onData(chunk);
      return true;
    }
    return source.end !== undefined && this.#finish(source.end);
  }

  #finish(end: End): boolean {
    this.#done = true;
    this.source.left(this);
    end.tell(this.receiver);
    return false;
  }

  /** Whether it has everything that came so far: who alone reads an answer needs no more of it to be held. */
  caughtUp(): boolean {
    if (this.#at < this.source.chunks.length) return false;
    this.#at = 0;
    return true;
  }

  pause(): void {
    if (this.#alone !== undefined) return this.#alone.pause();
    this.paused = true;
    this.source.turned();
  }

  resume(): void {
    if (this.#alone !== undefined) return this.#alone.resume();
    if (!this.paused) return;
    this.paused = false;
    this.give();
    if (!this.#done) this.source.turned();
  }

  cancel(): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#alone === undefined) this.source.left(this);
    else this.#alone.cancel();
  }

  /** Asks for this one by itself: nothing of another's answer was given to it. */
  askAlone(sender: PaidSender): void {
    this.joined = false;
    this.#alone = sender.send(this.request, this.receiver);
  }
}
