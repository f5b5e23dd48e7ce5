/**
 * Whether v1 is gone as a whole. A status says so of one call, and could mean that call's resource alone: v1 is asked once more, for a list that
 * is always there. It costs v1 a read, and v2 nothing.
 */
import { v1Auth } from '../src/contract/auth.ts';
import { v1Endpoints } from '../src/contract/endpoints.ts';
import type { Sender } from './upstream.ts';

/** An answer of v1 counts for so long, in milliseconds: many calls may ask at once. */
const counts = 100;

/** What a caller gets for its own fault: of a request, a key and a limit. */
const ofTheCaller: ReadonlySet<number> = new Set([400, 401, 429]);

export class V1Probe {
  readonly #v1: Sender;
  readonly #sunsetStatus: number;
  readonly #now: () => number;
  #asked: { readonly at: number; readonly status: Promise<number | undefined> } | undefined;

  constructor(v1: Sender, sunsetStatus: number, now: () => number) {
    this.#v1 = v1;
    this.#sunsetStatus = sunsetStatus;
    this.#now = now;
  }

  /** @param key of the call: without one, a v1 that looks at keys first would say nothing of its end */
  async isGone(key: string | undefined): Promise<boolean> {
    return (await this.#status(key)) === this.#sunsetStatus;
  }

  /** Whether v1 refuses what it always served, and not for the key or its limit. */
  async refuses(key: string | undefined): Promise<boolean> {
    const status = await this.#status(key);
    return status !== undefined && status >= 400 && !ofTheCaller.has(status);
  }

  #status(key: string | undefined): Promise<number | undefined> {
    const now = this.#now();
    if (this.#asked === undefined || now - this.#asked.at >= counts || now < this.#asked.at)
      this.#asked = { at: now, status: this.#ask(key) };
    return this.#asked.status;
  }

  #ask(key: string | undefined): Promise<number | undefined> {
    const fields = key === undefined ? [] : [v1Auth.field, key];
    return new Promise((resolve) => {
      const sent = this.#v1.send(
        { method: 'GET', path: `${v1Endpoints.listContacts.path}?limit=1`, fields, body: null },
        {
          onSending: ignore,
          onInterim: ignore,
          onHead: (status) => {
            resolve(status);
            sent.cancel();
          },
          onData: ignore,
          onEnd: ignore,
          onFailure: () => resolve(undefined),
        },
      );
    });
  }
}

const ignore = (): void => undefined;
