/** Keeps an answer of v1 as it passes, up to a bound. */
import { Collector } from '../body.ts';
import type { ResponseHead } from '../response-head.ts';
import type { Witness } from '../witness.ts';
import type { InnerAnswer } from './inner.ts';
import { longest } from './questions.ts';

export class AnswerWitness implements Witness {
  readonly #done: (answer: InnerAnswer) => void;
  #collector: Collector | undefined = new Collector(longest);
  #status = 0;
  #fields: readonly string[] = [];

  /** @param done is called once the whole of it has passed */
  constructor(done: (answer: InnerAnswer) => void) {
    this.#done = done;
  }

  onHead(status: number, head: ResponseHead): void {
    this.#status = status;
    this.#fields = [...head.forward];
  }

  onData(chunk: Buffer): void {
    // What does not fit is not kept at all.
    if (this.#collector?.add(chunk) === false) this.#collector = undefined;
  }

  onEnd(): void {
    this.#done({ status: this.#status, fields: this.#fields, body: this.#collector?.bytes() });
  }
}
