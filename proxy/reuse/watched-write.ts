/** A write on its way to v2: from its first byte until its answer is whole, reads of what it touches are asked anew. */
import type { FailureId } from '../failures.ts';
import type { Refusal } from '../budget/purpose.ts';
import type { PaidReceiver } from '../budget/spending.ts';
import type { Receiver, Sent } from '../upstream.ts';

/** What a write is told to. */
export interface Watch {
  began(): void;
  over(): void;
  /** It may have been carried out, or be still. */
  lost(): void;
}

export class WatchedWrite implements PaidReceiver, Sent {
  readonly #receiver: Receiver | PaidReceiver;
  readonly #watch: Watch;
  #sent: Sent | undefined;
  #state: 'waits' | 'sent' | 'answered' | 'over' = 'waits';

  constructor(receiver: Receiver | PaidReceiver, watch: Watch) {
    this.#receiver = receiver;
    this.#watch = watch;
  }

  follow(sent: Sent): Sent {
    this.#sent = sent;
    return this;
  }

  onSending(): void {
    if (this.#state === 'waits') {
      this.#state = 'sent';
      this.#watch.began();
    }
    this.#receiver.onSending();
  }

  onInterim(status: number, fields: readonly string[]): void {
    this.#receiver.onInterim(status, fields);
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    this.#state = 'answered';
    this.#receiver.onHead(status, statusText, fields);
  }

  onData(chunk: Buffer): void {
    this.#receiver.onData(chunk);
  }

  onEnd(): void {
    this.#finish();
    this.#receiver.onEnd();
  }

  onFailure(failure: FailureId, cause: Error): void {
    this.#finish();
    this.#receiver.onFailure(failure, cause);
  }

  onRefused(refusal: Refusal): void {
    this.#finish();
    if ('onRefused' in this.#receiver) this.#receiver.onRefused(refusal);
  }

  pause(): void {
    this.#sent?.pause();
  }

  resume(): void {
    this.#sent?.resume();
  }

  cancel(): void {
    this.#finish();
    this.#sent?.cancel();
  }

  #finish(): void {
    const state = this.#state;
    this.#state = 'over';
    if (state === 'answered') this.#watch.over();
    else if (state === 'sent') this.#watch.lost();
  }
}
