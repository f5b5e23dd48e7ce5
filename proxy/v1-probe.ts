/**
 * Whether v1 is gone as a whole. Its status says so of one call, and could mean that call's resource alone: v1 is asked once more, for a list that
 * is always there. It costs v1 a read, and v2 nothing.
 */
import { v1Auth } from '../src/contract/auth.ts';
import { v1Endpoints } from '../src/contract/endpoints.ts';
import type { Sender } from './upstream.ts';

/** An answer of v1 counts for so long, in milliseconds: many calls may ask at once. */
const counts = 100;

export class V1Probe {
  readonly #v1: Sender;
  readonly #sunsetStatus: number;
  readonly #now: () => number;
  #asked: { readonly at: number; readonly isGone: Promise<boolean> } | undefined;

  constructor(v1: Sender, sunsetStatus: number, now: () => number) {
    this.#v1 = v1;
    this.#sunsetStatus = sunsetStatus;
    this.#now = now;
  }

  /** @param key of the call: without one, a v1 that looks at keys first would say nothing of its end */
  isGone(key: string | undefined): Promise<boolean> {
    const now = this.#now();
    if (this.#asked === undefined || now - this.#asked.at >= counts || now < this.#asked.at)
      this.#asked = { at: now, isGone: this.#ask(key) };
    return this.#asked.isGone;
  }

  #ask(key: string | undefined): Promise<boolean> {
    const fields = key === undefined ? [] : [v1Auth.field, key];
    return new Promise((resolve) => {
      const sent = this.#v1.send(
        { method: 'GET', path: `${v1Endpoints.listContacts.path}?limit=1`, fields, body: null },
        {
          onSending: ignore,
          onInterim: ignore,
          onHead: (status) => {
            resolve(status === this.#sunsetStatus);
            sent.cancel();
          },
          onData: ignore,
          onEnd: ignore,
          onFailure: () => resolve(false),
        },
      );
    });
  }
}

const ignore = (): void => undefined;
